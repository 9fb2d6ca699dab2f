#pragma once

#include "core/base/options.h"
#include "core/image/gradients.h"
#include "core/image/volume.h"

#include <memory>

namespace sulcus {

/// Parameters of the crossing-fibers phantom.
struct FibersPhantomOptions {
  int b = 3000;
  double snr = 30;
  int seed = 1;

  template <class Visit>
  void describe(Visit&& visit) {
    visit(b, numberOption(
                 "b", "b-value", "s/mm²", 500, 10000, 500,
                 "Diffusion weighting. 3000 separates crossing fibers well, 1000 is common in clinics."));
    visit(snr,
          numberOption(
              "snr", "Signal to noise", "", 0, 1000, 5,
              "Signal without weighting over the standard deviation of the noise; 0 leaves the noise out."));
    visit(seed,
          numberOption("seed", "Seed", "", 0, 2147483647, 1, "Of the noise and of the fibers' shares."));
  }
};

/// A diffusion scan with known fibers, and those fibers.
struct FibersPhantom {
  std::shared_ptr<const Series<float>> dwi;  ///< 6 volumes with b = 0, then 64 weighted ones
  GradientTable gradients;
  std::shared_ptr<const Mask> mask;  ///< all voxels
  std::shared_ptr<const Series<float>>
      truth;  ///< 6 volumes: two directions × share of the signal, larger first, NaN = none
};

/// 32 × 32 × 1 voxels of 2 mm, RAS+. The first fiber turns through half a circle from the lowest to the
/// highest y, rising and falling out of the plane. x = 0…7: alone. x = 8…31: crossed by a second one, at 45°
/// on the left growing evenly to 90° on the right (8 columns for each 15°), with a share of 0.5 to 0.7 for
/// the larger. Fibers diffuse with 1.7 and 0.2·10⁻³ mm²/s along and across; noise is Rician.
FibersPhantom makeFibersPhantom(const FibersPhantomOptions& options);

/// Angle at which the fibers cross in column x of the phantom, degrees; 0 where there is one.
double fibersPhantomAngle(int x);

}  // namespace sulcus
