#pragma once

#include "core/base/progress.h"
#include "core/image/volume.h"
#include "core/math/affine.h"
#include "core/registration/deformation/vector_field.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace sulcus::registration {

/// A map between two images, as registrations give it: from points of the reference to points of the
/// template, mm, RAS+.
struct Transform {
  Affine map;                                            ///< where there is no field
  std::shared_ptr<const Series<float>> field = nullptr;  ///< p + field(p): 3 volumes, mm, RAS+
  bool inverse = false;  ///< the way back: from points of the template to points of the reference
};

/// Transforms one after the other, in the order in which an image goes through them: the image in the space
/// of the first one's template comes to lie in the space of the last one's reference. Points go from there
/// back to the image, through the last one first.
class TransformChain {
 public:
  /// Throws Error where a transform has no inverse, and for fields of other than three volumes of sound
  /// values.
  explicit TransformChain(const std::vector<Transform>& transforms);

  /// Where the chain leads a point. Beyond the grid of a field its displacement is that of the nearest place
  /// within.
  ///
  /// @param reached  becomes false where a field does not reach the point; where its inverse is not found the
  ///                 affine part of it is taken
  Vec3<double> operator()(Vec3<double> p, bool& reached) const;

  /// The displacement u of the whole chain at the voxels of a grid: it leads x to x + u(x), mm, RAS+.
  ///
  /// @param covered  receives 1 where all fields reach
  /// @throws Error   when there are none
  Series<float> on(const Grid& grid, Mask& covered, const Progress& progress) const;

 private:
  struct Step {
    Affine map;  ///< of a linear map; of the inverse of a field the inverse of its affine part
    const Series<float>* field = nullptr;
    Affine voxelFromWorld;  ///< of the field
    /// Of the inverse of a field: with A its affine part, A⁻¹ (p + field(p)) is p less this, in voxels.
    std::shared_ptr<const VectorField<float>> bend = nullptr;
  };
  static Step inverseOf(const Series<float>& field);
  Vec3<double> through(const Step& step, const Vec3<double>& p, bool& reached) const;

  std::vector<Transform> transforms_;  ///< keeps the fields
  std::vector<Step> steps_;            ///< as points go through them
};

}  // namespace sulcus::registration
