#include "core/tracts/tract_maps.h"

#include "core/base/parallel/parallel_for.h"
#include "core/image/grids/interpolate.h"
#include "core/image/tracts/crossed_voxels.h"
#include "core/tracts/tract_report.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <functional>
#include <limits>
#include <unordered_map>

namespace sulcus::tracts {
namespace {

/// The voxel that holds a position in voxels; false outside the grid or if it is not a number.
bool voxelOf(const Grid& grid, const Vec3<double>& p, Vec3<int>& voxel) {
  for (int axis = 0; axis < 3; ++axis) {
    const double at = std::floor(p[axis] + 0.5);
    if (!(at >= 0 && at < grid.size[axis])) return false;
    voxel[axis] = int(at);
  }
  return true;
}

Volume<float> asMap(const Grid& grid, const std::vector<std::uint32_t>& counts) {
  Volume<float> map(grid);
  std::copy(counts.begin(), counts.end(), map.values.begin());
  return map;
}

void increase(std::uint32_t& count) {
  std::atomic_ref<std::uint32_t>(count).fetch_add(1, std::memory_order_relaxed);
}

/// Voxels around a voxel, the nearest first, up to a distance in mm between their centers.
struct Step {
  Vec3<int> by;
  std::int64_t offset;  ///< of the index of the voxel
  double distance;
};
/// How many voxels a distance in mm reaches at most, along each axis.
Vec3<int> reachOf(const Grid& grid, double radius) {
  Vec3<int> reach;
  for (int axis = 0; axis < 3; ++axis) reach[axis] = int(std::ceil(radius / grid.spacing()[axis])) + 1;
  return reach;
}
std::vector<Step> stepsWithin(const Grid& grid, double radius) {
  const Vec3<double> spacing = grid.spacing();
  const Vec3<int> reach = reachOf(grid, radius);
  std::vector<Step> steps;
  for (int z = -reach.z; z <= reach.z; ++z)
    for (int y = -reach.y; y <= reach.y; ++y)
      for (int x = -reach.x; x <= reach.x; ++x) {
        const double distance = norm(grid.worldFromVoxel.vector({double(x), double(y), double(z)}));
        if (distance <= radius + norm(spacing)) steps.push_back({{x, y, z}, grid.index(x, y, z), distance});
      }
  std::stable_sort(steps.begin(), steps.end(),
                   [](const Step& a, const Step& b) { return a.distance < b.distance; });
  return steps;
}

/// Finds the region of the end of a line.
class EndSearch {
 public:
  /// @param regions  the number of the region of each voxel; kNone: none
  EndSearch(const Grid& grid, std::vector<std::int32_t> regions, double radius)
      : grid_(grid),
        regions_(std::move(regions)),
        voxelFromWorld_(grid.worldFromVoxel.inverse()),
        reach_(reachOf(grid, radius)),
        steps_(stepsWithin(grid, radius)),
        radius_(radius),
        halfVoxel_(0.5 * norm(grid.spacing())) {}

  static constexpr std::int32_t kNone = -1;

  std::int32_t at(const Vec3<float>& end) const {
    const Vec3<double> p = inVoxels(voxelFromWorld_, end);
    if (!(std::abs(p.x) < 1e6 && std::abs(p.y) < 1e6 && std::abs(p.z) < 1e6)) return kNone;
    const Vec3<int> own{nearestInteger(p.x), nearestInteger(p.y), nearestInteger(p.z)};
    if (isInGrid(own))
      if (const auto region = regions_[grid_.index(own.x, own.y, own.z)]; region != kNone) return region;
    const bool isAmid = isInGrid(own - reach_) && isInGrid(own + reach_);  // all that is in reach is in it
    const std::int64_t index = grid_.index(own.x, own.y, own.z);
    std::int32_t nearest = kNone;
    double best = radius_;
    for (const Step& step : steps_) {
      if (step.distance > best + halfVoxel_) break;
      const Vec3<int> v = own + step.by;
      const std::int32_t region = isAmid || isInGrid(v) ? regions_[index + step.offset] : kNone;
      if (region == kNone) continue;
      const double distance = norm(grid_.worldFromVoxel.vector({v.x - p.x, v.y - p.y, v.z - p.z}));
      if (distance < best || (nearest == kNone && distance <= best)) best = distance, nearest = region;
    }
    return nearest;
  }

 private:
  static int nearestInteger(double x) { return int(std::floor(x + 0.5)); }
  bool isInGrid(const Vec3<int>& v) const { return grid_.contains(v.x, v.y, v.z); }

  Grid grid_;
  std::vector<std::int32_t> regions_;
  Affine voxelFromWorld_;
  Vec3<int> reach_;
  std::vector<Step> steps_;
  double radius_, halfVoxel_;
};

}  // namespace

Volume<float> meanOf(const DensityCounter& sums, const DensityCounter& lines) {
  Volume<float> map = sums.map();
  const Volume<float> counts = lines.map();
  for (std::size_t v = 0; v < map.values.size(); ++v)
    map.values[v] = counts.values[v] > 0 ? map.values[v] / counts.values[v] : 0;
  return map;
}

void MeanCounter::add(const Tracts& tracts, std::span<const float> values, const Progress& progress) {
  std::vector<float> held(values.size()), counted(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!std::isfinite(values[i])) continue;
    held[i] = values[i];
    counted[i] = 1;
  }
  const DensityCounter::Addition both[] = {{&sums_, held}, {&lines_, counted}};
  DensityCounter::addAll(tracts, both, progress);
}

