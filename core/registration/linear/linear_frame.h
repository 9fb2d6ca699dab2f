#pragma once

#include "core/base/progress.h"
#include "core/image/volume.h"

#include <array>

namespace sulcus::registration {

/// A matrix by rows. Eigen types stay out of this header because ITK, the oracle of the tests, brings its own
/// Eigen.
using Matrix3 = std::array<std::array<double, 3>, 3>;

/// The axes in which an object is aligned, with their origin at its center of mass and its radius as the
/// unit. In these units, changes of a matrix entry and of the translation move the object by similar amounts.
struct ObjectFrame {
  Vec3<double> center;  ///< mm, RAS+
  /// Unit vectors; the last one of a plane is its normal.
  std::array<Vec3<double>, 3> axes{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  double unit = 1;                                        ///< mm
  int dimensions = 3;                                     ///< 2 for a plane
  Matrix3 covariance{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};  ///< of the object's points, mm², RAS+

  /// Maps positions in this frame to mm, RAS+.
  Affine worldFromFrame() const;
  /// The covariance of the object's points in this frame; 1 along the normal of a plane.
  Matrix3 shape() const;
};

/// The axes of a grid with more than one voxel: two for a plane, three for a volume.
std::vector<int> longAxes(const Vec3<int>& size);

/// The shortest edge of a voxel along the longAxes(), mm.
double finestEdge(const Grid& grid);

/// The frame of the object, that is, of the part of the image above its mean, weighted by the difference. Its
/// unit is the object's radius: the root mean square over the longAxes() of the standard deviation along
/// them. The axes are those of the scanner.
///
/// @throws Error  if the object is smaller than a voxel; the message calls the image `name`
ObjectFrame frameOf(const Series<float>& image, const char* name, const Progress& progress);

/// Gives the frame of a plane its axes: the plane's own, or, with `like`, those of `like` after the shortest
/// rotation into the plane.
///
/// @throws Error  if the planes are at more than 45° to each other
void alignToPlane(ObjectFrame& frame, const Grid& plane, const ObjectFrame* like);

/// The frame of a plane with its axes transformed by a linear map and made orthonormal.
ObjectFrame carried(ObjectFrame frame, const Affine& map);

}  // namespace sulcus::registration
