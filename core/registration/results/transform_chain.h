#pragma once

#include "core/base/progress.h"
#include "core/image/volume.h"
#include "core/math/affine.h"
#include "core/registration/deformation/vector_field.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace sulcus::registration {

/// A map between two images, as a registration gives it: from points of the reference to points of the
/// template, mm, RAS+.
struct Transform {
  Affine map;                                            ///< if there is no field
  std::shared_ptr<const Series<float>> field = nullptr;  ///< p + field(p): 3 volumes, mm, RAS+
  bool inverse = false;  ///< inverted: from points of the template to points of the reference
};

/// A sequence of transforms, in the order in which an image passes through them: the image in the space of
/// the first one's template is mapped to the space of the last one's reference. Points go from there back to
/// the image, through the last one first.
class TransformChain {
 public:
  /// Throws Error if a transform has no inverse, and for fields other than three volumes of sound values.
  explicit TransformChain(const std::vector<Transform>& transforms);

  /// The point to which the chain maps a point. Beyond the grid of a field its displacement is that of the
  /// nearest point inside.
  ///
  /// @param reached  becomes false if a field does not reach the point; if its inverse is not found, the
  ///                 affine part is used
  Vec3<double> operator()(Vec3<double> p, bool& reached) const;

  /// The displacement u of the whole chain at the voxels of a grid: x is mapped to x + u(x), mm, RAS+.
  ///
  /// @param covered  receives 1 where all fields reach
  /// @throws Error   if there are none
  Series<float> on(const Grid& grid, Mask& covered, const Progress& progress) const;

 private:
  struct Step {
    Affine map;  ///< of a linear map; for the inverse of a field, the inverse of its affine part
    const Series<float>* field = nullptr;
    Affine voxelFromWorld;  ///< of the field
    /// For the inverse of a field with affine part A: A⁻¹ (p + field(p)) is p minus this, in voxels.
    std::shared_ptr<const VectorField<float>> bend = nullptr;
  };
  static Step inverseOf(const Series<float>& field);
  Vec3<double> through(const Step& step, const Vec3<double>& p, bool& reached) const;

  std::vector<Transform> transforms_;  ///< owns the fields
  std::vector<Step> steps_;            ///< in the order in which points pass through them
};

}  // namespace sulcus::registration
