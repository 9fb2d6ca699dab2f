#include "core/fibers/peaks/find_peaks.h"

#include "core/base/error.h"
#include "core/base/memory/allocate.h"
#include "core/base/parallel/parallel_for.h"
#include "core/fibers/peaks/find_peaks_lanes.h"
#include "core/fibers/peaks/starts.h"

#include <algorithm>
#include <atomic>
#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>

namespace sulcus::fibers {

namespace {

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

SearchVoxel* bestSearch(int order) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
      __builtin_cpu_supports("avx512dq"))
    return searchOn16Lanes(order);
#endif
  return searchOn8Lanes(order);
}

template <int Order>
SearchRules<float> rulesOf(const FiberOptions& options, const float* entries) {
  return searchRules<Order>(options, entries);
}

using RulesOf = SearchRules<float>(const FiberOptions&, const float*);
RulesOf* rulesFor(int order) {
  return withOrder(order, [](auto m) -> RulesOf* { return &rulesOf<m>; });
}

/// The search of a voxel from all starts, `batch` of them at a time.
struct Searcher {
  SearchVoxel* search;
  std::vector<Vec3<float>> starts;
  int batch;

  /// Can be cancelled between batches.
  void run(const float* entries, const SearchRules<float>& rules, const Progress& progress,
           std::vector<SearchEnd>& ends) const {
    const int count = int(starts.size());
    for (int first = 0; first < count; first += batch) {
      if (first > 0) progress.throwIfCancelled();
      search(entries, rules, starts.data() + first, std::min(batch, count - first), ends.data() + first);
    }
  }
};

/// Writes the peaks of a function that was divided by `unit`.
void writePeaks(std::span<const Peak> peaks, float unit, std::int64_t voxel, PeakMaps& maps) {
  maps.count.values[voxel] = float(peaks.size());
  for (std::size_t p = 0; p < peaks.size(); ++p) {
    const float amplitude = unit * peaks[p].value;
    if (p == 0) maps.amplitude.values[voxel] = amplitude;
    for (int c = 0; c < 3; ++c) maps.peaks.at(voxel, 3 * int(p) + c) = amplitude * peaks[p].x[c];
  }
}

}  // namespace

float VoxelCuts::at(std::int64_t voxel) const {
  const auto valueOf = [&](const Volume<float>* map) { return map ? map->values[voxel] : 0; };
  return cut.at(valueOf(residual), valueOf(spread));
}

double usualEvaluations(const FiberOptions& options) { return std::min(10, options.maxIterations); }

SearchBatch searchBatch(const FiberOptions& options) {
  constexpr double few = 1 << 18;  // evaluations of the form that take a few ms at order 8
  SearchBatch batch;
  // A multiple of 16, the number of lanes of the widest vector.
  batch.starts = std::max(16, int(few / options.maxIterations) / 16 * 16);
  batch.voxels = std::clamp<std::int64_t>(
      std::int64_t(0.25 * few / (usualEvaluations(options) * options.starts)), 1, 64);
  return batch;
}

int orderOfEntries(int entries) {
  for (int order = 2; order <= kLargestOrder; order += 2)
    if (tensorEntries(order) == entries) return order;
  throw Error("A tensor image has " + std::to_string(entries) + " volumes",
              "symmetric tensors of order 2, 4, 6, 8, 10 and 12 have 6, 15, 28, 45, 66 and 91 entries",
              "give an image with one of these numbers of volumes");
}

PeakMaps findPeaks(const Series<float>& tensor, const Mask& valid, const FiberOptions& options,
                   const Progress& progress, const VoxelCuts& cuts) {
  const int order = orderOfEntries(tensor.count);
  assert(valid.values.size() == std::size_t(tensor.grid.voxels()));
  const SearchBatch batch = searchBatch(options);
  const Searcher searcher{bestSearch(order), startingDirections(options), batch.starts};
  RulesOf* const rules = rulesFor(order);

  PeakMaps maps;
  maps.peaks.grid = tensor.grid;
  maps.peaks.count = 3 * options.maxPeaks;
  maps.peaks.values = allocate(std::size_t(tensor.grid.voxels()) * maps.peaks.count, kNaN, progress);
  maps.amplitude = maps.count = maps.iterations = Volume<float>(tensor.grid);
  std::atomic<std::int64_t> voxels = 0, notFinite = 0, degenerate = 0, iterations = 0, notConverged = 0;

  parallelForBlocks(tensor.grid.voxels(), batch.voxels, progress, [&](std::int64_t begin, std::int64_t end) {
    std::vector<SearchEnd> ends(searcher.starts.size());
    std::vector<Peak> peaks(options.maxPeaks);
    for (std::int64_t voxel = begin; voxel < end; ++voxel) {
      if (!valid.values[voxel]) continue;
      float entries[kLargestEntries];
      for (int u = 0; u < tensor.count; ++u) entries[u] = tensor.at(voxel, u);
      const float unit = tensorUnit(entries, tensor.count);
      notFinite += !std::isfinite(unit);
      voxels += std::isfinite(unit);
      degenerate += unit == 0;
      if (!std::isfinite(unit) || unit == 0) continue;
      for (int u = 0; u < tensor.count; ++u) entries[u] = entries[u] / unit;
      searcher.run(entries, rules(options, entries), progress, ends);

      const int used = std::accumulate(ends.begin(), ends.end(), 0,
                                       [](int sum, const SearchEnd& e) { return sum + e.iterations; });
      const int found =
          selectPeaks(ends.data(), int(ends.size()), options, cuts.at(voxel) / unit, peaks.data());
      iterations += used;
      notConverged += std::ranges::count(ends, false, &SearchEnd::converged);
      degenerate += found == 0 && std::ranges::none_of(ends, &SearchEnd::maximum);
      maps.iterations.values[voxel] = float(used) / float(searcher.starts.size());
      writePeaks(std::span(peaks).first(found), unit, voxel, maps);
    }
  });
  maps.voxels = voxels;
  maps.notFinite = notFinite;
  maps.degenerate = degenerate;
  maps.totalIterations = iterations;
  maps.notConverged = notConverged;
  return maps;
}

}  // namespace sulcus::fibers
