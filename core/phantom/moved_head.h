#pragma once

#include "core/base/progress.h"
#include "core/image/volume.h"
#include "core/preparation/motion_parameters.h"

#include <cstdint>
#include <vector>

namespace sulcus::phantom {

/// A functional scan of a head that moves as it is told: each value is the mean of a formula over the voxel,
/// so that nothing was interpolated.
struct MovedHead {
  Vec3<int> size{40, 48, 24};
  Vec3<double> spacing{4.2, 4.2, 5};  ///< mm
  double noise = 0;                   ///< s.d., in percent of the head's brightness
  double activation = 0;              ///< in percent, in two spots, in volumes of which `active` is not 0
  double radius = 15;                 ///< of the spots, mm
  std::vector<double> active = {};
  std::uint64_t seed = 1;
  Vec3<double> headShift{};  ///< of the head at rest from the middle of the view, mm
  bool functional = false;   ///< the contrast is that of a functional scan: fluid bright, scalp dim

  Grid grid() const;

  /// The head at a point, mm, by a formula.
  double at(const Vec3<double>& p, double activity) const;

  /// A volume for each of these positions of the head.
  Series<float> scan(const std::vector<preparation::Motion>& motion, const Progress& progress = {}) const;
};

/// A random walk from rest that leads at most so many mm away, and about as many degrees.
std::vector<preparation::Motion> walkOf(int volumes, double mm, std::uint64_t seed);

}  // namespace sulcus::phantom
