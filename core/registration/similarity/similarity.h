#pragma once

#include "core/base/progress.h"
#include "core/registration/deformation/registration_level.h"
#include "core/registration/registration.h"

#include <memory>
#include <span>
#include <type_traits>
#include <vector>

namespace sulcus::registration {

/// How alike the two images of a level are, where that is no sum over single voxels.
template <class Real>
class SimilarityMeasure {
 public:
  virtual ~SimilarityMeasure() = default;

  /// The energy, a mean over the voxels of the level.
  ///
  /// @param warped  T(x − u), one value per voxel, x fastest, 0 where the images are not compared; is
  /// replaced
  ///                by the derivative of the energy by these values, times the number of voxels
  virtual double replaceBySlope(std::vector<Real>& warped, const Progress& progress) = 0;

  /// Takes the images' reference anew; the voxels in which they are compared stay the same.
  virtual void takeReference(const LevelImages<Real>& images, const Progress& progress) = 0;
};

/// The energy of a measure, and the force of the images: their slope times the gradient of the template.
///
/// @param warped      as displaceTemplate() left it; working memory
/// @param imageForce  on entry the gradient as displaceTemplate() left it
/// @param share       what the slope is multiplied by, but not the energy: of a channel in the similarity
template <class Real>
double applyMeasure(SimilarityMeasure<Real>& measure, std::vector<Real>& warped,
                    VectorField<Real>& imageForce, const Progress& progress, double share = 1);

/// Whether a level compares its images by measures. Else it is squared differences, which evaluate() computes
/// itself: of a single channel without weights in one-sided registration.
inline bool comparesByMeasures(std::size_t channels, bool weighted, const RegistrationOptions& options) {
  return options.similarity == Similarity::lcc || options.similarity == Similarity::mi || options.symmetric ||
         channels > 1 || weighted;
}

/// The measure that the options ask for.
///
/// @param weights  see LevelInput::weights; must outlive the measure
template <class Real>
std::unique_ptr<SimilarityMeasure<Real>> similarityMeasure(
    const LevelImages<Real>& images, const RegistrationOptions& options, const Progress& progress,
    std::span<const std::type_identity_t<Real>> weights = {});

}  // namespace sulcus::registration
