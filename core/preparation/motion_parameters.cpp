#include "core/preparation/motion_parameters.h"

#include <algorithm>
#include <cmath>

namespace sulcus::preparation {
namespace {

/// A rotation by `angle` about an axis.
Affine turnAbout(int axis, double angle) {
  Affine turn;
  const auto a = std::size_t((axis + 1) % 3), b = std::size_t((axis + 2) % 3);
  turn.m[a][a] = turn.m[b][b] = std::cos(angle);
  turn.m[a][b] = -std::sin(angle);
  turn.m[b][a] = std::sin(angle);
  return turn;
}

}  // namespace

Affine volumeFromRest(const Motion& motion, const Vec3<double>& center) {
  Affine map = turnAbout(0, motion.turn.x) * turnAbout(1, motion.turn.y) * turnAbout(2, motion.turn.z);
  map.t = motion.shift + center - map.vector(center);
  return map;
}

Motion motionOf(const Affine& map, const Vec3<double>& center) {
  const auto& m = map.m;
  return {map.point(center) - center,
          {std::atan2(-m[1][2], m[2][2]), std::asin(std::clamp(m[0][2], -1.0, 1.0)),
           std::atan2(-m[0][1], m[0][0])}};
}

Motion meanMotion(std::span<const Motion> motion) {
  const double share = 1 / double(motion.size());
  Motion mean;
  for (const Motion& one : motion) {
    mean.shift = mean.shift + share * one.shift;
    mean.turn = mean.turn + share * one.turn;
  }
  return mean;
}

std::vector<double> framewiseDisplacement(const std::vector<Motion>& motion) {
  std::vector<double> displacement(motion.size(), 0);
  for (std::size_t v = 1; v < motion.size(); ++v)
    for (int i = 0; i < 3; ++i)
      displacement[v] += std::abs(motion[v].shift[i] - motion[v - 1].shift[i]) +
                         kHeadRadius * std::abs(motion[v].turn[i] - motion[v - 1].turn[i]);
  return displacement;
}

double displacementOf(const Motion& motion) { return norm(motion.shift) + kHeadRadius * norm(motion.turn); }

}  // namespace sulcus::preparation
