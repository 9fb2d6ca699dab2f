#include "core/image/tracts/line_density.h"

#include "core/base/parallel/parallel_for.h"
#include "core/image/tracts/crossed_voxels.h"
#include "core/image/tracts/tract_measures.h"

#include <algorithm>
#include <atomic>
#include <cmath>

namespace sulcus {
namespace {

constexpr std::int64_t kUnitsOfLine = 1 << 20;

/// Voxels around the points of both.
Grid gridAround(const Tracts& a, const Tracts& b) {
  constexpr double kUsualEdge = 2, kMostVoxels = 5e7;
  std::array<Vec3<float>, 2> bounds = boundsOf(a.points.empty() ? b : a);
  if (!a.points.empty() && !b.points.empty()) {
    const auto others = boundsOf(b);
    for (int axis = 0; axis < 3; ++axis) {
      bounds[0][axis] = std::min(bounds[0][axis], others[0][axis]);
      bounds[1][axis] = std::max(bounds[1][axis], others[1][axis]);
    }
  }
  Grid grid;
  for (double edge = kUsualEdge;; edge *= 1.25) {
    double voxels = 1;
    for (int axis = 0; axis < 3; ++axis) {
      const double count = 1 + std::ceil(double(bounds[1][axis] - bounds[0][axis]) / edge);
      voxels *= count;
      grid.size[axis] = int(std::min(count, 1e9));
      grid.worldFromVoxel.m[axis][axis] = edge;
      grid.worldFromVoxel.t[axis] = double(bounds[0][axis]);
    }
    if (voxels <= kMostVoxels) return grid;
  }
}

/// The voxels that a line crosses, each once, ascending.
void findCrossed(const Grid& grid, const Affine& voxelFromWorld, std::span<const Vec3<float>> line,
                 std::vector<std::int64_t>& crossed) {
  crossed.clear();
  if (line.empty()) return;
  Vec3<double> from = inVoxels(voxelFromWorld, line.front());
  for (const Vec3<float>& point : line.subspan(1)) {
    const Vec3<double> to = inVoxels(voxelFromWorld, point);
    crossedVoxels(grid, from, to, [&](std::int64_t voxel, double) {
      if (crossed.empty() || crossed.back() != voxel) crossed.push_back(voxel);
    });
    from = to;
  }
  std::sort(crossed.begin(), crossed.end());
  crossed.erase(std::unique(crossed.begin(), crossed.end()), crossed.end());
}

}  // namespace

void DensityCounter::add(const Tracts& tracts, std::span<const float> weights, const Progress& progress) {
  const Addition only{this, weights};
  addAll(tracts, std::span(&only, 1), progress);
}

void DensityCounter::addAll(const Tracts& tracts, std::span<const Addition> additions,
                            const Progress& progress) {
  if (additions.empty()) return;
  const Grid& grid = additions.front().to->grid_;
  const Affine voxelFromWorld = grid.worldFromVoxel.inverse();
  parallelForBlocks(std::int64_t(tracts.lines()), 256, progress, [&](std::int64_t begin, std::int64_t end) {
    std::vector<std::int64_t> crossed;
    for (std::int64_t i = begin; i < end; ++i) {
      findCrossed(grid, voxelFromWorld, tracts.line(i), crossed);
      for (const auto& [counter, weights] : additions) {
        const double weight = weights.empty() ? 1 : double(weights[i]);
        const auto amount = std::int64_t(double(kUnitsOfLine) * weight);
        for (const auto voxel : crossed)
          std::atomic_ref(counter->sums_[voxel]).fetch_add(amount, std::memory_order_relaxed);
      }
    }
  });
}

Volume<float> DensityCounter::map() const {
  Volume<float> map(grid_);
  std::ranges::transform(sums_, map.values.begin(),
                         [](std::int64_t sum) { return float(double(sum) / double(kUnitsOfLine)); });
  return map;
}

std::array<Volume<float>, 2> densitiesOf(const Tracts& a, const Grid* scanA, const Tracts& b,
                                         const Grid* scanB, const Progress& progress) {
  const Grid grid = scanA && scanB && sameGrid(*scanA, *scanB) ? *scanA : gridAround(a, b);
  DensityCounter densityA(grid), densityB(grid);
  densityA.add(a, {}, progress.part(0, 0.5, "Density"));
  densityB.add(b, {}, progress.part(0.5, 1, "Density"));
  return {densityA.map(), densityB.map()};
}

}  // namespace sulcus
