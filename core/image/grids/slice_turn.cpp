#include "core/image/grids/slice_turn.h"

#include <algorithm>
#include <cmath>

namespace sulcus {

SliceTurn turnedAbout(const SliceTurn& turn, const Vec3<double>& axis, double radians) {
  // Rodrigues' formula.
  const double c = std::cos(radians), s = std::sin(radians);
  SliceTurn turned;
  for (std::size_t i = 0; i < 3; ++i) {
    const Vec3<double>& v = turn.axes[i];
    turned.axes[i] = c * v + s * cross(axis, v) + ((1 - c) * dot(axis, v)) * axis;
  }
  return soundTurn(turned);  // otherwise rounding errors would accumulate
}

SliceTurn alongVoxels(const Grid& grid) {
  SliceTurn turn;
  std::array<Vec3<double>, 3> voxel;
  for (int i = 0; i < 3; ++i) voxel[i] = normalized(grid.worldFromVoxel.column(i));
  // Of the six assignments of names to axes, the one that rotates least.
  std::array<std::size_t, 3> names{0, 1, 2}, best = names;
  const auto agreement = [&](const auto& order) {
    return std::abs(voxel[order[0]].x) + std::abs(voxel[order[1]].y) + std::abs(voxel[order[2]].z);
  };
  while (std::next_permutation(names.begin(), names.end()))
    if (agreement(names) > agreement(best)) best = names;
  for (std::size_t i = 0; i < 3; ++i) {
    const Vec3<double>& axis = voxel[best[i]];
    turn.axes[i] = axis[int(i)] < 0 ? -axis : axis;
  }
  turn.axes[1] = cross(turn.axes[2], turn.axes[0]);  // never mirrored
  return soundTurn(turn);
}

SliceTurn soundTurn(const SliceTurn& turn) {
  const Vec3<double> z = normalized(turn.axes[2]);
  const Vec3<double> x = normalized(turn.axes[0] - dot(turn.axes[0], z) * z);
  const Vec3<double> y = cross(z, x);
  const bool isSound = std::isfinite(norm(x) + norm(z)) && dot(y, turn.axes[1]) > 0;
  return isSound ? SliceTurn{{x, y, z}} : SliceTurn();
}

}  // namespace sulcus
