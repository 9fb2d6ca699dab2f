#pragma once

#include "core/base/progress.h"
#include "core/registration/registration.h"
#include "core/registration/registration_level.h"

#include <memory>
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
};

/// The energies of u, and the force of the images at u, as evaluate() gives them for squared differences.
///
/// @param warped  working memory, one value per voxel
template <class Real>
LevelEnergy evaluate(const LevelImages<Real>& images, const std::vector<Texel<Real>>& texels,
                     const VectorField<Real>& u, TemplateGradient gradient, SimilarityMeasure<Real>& measure,
                     std::vector<Real>& warped, VectorField<Real>& imageForce, const Progress& progress);

/// The measure that the options ask for; null for squared differences, which evaluate() computes itself.
template <class Real>
std::unique_ptr<SimilarityMeasure<Real>> similarityMeasure(const LevelImages<Real>& images,
                                                           const RegistrationOptions& options,
                                                           const Progress& progress);

}  // namespace sulcus::registration
