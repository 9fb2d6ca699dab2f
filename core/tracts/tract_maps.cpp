#include "core/tracts/tract_maps.h"

#include "core/base/parallel/parallel_for.h"
#include "core/tracts/tract_report.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <unordered_map>

namespace sulcus::tracts {
namespace {

Vec3<double> inVoxels(const Affine& voxelFromWorld, const Vec3<float>& p) {
  return voxelFromWorld.point({p.x, p.y, p.z});
}

/// The voxel that holds a position in voxels; false outside of the grid or where it is no number.
bool voxelOf(const Grid& grid, const Vec3<double>& p, Vec3<int>& voxel) {
  for (int axis = 0; axis < 3; ++axis) {
    const double at = std::floor(p[axis] + 0.5);
    if (!(at >= 0 && at < grid.size[axis])) return false;
    voxel[axis] = int(at);
  }
  return true;
}

/// Calls visit(index) for each voxel of the grid that the segment from a to b crosses, in voxels.
template <class Visit>
void crossedVoxels(const Grid& grid, const Vec3<double>& a, const Vec3<double>& b, const Visit& visit) {
  // The part of the segment in the grid, 0…1.
  const Vec3<double> way = b - a;
  double from = 0, to = 1;
  for (int axis = 0; axis < 3; ++axis) {
    const double low = -0.5 - a[axis], high = grid.size[axis] - 0.5 - a[axis];
    if (way[axis] == 0) {
      if (!(low <= 0 && high > 0)) return;
      continue;
    }
    const double enter = (way[axis] > 0 ? low : high) / way[axis],
                 leave = (way[axis] > 0 ? high : low) / way[axis];
    from = std::max(from, enter);
    to = std::min(to, leave);
  }
  if (!(from <= to)) return;
  Vec3<int> voxel;
  Vec3<double> next{}, perVoxel{};
  for (int axis = 0; axis < 3; ++axis) {
    voxel[axis] = std::clamp(int(std::floor(a[axis] + from * way[axis] + 0.5)), 0, grid.size[axis] - 1);
    const double border = voxel[axis] + (way[axis] > 0 ? 0.5 : -0.5);
    next[axis] = way[axis] == 0 ? std::numeric_limits<double>::infinity() : (border - a[axis]) / way[axis];
    perVoxel[axis] = way[axis] == 0 ? 0 : 1 / std::abs(way[axis]);
  }
  while (true) {
    visit(grid.index(voxel.x, voxel.y, voxel.z));
    const int axis = next.x < next.y ? (next.x < next.z ? 0 : 2) : (next.y < next.z ? 1 : 2);
    if (!(next[axis] < to)) return;
    voxel[axis] += way[axis] > 0 ? 1 : -1;
    if (voxel[axis] < 0 || voxel[axis] >= grid.size[axis]) return;
    next[axis] += perVoxel[axis];
  }
}

Volume<float> asMap(const Grid& grid, const std::vector<std::uint32_t>& counts) {
  Volume<float> map(grid);
  std::copy(counts.begin(), counts.end(), map.values.begin());
  return map;
}

void increase(std::uint32_t& count) {
  std::atomic_ref<std::uint32_t>(count).fetch_add(1, std::memory_order_relaxed);
}

/// Voxels around one, the nearest first, up to a distance in mm between their centers.
struct Step {
  Vec3<int> by;
  double distance;
};
std::vector<Step> stepsWithin(const Grid& grid, double radius) {
  const Vec3<double> spacing = grid.spacing();
  Vec3<int> reach;
  for (int axis = 0; axis < 3; ++axis) reach[axis] = int(std::ceil(radius / spacing[axis])) + 1;
  std::vector<Step> steps;
  for (int z = -reach.z; z <= reach.z; ++z)
    for (int y = -reach.y; y <= reach.y; ++y)
      for (int x = -reach.x; x <= reach.x; ++x) {
        const double distance = norm(grid.worldFromVoxel.vector({double(x), double(y), double(z)}));
        if (distance <= radius + norm(spacing)) steps.push_back({{x, y, z}, distance});
      }
  std::stable_sort(steps.begin(), steps.end(),
                   [](const Step& a, const Step& b) { return a.distance < b.distance; });
  return steps;
}

/// Finds the label of an end.
class EndSearch {
 public:
  EndSearch(const Volume<Label>& labels, double radius)
      : labels_(labels),
        voxelFromWorld_(labels.grid.worldFromVoxel.inverse()),
        steps_(stepsWithin(labels.grid, radius)),
        radius_(radius),
        halfVoxel_(0.5 * norm(labels.grid.spacing())) {}

