#pragma once

#include "core/image/volume.h"
#include "core/math/statistics.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <vector>

namespace sulcus::test {

/// How well peaks represent the true fibers of some voxels.
struct CrossingScore {
  double right = 0;       ///< share of the voxels with as many peaks as fibers
  double falsePeaks = 0;  ///< a voxel: peaks farther than 20° from every fiber
  double error = 0;       ///< median of the angle between the worse fiber and its nearest peak, degrees
};

/// @param peaks, truth  unit directions × amplitude, 3 volumes each, NaN = none
inline CrossingScore scoreOf(const Series<float>& peaks, const Series<float>& truth, std::int64_t begin,
                             std::int64_t end) {
  const auto directions = [](const Series<float>& image, std::int64_t voxel) {
    std::vector<Vec3<double>> found;
    for (int p = 0; p + 2 < image.count; p += 3) {
      const Vec3<double> peak{image.at(voxel, p), image.at(voxel, p + 1), image.at(voxel, p + 2)};
      if (norm(peak) > 0) found.push_back(normalized(peak));
    }
    return found;
  };
  const auto nearest = [](const Vec3<double>& from, const std::vector<Vec3<double>>& among) {
    double degrees = 90;
    for (const auto& to : among)
      degrees = std::min(degrees,
                         std::atan2(norm(cross(from, to)), std::abs(dot(from, to))) * 180 / std::numbers::pi);
    return degrees;
  };
  CrossingScore score;
  std::vector<double> errors;
  const double voxels = double(end - begin);
  for (std::int64_t voxel = begin; voxel < end; ++voxel) {
    const auto found = directions(peaks, voxel), fibers = directions(truth, voxel);
    score.right += (found.size() == fibers.size()) / voxels;
    for (const auto& peak : found) score.falsePeaks += (nearest(peak, fibers) > 20) / voxels;
    double worst = 0;
    for (const auto& fiber : fibers) worst = std::max(worst, nearest(fiber, found));
    errors.push_back(worst);
  }
  score.error = upperMedian(errors);
  return score;
}

}  // namespace sulcus::test
