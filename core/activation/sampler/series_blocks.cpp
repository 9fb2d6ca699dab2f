#include "core/activation/sampler/series_blocks.h"

#include "core/base/parallel/parallel_for.h"
#include "core/base/platform/memory/host_memory.h"
#include "core/base/platform/memory/scratch_memory.h"

#include <algorithm>
#include <numeric>
#include <span>

namespace sulcus::activation {
namespace {

constexpr const char* kStage = "Least squares";

using Voxels = std::span<const std::int64_t>;
using Body = std::function<void(std::int64_t begin, std::int64_t end, SeriesRows& y)>;

void forBlocks(const Series<float>& bold, Voxels voxels, const Progress& progress, const Body& body) {
  parallelForBlocks(std::ssize(voxels), kSeriesPerBlock, progress, [&](std::int64_t begin, std::int64_t end) {
    SeriesRows y(bold.count, end - begin);
    for (int v = 0; v < bold.count; ++v)
      for (std::int64_t i = begin; i < end; ++i) y(v, i - begin) = bold.at(voxels[i], v);
    body(begin, end, y);
  });
}

/// The voxels' series, adjacent to each other.
Series<float> gathered(const Series<float>& bold, Voxels voxels, const Progress& progress) {
  Series<float> together;
  together.grid.size = {int(voxels.size()), 1, 1};
  together.count = bold.count;
  together.values.resize(voxels.size() * std::size_t(bold.count));
  parallelFor(bold.count, 1, progress, [&](std::int64_t v) {
    for (std::size_t i = 0; i < voxels.size(); ++i)
      together.at(std::int64_t(i), int(v)) = bold.at(voxels[i], int(v));
  });
  return together;
}

}  // namespace

void forSeries(const Series<float>& bold, const std::vector<std::int64_t>& voxels, std::int64_t atOnce,
               const Progress& progress, const Body& body) {
  if (atOnce == 0) return forBlocks(bold, voxels, progress, body);
  const auto count = std::int64_t(voxels.size());
  const auto share = [&](std::int64_t voxel) { return double(voxel) / double(count); };
  for (std::int64_t first = 0; first < count; first += atOnce) {
    const std::int64_t size = std::min(atOnce, count - first);
    const double begin = share(first), end = share(first + size), middle = 0.5 * (begin + end);
    const Series<float> together =
        gathered(bold, Voxels(voxels).subspan(first, size), progress.part(begin, middle, kStage));
    std::vector<std::int64_t> all(size, 0);
    std::iota(all.begin(), all.end(), 0);
    forBlocks(together, all, progress.part(middle, end, kStage),
              [&](std::int64_t from, std::int64_t to, SeriesRows& y) { body(first + from, first + to, y); });
  }
}

std::int64_t voxelsAtOnce(const Series<float>& bold) {
  if (!isScratch(bold.values.data())) return 0;
  const double most = 0.5 * freeHostMemory() / (double(bold.count) * sizeof(float));
  const auto blocks = std::int64_t(most) / kSeriesPerBlock;
  return std::clamp<std::int64_t>(blocks, 1, bold.grid.voxels() / kSeriesPerBlock + 1) * kSeriesPerBlock;
}

}  // namespace sulcus::activation
