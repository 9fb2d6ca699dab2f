#pragma once

#include "core/image/grid.h"

#include <array>

namespace sulcus {

/// How the three planes of slices, which stay at right angles, are turned together away from the axes of the
/// scanner.
struct SliceTurn {
  /// Normals of the sagittal, coronal and axial planes: unit vectors at right angles in world axes (RAS+).
  std::array<Vec3<double>, 3> axes{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};

  /// A direction relative to the scanner as it is relative to the planes.
  Vec3<double> of(const Vec3<double>& v) const { return v.x * axes[0] + v.y * axes[1] + v.z * axes[2]; }
  friend bool operator==(const SliceTurn&, const SliceTurn&) = default;
};
/// The planes turned once more about a unit vector in world axes, counterclockwise seen against it.
SliceTurn turnedAbout(const SliceTurn& turn, const Vec3<double>& axis, double radians);
/// Along the voxels of an image, turned as little as that takes; along sheared ones nearly.
SliceTurn alongVoxels(const Grid& grid);
/// The nearest unit vectors at right angles to three normals; no turn where there are none.
SliceTurn soundTurn(const SliceTurn& turn);

}  // namespace sulcus
