#pragma once

#include "core/image/grid.h"

#include <array>

namespace sulcus {

/// The common rotation of the three planes of slices, which stay orthogonal, away from the axes of the
/// scanner.
struct SliceTurn {
  /// Normals of the sagittal, coronal and axial planes: orthonormal vectors in world axes (RAS+).
  std::array<Vec3<double>, 3> axes{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};

  /// Rotates a direction along with the planes.
  Vec3<double> of(const Vec3<double>& v) const { return v.x * axes[0] + v.y * axes[1] + v.z * axes[2]; }
  friend bool operator==(const SliceTurn&, const SliceTurn&) = default;
};
/// The planes rotated further about a unit vector in world axes, counterclockwise when it points at the
/// viewer.
SliceTurn turnedAbout(const SliceTurn& turn, const Vec3<double>& axis, double radians);
/// Planes along the voxels of an image with the smallest possible rotation; for sheared axes approximately.
SliceTurn alongVoxels(const Grid& grid);
/// The nearest orthonormal vectors to three normals; no rotation if there are none.
SliceTurn soundTurn(const SliceTurn& turn);

}  // namespace sulcus
