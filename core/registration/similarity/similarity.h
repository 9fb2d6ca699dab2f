#pragma once

#include "core/base/progress.h"
#include "core/registration/deformation/registration_level.h"
#include "core/registration/registration.h"

#include <memory>
#include <span>
#include <type_traits>
#include <vector>

namespace sulcus::registration {

/// The similarity of the two images of a level, if it is not a sum over single voxels.
template <class Real>
class SimilarityMeasure {
 public:
  virtual ~SimilarityMeasure() = default;

  /// The energy, a mean over the voxels of the level.
  ///
  /// @param warped  T(x − u), one value per voxel, x fastest, 0 where the images are not compared; is
  ///                replaced by the derivative of the energy with respect to these values, times the number
  ///                of voxels
  virtual double replaceBySlope(std::vector<Real>& warped, const Progress& progress) = 0;

  /// Updates the reference of the images; the voxels that are compared stay the same.
  virtual void takeReference(const LevelImages<Real>& images, const Progress& progress) = 0;
};

/// The energy of a measure, and the force of the images: their slope times the gradient of the template.
///
/// @param warped      result of displaceTemplate(); working memory
/// @param imageForce  on entry the gradient from displaceTemplate()
/// @param share       share of the channel in the similarity, applied to the slope but not to the energy
template <class Real>
double applyMeasure(SimilarityMeasure<Real>& measure, std::vector<Real>& warped,
                    VectorField<Real>& imageForce, const Progress& progress, double share = 1);

/// Whether a level compares its images by measures. Otherwise it uses squared differences, which evaluate()
/// computes itself: for a single channel without weights in one-sided registration.
inline bool comparesByMeasures(std::size_t channels, bool weighted, const RegistrationOptions& options) {
  return options.similarity == Similarity::lcc || options.similarity == Similarity::mi || options.symmetric ||
         channels > 1 || weighted;
}

/// The measure requested by the options.
///
/// @param weights  see LevelInput::weights; must outlive the measure
template <class Real>
std::unique_ptr<SimilarityMeasure<Real>> similarityMeasure(
    const LevelImages<Real>& images, const RegistrationOptions& options, const Progress& progress,
    std::span<const std::type_identity_t<Real>> weights = {});

}  // namespace sulcus::registration
