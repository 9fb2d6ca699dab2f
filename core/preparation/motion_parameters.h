#pragma once

#include "core/math/affine.h"

#include <array>
#include <vector>

namespace sulcus::preparation {

/// How the head lies in a volume: it was first turned about the x, y and z axes through the center of the
/// image, p → Rx Ry Rz p, and then shifted.
struct Motion {
  Vec3<double> shift{};  ///< mm, RAS+
  Vec3<double> turn{};   ///< radians, about these axes

  friend bool operator==(const Motion&, const Motion&) = default;
};

/// Radius of the head by which turns become distances, mm (Power et al., NeuroImage 59 (2012) 2142).
inline constexpr double kHeadRadius = 50;

/// A framewise displacement above this is called large, mm.
inline constexpr double kHighDisplacement = 0.5;

/// Where a point of the head at rest lies in the volume, mm, RAS+.
Affine volumeFromRest(const Motion& motion, const Vec3<double>& center);
Motion motionOf(const Affine& volumeFromRest, const Vec3<double>& center);

/// The framewise displacement of Power et al. (2012): the sum of the changes of all shifts and turns since
/// the volume before, mm; 0 for the first one.
std::vector<double> framewiseDisplacement(const std::vector<Motion>& motion);

/// How far a point at kHeadRadius from the center may be from where it would be at rest, mm, at most.
double displacementOf(const Motion& motion);

}  // namespace sulcus::preparation
