#include "core/image/tracts/tract_measures.h"

#include "core/base/parallel/parallel_for.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>
#include <numeric>

namespace sulcus {
namespace {

constexpr std::int64_t kPointsTogether = 1 << 16, kLinesTogether = 1 << 12;

template <class LineAt>
TractSummary summaryOfLines(const Tracts& tracts, std::size_t count, const LineAt& lineAt) {
  TractSummary summary;
  summary.lines = count;
  if (count == 0) return summary;
  std::vector<double> lengths(count);
  parallelFor(std::int64_t(count), kLinesTogether, {},
              [&](std::int64_t i) { lengths[i] = lengthOf(tracts.line(lineAt(i))); });
  const auto [low, high] = std::ranges::minmax_element(lengths);
  summary.shortest = *low;
  summary.longest = *high;
  summary.meanLength = std::accumulate(lengths.begin(), lengths.end(), 0.0) / double(count);
  return summary;
}

}  // namespace

double lengthOf(std::span<const Vec3<float>> line) {
  double length = 0;
  for (std::size_t i = 1; i < line.size(); ++i) length += norm(line[i] - line[i - 1]);
  return length;
}

TractSummary summaryOf(const Tracts& tracts) {
  return summaryOfLines(tracts, tracts.lines(), [](std::size_t i) { return i; });
}

TractSummary summaryOf(const Tracts& tracts, std::span<const std::uint32_t> lines) {
  return summaryOfLines(tracts, lines.size(), [&](std::size_t i) { return lines[i]; });
}

double volumeOf(const Tracts& tracts, std::span<const std::uint32_t> lines, double edge) {
  Vec3<float> low{1e9f, 1e9f, 1e9f}, high = -1.0f * low;
  for (const std::uint32_t line : lines)
    for (const auto& p : tracts.line(line))
      for (int axis = 0; axis < 3; ++axis)
        low[axis] = std::min(low[axis], p[axis]), high[axis] = std::max(high[axis], p[axis]);
  if (!(low.x <= high.x)) return 0;
  // Cubes in the bounding box of the lines, larger ones if there would be too many.
  const auto count = [&](int axis) {
    return std::int64_t((double(high[axis]) - double(low[axis])) / edge) + 1;
  };
  constexpr double kMostCubes = 4e9;
  while (double(count(0)) * double(count(1)) * double(count(2)) > kMostCubes) edge *= 2;
  const std::int64_t nx = count(0), ny = count(1), nz = count(2);
  std::vector<bool> seen(nx * ny * nz);
  std::int64_t cubes = 0;
  for (const std::uint32_t line : lines)
    for (const auto& p : tracts.line(line)) {
      const auto at = [&](int axis) { return std::int64_t((double(p[axis]) - double(low[axis])) / edge); };
      const auto cube = std::size_t(at(0) + nx * (at(1) + ny * at(2)));
      cubes += !seen[cube];
      seen[cube] = true;
    }
  return double(cubes) * edge * edge * edge;
}

std::array<Vec3<float>, 2> boundsOf(const Tracts& tracts) {
  if (tracts.points.empty()) return {};
  Vec3<float> low = tracts.points[0], high = low;
  std::mutex guard;
  parallelForBlocks(std::ssize(tracts.points), kPointsTogether, {},
                    [&](std::int64_t begin, std::int64_t end) {
                      Vec3<float> l = tracts.points[begin], h = l;
                      for (std::int64_t i = begin; i < end; ++i)
                        for (int axis = 0; axis < 3; ++axis) {
                          const float x = tracts.points[i][axis];
                          l[axis] = std::min(l[axis], x);
                          h[axis] = std::max(h[axis], x);
                        }
                      const std::scoped_lock lock(guard);
                      for (int axis = 0; axis < 3; ++axis)
                        low[axis] = std::min(low[axis], l[axis]), high[axis] = std::max(high[axis], h[axis]);
                    });
  return {low, high};
}

Outside outsideOf(const Tracts& tracts, const Grid& grid) {
  if (tracts.points.empty() || grid.voxels() == 0) return {};
  const Affine voxelFromWorld = grid.worldFromVoxel.inverse();
  const Vec3<double> spacing = grid.spacing();
  std::atomic<std::int64_t> outside = 0;
  std::mutex guard;
  double farthest = 0;
  parallelForBlocks(
      std::ssize(tracts.points), kPointsTogether, {}, [&](std::int64_t begin, std::int64_t end) {
        std::int64_t count = 0;
        double far = 0;
        for (std::int64_t i = begin; i < end; ++i) {
          const auto& p = tracts.points[i];
          const Vec3<double> voxel = voxelFromWorld.point({p.x, p.y, p.z});
          Vec3<double> beyond;
          for (int axis = 0; axis < 3; ++axis)
            beyond[axis] =
                std::max({-0.5 - voxel[axis], voxel[axis] - (grid.size[axis] - 0.5), 0.0}) * spacing[axis];
          const double distance = norm(beyond);
          count += distance > 1e-3;
          far = std::max(far, distance);
        }
        outside += count;
        const std::scoped_lock lock(guard);
        farthest = std::max(farthest, far);
      });
  if (outside == 0) return {};
  return {double(outside) / double(tracts.points.size()), farthest};
}

Tracts linesOf(const Tracts& tracts, std::span<const std::uint32_t> lines) {
  Tracts some;
  some.first.reserve(lines.size() + 1);
  for (const std::uint32_t line : lines)
    some.first.push_back(some.first.back() + tracts.first[line + 1] - tracts.first[line]);
  some.points.reserve(some.first.back());
  for (const std::uint32_t line : lines) {
    const auto points = tracts.line(line);
    some.points.insert(some.points.end(), points.begin(), points.end());
  }
  const auto take = [&](const Tracts::Data& data, bool ofPoints) {
    Tracts::Data taken{data.name, data.components, {}};
    const auto n = std::size_t(data.components);
    taken.values.reserve(n * (ofPoints ? some.points.size() : lines.size()));
    for (const std::uint32_t line : lines) {
      const std::size_t begin = ofPoints ? tracts.first[line] : line;
      const std::size_t end = ofPoints ? tracts.first[line + 1] : line + 1;
      taken.values.insert(taken.values.end(), data.values.begin() + std::ptrdiff_t(n * begin),
                          data.values.begin() + std::ptrdiff_t(n * end));
    }
    return taken;
  };
  for (const auto& data : tracts.perLine) some.perLine.push_back(take(data, false));
  for (const auto& data : tracts.perPoint) some.perPoint.push_back(take(data, true));
  return some;
}

}  // namespace sulcus