  Label at(const Vec3<float>& end) const {
    const Grid& grid = labels_.grid;
    const Vec3<double> p = inVoxels(voxelFromWorld_, end);
    Vec3<int> own;
    if (voxelOf(grid, p, own)) {
      if (const Label label = labels_(own.x, own.y, own.z)) return label;
    } else {
      for (int axis = 0; axis < 3; ++axis) {
        if (!(std::abs(p[axis]) < 1e6)) return 0;
        own[axis] = int(std::floor(p[axis] + 0.5));
      }
    }
    Label nearest = 0;
    double best = radius_;
    for (const Step& step : steps_) {
      if (step.distance > best + halfVoxel_) break;
      const Vec3<int> v = own + step.by;
      if (!grid.contains(v.x, v.y, v.z)) continue;
      const Label label = labels_(v.x, v.y, v.z);
      if (label == 0) continue;
      const double distance = norm(grid.worldFromVoxel.vector({v.x - p.x, v.y - p.y, v.z - p.z}));
      if (distance < best || (nearest == 0 && distance <= best)) best = distance, nearest = label;
    }
    return nearest;
  }

 private:
  const Volume<Label>& labels_;
  Affine voxelFromWorld_;
  std::vector<Step> steps_;
  double radius_, halfVoxel_;
};

}  // namespace

Volume<float> densityMap(const Tracts& tracts, const Grid& grid, const Progress& progress) {
  std::vector<std::uint32_t> counts(std::size_t(grid.voxels()));
  const Affine voxelFromWorld = grid.worldFromVoxel.inverse();
  parallelForBlocks(std::int64_t(tracts.lines()), 256, progress, [&](std::int64_t begin, std::int64_t end) {
    std::vector<std::int64_t> crossed;
    for (std::int64_t i = begin; i < end; ++i) {
      const auto points = tracts.line(std::size_t(i));
      crossed.clear();
      for (std::size_t n = 1; n < points.size(); ++n)
        crossedVoxels(grid, inVoxels(voxelFromWorld, points[n - 1]), inVoxels(voxelFromWorld, points[n]),
                      [&](std::int64_t voxel) {
                        if (crossed.empty() || crossed.back() != voxel) crossed.push_back(voxel);
                      });
      std::sort(crossed.begin(), crossed.end());
      crossed.erase(std::unique(crossed.begin(), crossed.end()), crossed.end());
      for (const auto voxel : crossed) increase(counts[std::size_t(voxel)]);
    }
  });
  return asMap(grid, counts);
}

Volume<float> endMap(const Tracts& tracts, const Grid& grid, const Progress& progress) {
  std::vector<std::uint32_t> counts(std::size_t(grid.voxels()));
  const Affine voxelFromWorld = grid.worldFromVoxel.inverse();
  parallelFor(std::int64_t(tracts.lines()), progress, [&](std::int64_t i) {
    const auto points = tracts.line(std::size_t(i));
    if (points.empty()) return;
    for (const Vec3<float>& end : {points.front(), points.back()})
      if (Vec3<int> v; voxelOf(grid, inVoxels(voxelFromWorld, end), v))
        increase(counts[std::size_t(grid.index(v.x, v.y, v.z))]);
  });
  return asMap(grid, counts);
}

Connectome connectomeOf(const Tracts& tracts, const Volume<Label>& labels, double radius,
                        const Progress& progress) {
  Connectome result;
  std::unordered_map<Label, std::int32_t> placeOf;
  for (Label last = 0; const Label label : labels.values)
    if (label != 0 && label != last) placeOf.emplace(label, 0), last = label;
  for (const auto& [label, place] : placeOf) result.labels.push_back(label);
  std::sort(result.labels.begin(), result.labels.end());
  for (std::size_t n = 0; n < result.labels.size(); ++n) placeOf[result.labels[n]] = std::int32_t(n);
  const std::size_t cells = result.labels.size() * result.labels.size();
  result.count.resize(cells), result.meanLength.resize(cells);
  result.pairOf.resize(tracts.lines());
  const EndSearch search(labels, radius);
  std::vector<double> lengths(tracts.lines());
  const auto placed = [&](const Vec3<float>& end) {
    const Label label = search.at(end);
    return label == 0 ? -1 : placeOf.find(label)->second;
  };
  parallelFor(std::int64_t(tracts.lines()), progress, [&](std::int64_t i) {
    const auto points = tracts.line(std::size_t(i));
    auto& pair = result.pairOf[std::size_t(i)];
    pair = {-1, -1};
    if (points.empty()) return;
    pair = std::minmax(placed(points.front()), placed(points.back()));
    lengths[std::size_t(i)] = lengthOf(tracts, std::size_t(i));
  });
  for (std::size_t i = 0; i < tracts.lines(); ++i) {
    const auto [a, b] = result.pairOf[i];
    if (a < 0) {
      ++result.unassigned;
      continue;
    }
    for (const std::size_t cell :
         {result.index(std::size_t(a), std::size_t(b)), result.index(std::size_t(b), std::size_t(a))}) {
      result.count[cell] += 1;
      result.meanLength[cell] += lengths[i];
      if (a == b) break;
    }
  }
  for (std::size_t cell = 0; cell < cells; ++cell)
    if (result.count[cell] > 0) result.meanLength[cell] /= result.count[cell];
  return result;
}

}  // namespace sulcus::tracts