std::vector<float> lengthsOf(const Tracts& tracts, const Progress& progress) {
  std::vector<float> lengths(tracts.lines());
  parallelFor(std::int64_t(tracts.lines()), progress,
              [&](std::int64_t i) { lengths[i] = float(lengthOf(tracts, std::size_t(i))); });
  return lengths;
}

std::vector<float> meansAlong(const Tracts& tracts, const Volume<float>& image, const Progress& progress) {
  const Affine voxelFromWorld = image.grid.worldFromVoxel.inverse();
  std::vector<float> means(tracts.lines(), std::numeric_limits<float>::quiet_NaN());
  parallelFor(std::int64_t(tracts.lines()), progress, [&](std::int64_t i) {
    const auto points = tracts.line(i);
    double sum = 0, whole = 0;
    for (std::size_t n = 0; n < points.size(); ++n) {
      const Vec3<double> at = inVoxels(voxelFromWorld, points[n]);
      if (!isInImage(image.grid.size, at)) continue;
      const double value =
          interpolated<double>(image.values.data(), cellAt(image.grid.size, at.x, at.y, at.z));
      if (!std::isfinite(value)) continue;
      // Half of the path to each neighbor; a line of one point has no length.
      double way = points.size() == 1 ? 1 : 0;
      if (n > 0) way += 0.5 * double(norm(points[n] - points[n - 1]));
      if (n + 1 < points.size()) way += 0.5 * double(norm(points[n + 1] - points[n]));
      sum += way * value;
      whole += way;
    }
    if (whole > 0) means[i] = float(sum / whole);
  });
  return means;
}

void EndCounter::add(const Tracts& tracts, const Progress& progress) {
  const Affine voxelFromWorld = grid_.worldFromVoxel.inverse();
  parallelFor(std::int64_t(tracts.lines()), progress, [&](std::int64_t i) {
    const auto points = tracts.line(i);
    if (points.empty()) return;
    for (const Vec3<float>& end : {points.front(), points.back()})
      if (Vec3<int> v; voxelOf(grid_, inVoxels(voxelFromWorld, end), v))
        increase(counts_[grid_.index(v.x, v.y, v.z)]);
  });
}

Volume<float> EndCounter::map() const { return asMap(grid_, counts_); }

struct ConnectomeCounter::State {
  std::function<std::int32_t(const Vec3<float>&)> regionOf;  ///< of an end; kNone
  Connectome sums;                                           ///< meanLength: the sum of the lengths, so far
};

ConnectomeCounter::ConnectomeCounter(const Volume<Label>& labels, double radius)
    : state_(std::make_unique<State>()) {
  Connectome& sums = state_->sums;
  std::unordered_map<Label, std::int32_t> placeOf{{0, EndSearch::kNone}};
  for (Label last = 0; const Label label : labels.values)
    if (label != last) placeOf.emplace(label, 0), last = label;
  for (const auto& [label, place] : placeOf)
    if (label != 0) sums.labels.push_back(label);
  std::sort(sums.labels.begin(), sums.labels.end());
  for (std::size_t n = 0; n < sums.labels.size(); ++n) placeOf[sums.labels[n]] = std::int32_t(n);
  std::vector<std::int32_t> regions(labels.values.size());
  Label last = 0;
  std::int32_t place = EndSearch::kNone;
  std::ranges::transform(labels.values, regions.begin(), [&](Label label) {
    if (label != last) place = placeOf.find(label)->second, last = label;
    return place;
  });
  state_->regionOf = [search = EndSearch(labels.grid, std::move(regions), radius)](const Vec3<float>& end) {
    return search.at(end);
  };
  const std::size_t cells = sums.labels.size() * sums.labels.size();
  sums.count.resize(cells), sums.weight.resize(cells), sums.meanLength.resize(cells);
}

ConnectomeCounter::~ConnectomeCounter() = default;

void ConnectomeCounter::add(const Tracts& tracts, std::span<const float> weights, const Progress& progress) {
  Connectome& sums = state_->sums;
  const std::size_t before = sums.pairOf.size();
  sums.pairOf.resize(before + tracts.lines(), {-1, -1});
  std::vector<double> lengths(tracts.lines());
  parallelFor(std::int64_t(tracts.lines()), progress, [&](std::int64_t i) {
    const auto points = tracts.line(i);
    if (points.empty()) return;
    sums.pairOf[before + std::size_t(i)] =
        std::minmax(state_->regionOf(points.front()), state_->regionOf(points.back()));
    lengths[i] = lengthOf(tracts, std::size_t(i));
  });
  for (std::size_t i = 0; i < tracts.lines(); ++i) {
    const auto [a, b] = sums.pairOf[before + i];
    if (a < 0) {
      ++sums.unassigned;
      continue;
    }
    for (const std::size_t cell :
         {sums.index(std::size_t(a), std::size_t(b)), sums.index(std::size_t(b), std::size_t(a))}) {
      sums.count[cell] += 1;
      sums.weight[cell] += weights.empty() ? 1 : double(weights[i]);
      sums.meanLength[cell] += lengths[i];
      if (a == b) break;
    }
  }
}

Connectome ConnectomeCounter::found() const {
  Connectome result = state_->sums;
  for (std::size_t cell = 0; cell < result.count.size(); ++cell)
    if (result.count[cell] > 0) result.meanLength[cell] /= result.count[cell];
  return result;
}

Connectome connectomeOf(const Tracts& tracts, const Volume<Label>& labels, double radius,
                        const Progress& progress) {
  ConnectomeCounter counter(labels, radius);
  counter.add(tracts, {}, progress);
  return counter.found();
}

}  // namespace sulcus::tracts
