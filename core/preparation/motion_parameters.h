#pragma once

#include "core/math/affine.h"

#include <array>
#include <span>
#include <vector>

namespace sulcus::preparation {

/// The position of the head in a volume: it was first rotated about the x, y and z axes through the center of
/// the image, p → Rx Ry Rz p, and then shifted.
struct Motion {
  Vec3<double> shift{};  ///< mm, RAS+
  Vec3<double> turn{};   ///< radians, about these axes

  friend bool operator==(const Motion&, const Motion&) = default;
};

/// Radius of the head that converts rotations to distances, mm (Power et al., NeuroImage 59 (2012) 2142).
inline constexpr double kHeadRadius = 50;

/// A framewise displacement above this counts as large, mm.
inline constexpr double kHighDisplacement = 0.5;

/// Maps a point of the head at rest to its position in the volume, mm, RAS+.
Affine volumeFromRest(const Motion& motion, const Vec3<double>& center);
Motion motionOf(const Affine& volumeFromRest, const Vec3<double>& center);
Motion meanMotion(std::span<const Motion> motion);

/// The framewise displacement of Power et al. (2012): the sum of the changes of all shifts and rotations
/// since the previous volume, mm; 0 for the first one.
std::vector<double> framewiseDisplacement(const std::vector<Motion>& motion);

/// The largest displacement of a point at kHeadRadius from the center, mm.
double displacementOf(const Motion& motion);

}  // namespace sulcus::preparation
