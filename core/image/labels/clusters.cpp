#include "core/image/labels/clusters.h"

#include "core/image/display/shown_values.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <tuple>
#include <utility>

namespace sulcus {
namespace {

/// Finds the clusters of a volume one by one.
class ClusterFinder {
 public:
  ClusterFinder(VolumeView<const float> values, const Grid& grid, const Display& shown,
                const ClusterOptions& options)
      : values_(values), grid_(grid), options_(options), sign_(grid.voxels()), level_(grid.voxels()) {
    for (std::size_t i = 0; i < sign_.size(); ++i) {
      const double value = values_.data[i];
      sign_[i] = value > 0 ? 1 : -1;
      if (value == 0 || isHidden(shown, value)) sign_[i] = 0;
    }
  }

  std::vector<Cluster> find(const Progress& progress) {
    std::vector<Cluster> clusters;
    const double voxelVolume = std::abs(grid_.worldFromVoxel.determinant());
    for (std::size_t i = 0; i < sign_.size(); ++i) {
      if (i % 65536 == 0) progress.update(double(i) / double(sign_.size()));
      if (sign_[i] == 0 || taken(i)) continue;
      grow(i);
      const double volume = double(members_.size()) * voxelVolume;
      if (volume >= options_.leastVolume) clusters.push_back(cluster(volume));
    }
    std::stable_sort(clusters.begin(), clusters.end(),
                     [](const Cluster& a, const Cluster& b) { return a.voxels > b.voxels; });
    return clusters;
  }

 private:
  // A visited voxel has its sign doubled.
  bool taken(std::size_t i) const { return std::abs(sign_[i]) == 2; }

  template <class Use>
  void forEachNeighbor(std::size_t i, Connectivity connectivity, const Use& use) const {
    forNeighbors(grid_, grid_.voxel(std::int64_t(i)), connectivity,
                 [&](std::int64_t j) { use(std::size_t(j)); });
  }

  /// Collects all voxels connected to this one in members_.
  void grow(std::size_t seed) {
    const signed char sign = sign_[seed];
    members_ = {seed};
    sign_[seed] = 2 * sign;
    for (std::size_t next = 0; next < members_.size(); ++next)
      forEachNeighbor(members_[next], options_.connectivity, [&](std::size_t j) {
        if (sign_[j] != sign) return;
        sign_[j] = 2 * sign;
        members_.push_back(j);
      });
  }

  Cluster cluster(double volume) {
    Cluster cluster;
    cluster.voxels = std::int64_t(members_.size());
    cluster.volume = volume;
    Vec3<double> sum;
    for (const std::size_t i : members_) {
      const Vec3<int> at = grid_.voxel(std::int64_t(i));
      sum = sum + Vec3<double>{double(at.x), double(at.y), double(at.z)};
    }
    cluster.center = grid_.worldFromVoxel.point(1.0 / double(members_.size()) * sum);
    cluster.peaks = peaks();
    return cluster;
  }

  struct Summit {
    double height;       ///< distance from 0
    std::size_t voxels;  ///< connected voxels of that height
    std::size_t middle;  ///< the one of them nearest to the mean of their positions
  };

  double height(std::size_t i) const { return std::abs(double(values_.data[i])); }

  /// The plateau around a voxel of members_, each of which is visited once; nullopt if a neighbor is higher.
  std::optional<Summit> summitAt(std::size_t seed) {
    bool highest = true;
    std::vector<std::size_t> ground = {seed};
    level_[seed] = true;
    Vec3<double> sum;
    const auto placeOf = [this](std::size_t i) {
      const Vec3<int> at = grid_.voxel(std::int64_t(i));
      return Vec3<double>{double(at.x), double(at.y), double(at.z)};
    };
    for (std::size_t next = 0; next < ground.size(); ++next) {
      const std::size_t i = ground[next];
      sum = sum + placeOf(i);
      forEachNeighbor(i, Connectivity::corners, [&](std::size_t j) {
        if (sign_[j] != sign_[i]) return;
        if (height(j) > height(i)) highest = false;
        if (height(j) != height(i) || level_[j]) return;
        level_[j] = true;
        ground.push_back(j);
      });
    }
    if (!highest) return std::nullopt;
    const Vec3<double> mean = 1.0 / double(ground.size()) * sum;
    const auto away = [&](std::size_t i) { return std::pair(norm(placeOf(i) - mean), i); };
    const std::size_t middle = *std::ranges::min_element(ground, {}, away);
    return Summit{height(seed), ground.size(), middle};
  }

  std::vector<Peak> peaks() {
    std::vector<Summit> summits;
    for (const std::size_t i : members_)
      if (!level_[i])
        if (const auto summit = summitAt(i)) summits.push_back(*summit);
    std::ranges::sort(summits, std::greater(), [](const Summit& s) {
      return std::tuple(s.height, s.voxels, -std::int64_t(s.middle));
    });
    std::vector<Peak> peaks;
    for (const Summit& summit : summits) {
      if (int(peaks.size()) >= std::max(options_.peaks, 1)) break;
      const Vec3<int> voxel = grid_.voxel(std::int64_t(summit.middle));
      const Vec3<double> place = grid_.positionOf(voxel);
      const bool distant = std::all_of(peaks.begin(), peaks.end(), [&](const Peak& other) {
        return norm(other.place - place) > options_.peakDistance;
      });
      if (distant) peaks.push_back({values_.data[summit.middle], voxel, place});
    }
    return peaks;
  }

  VolumeView<const float> values_;
  const Grid& grid_;
  const ClusterOptions& options_;
  std::vector<signed char> sign_;
  std::vector<bool> level_;  ///< whether its plateau has been visited
  std::vector<std::size_t> members_;
};

}  // namespace

std::vector<Cluster> findClusters(VolumeView<const float> values, const Grid& grid, const Display& shown,
                                  const ClusterOptions& options, const Progress& progress) {
  return ClusterFinder(values, grid, shown, options).find(progress);
}

}  // namespace sulcus
