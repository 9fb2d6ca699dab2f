#pragma once

#include "core/activation/design/design.h"
#include "core/activation/design/events.h"
#include "core/base/options.h"
#include "core/image/volume.h"

#include <memory>
#include <string>
#include <vector>

#include <Eigen/Core>

namespace sulcus::phantom {

/// Parameters of the activation phantom.
struct ActivationPhantomOptions {
  enum class Pattern { blobs, model };
  enum class Active { both, visual, auditory, none };

  Pattern pattern = Pattern::blobs;
  Active active = Active::both;
  double contrast = 1, noise = 1;
  int scans = 60;
  int seed = 1;

  template <class Visit>
  void describe(Visit&& visit) {
    visit(pattern,
          choiceOption("pattern", "Pattern", {"blobs", "model"},
                       "blobs: visual and auditory cortex respond, as in a brain. model: every voxel "
                       "follows the model of the analysis exactly, to measure how well its intervals "
                       "are calibrated."));
    visit(active, choiceOption("active", "Active", {"both", "visual", "auditory", "none"},
                               "To which stimuli there is a response at all."));
    visit(contrast, numberOption("contrast", "Contrast", "", {0, 100, 0.25},
                                 "Multiplies all responses. At 1 they are up to 3 % of the signal."));
    visit(noise, numberOption("noise", "Noise", "%", {0.01, 100, 0.25},
                              "Standard deviation in a typical voxel, in percent of the mean signal."));
    visit(scans,
          numberOption("scans", "Scans", "", {30, 10000, 10}, "Volumes of the series, one every 3 s."));
    visit(seed, numberOption("seed", "Seed", "", {0, 2147483647, 1}, "Seed of all random numbers."));
  }
};

/// A functional scan with known activation: y = Xβ + ε, ε ~ N(0, σ²) in each voxel. All images have the same
/// grid.
struct ActivationPhantom {
  std::shared_ptr<const Series<float>> bold;    ///< options.scans volumes; the mean signal is 100
  double secondsPerVolume = 0;                  ///< repetition time
  std::shared_ptr<const Mask> mask;             ///< the voxels of the head
  std::shared_ptr<const Series<float>> tissue;  ///< probabilities of csf, gm and wm
  std::vector<std::string> tissueNames;         ///< csf, gm, wm
  activation::EventTable events;
  activation::Design design;  ///< intercept, visual, auditory

  // The truth, in the unit of the series (mean signal 100).
  std::shared_ptr<const Series<float>> beta;  ///< one volume per regressor, NaN outside of the mask
  std::shared_ptr<const Volume<float>> sigma2;
  /// Δ, 4 × 3: a row for the intercept and each tissue (demeaned over the mask), a column for each regressor.
  /// With the pattern `model` these parameters generated β. Otherwise they are the regression of the true β
  /// on the tissue maps and the covariance of its residuals.
  Eigen::MatrixXd delta;
  Eigen::MatrixXd vBeta;  ///< V_β, 3 × 3
};

/// 32 × 32 × 12 voxels of 3 × 3 × 4 mm, RAS+, a slab through an ellipsoid of 40 × 46 × 34 mm around the
/// origin: white matter with two ventricles, a folded ribbon of gray matter, CSF. There is a scan every 3 s;
/// 30 s of rest alternate with 30 s of pictures, and 45 s of silence with 45 s of sound. σ² = ν_e s²/χ²(ν_e)
/// with ν_e = 3 and s = `noise`.
///
/// With the pattern `model`, β = Δ'z + ν, ν ~ N(0, V_β), z = intercept and tissue. With `blobs` the intercept
/// is that of `model`, and there are responses in the gray matter of both sides around (±10, −36, 0) mm
/// (visual) and (±34, −4, 2) mm (auditory), with a scatter of a tenth of a percent everywhere.
ActivationPhantom makeActivationPhantom(const ActivationPhantomOptions& options);

/// A scan with the same noise and design of a brain whose tissue is known. Pictures and sound activate its
/// gray matter around (±10, −84, 4) mm and (±56, −22, 8) mm, the visual and auditory cortices in MNI space.
///
/// @param tissue  probabilities of csf, gm and wm, 3 volumes; the mask is where their sum is at least 0.5
ActivationPhantom makeActivationPhantom(const ActivationPhantomOptions& options, const Series<float>& tissue);

}  // namespace sulcus::phantom
