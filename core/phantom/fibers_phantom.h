#pragma once

#include "core/base/options.h"
#include "core/image/diffusion/gradients.h"
#include "core/image/volume.h"

#include <memory>

namespace sulcus::phantom {

/// Parameters of the crossing-fibers phantom.
struct FibersPhantomOptions {
  int b = 3000;
  double snr = 30;
  double eddy = 0;
  int seed = 1;

  template <class Visit>
  void describe(Visit&& visit) {
    visit(b, numberOption(
                 "b", "b-value", "s/mm²", {500, 10000, 500},
                 "Diffusion weighting. 3000 separates crossing fibers well, 1000 is common in clinics."));
    visit(snr,
          numberOption(
              "snr", "Signal to noise", "", {0, 1000, 5},
              "Signal without weighting over the standard deviation of the noise; 0 leaves the noise out."));
    visit(eddy,
          advanced(numberOption("eddy", "Eddy currents", "mm", {0, 20, 0.5},
                                "Displacement along the second axis of the image (j) at 50 mm from its "
                                "center: by this times x·gx + y·gy + z·gz, and a third of it times x²·gy "
                                "+ y·z·gx, with x, y and z in units of 50 mm, and g the direction of "
                                "weighting.")));
    visit(seed, numberOption("seed", "Seed", "", {0, 2147483647, 1},
                             "Seed of the noise and of the fibers' shares."));
  }
};

/// A diffusion scan with known fibers, and these fibers. All images have the same grid.
struct FibersPhantom {
  std::shared_ptr<const Series<float>> dwi;  ///< 6 volumes with b = 0, then 64 weighted ones; S0 is 1000
  GradientTable gradients;                   ///< world axes
  std::shared_ptr<const Mask> mask;          ///< all voxels
  /// 6 volumes: two unit directions (world) × share of the signal, the larger first, NaN = none.
  std::shared_ptr<const Series<float>> truth;
};

/// 32 × 32 × 1 voxels of 2 mm, RAS+. The first fiber turns by half a circle from the lowest to the highest y,
/// and its elevation above the plane rises and falls. In the columns x = 0…7 it is alone. In x = 8…31 a
/// second fiber crosses it, at an angle that grows evenly from 45° on the left to 90° on the right (8 columns
/// for each 15°); the larger one has a share of 0.5 to 0.7. Axial and radial diffusivity are 1.7 and 0.2·10⁻³
/// mm²/s; the noise is Rician.
FibersPhantom makeFibersPhantom(const FibersPhantomOptions& options);

/// A scan of the white matter of a brain in MNI space, with bundles given by formulas that cross where they
/// meet: the callosum rises to both sides, the corona radiata fans out from the brain stem, the superior
/// longitudinal fasciculus and the cingulum go from front to back. This is not realistic anatomy, but fibers
/// with known directions. Gray matter and fluid diffuse isotropically, at 0.8 and 3·10⁻³ mm²/s, and are as
/// bright as in a T2-weighted image.
/// @param tissue  probabilities of csf, gm and wm, 3 volumes; the mask is where their sum is at least 0.5
FibersPhantom makeFibersPhantom(const FibersPhantomOptions& options, const Series<float>& tissue);

/// The crossing angle of the fibers in column x of the phantom, degrees; 0 where there is one fiber.
double fibersPhantomAngle(int x);

}  // namespace sulcus::phantom
