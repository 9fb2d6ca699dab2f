#include "gpu/fibers/fibers.h"

#include "core/base/stage_clock.h"
#include "core/fibers/fiber_choice.h"
#include "core/fibers/peaks/find_peaks.h"
#include "gpu/fibers/fibers_slabs.h"
#include "gpu/fibers/transfer.h"
#include "gpu/runtime/batches.h"
#include "gpu/runtime/device_time.h"
#include "gpu/runtime/devices.h"

#include <algorithm>
#include <limits>

namespace sulcus::gpu::fibers {
using namespace sulcus::fibers;
namespace {

constexpr std::int64_t kLargestSlab = std::int64_t(1) << 22;  // voxels; the kernels are no faster with more
constexpr std::int64_t kUsualSlab = 1 << 18;                  // requested by a run
constexpr std::int64_t kSmallestSlab = 1 << 12;
constexpr double kShareOfMemory = 0.9;  // the rest is for the matrices and other programs

/// The image and the volumes that become the rows of FitSlab::signal, or of the tensors.
struct Source {
  const Series<float>* image;
  std::vector<int> volumes;
};

Source sourceOf(const FiberInput& input, const FiberPlan& plan) {
  if (plan.sizes().isFitted()) {
    Source source{&plan.dwi(input), plan.unweighted};
    source.volumes.insert(source.volumes.end(), plan.weighted.begin(), plan.weighted.end());
    return source;
  }
  Source source{plan.model == FiberModel::sh ? input.sh.get() : input.tensor.get(), {}};
  for (int u = 0; u < plan.entries; ++u) source.volumes.push_back(u);
  return source;
}

/// Voxels of the first batch, few enough to end long before 100 ms; 128 take hardly longer than one.
std::int64_t firstSearchBatch(const FiberOptions& options) {
  const double cost = options.starts * usualEvaluations(options);
  return std::clamp<std::int64_t>(std::int64_t(4e9 / cost), 1 << 7, 1 << 18);
}
constexpr std::int64_t kFirstFitBatch = 1 << 15;

FiberMaps emptyMaps(const FiberPlan& plan, const FiberOptions& options) {
  FiberMaps maps;
  maps.peaks = Series<float>(plan.grid, 3 * options.maxPeaks, std::numeric_limits<float>::quiet_NaN());
  maps.tensor = Series<float>(plan.grid, plan.entries);
  if (plan.sizes().tissues()) maps.volumes = Series<float>(plan.grid, plan.sizes().tissues());
  for (auto* map : {&maps.amplitude, &maps.count, &maps.anisotropy, &maps.residual, &maps.iterations})
    *map = Volume<float>(plan.grid);
  return maps;
}

std::vector<DownloadRow> resultRows(const FitSlab& fit, const PeakSlab& peaks, FiberMaps& maps) {
  std::vector<DownloadRow> rows;
  for (int u = 0; u < maps.tensor.count; ++u)
    rows.push_back({peaks.tensors.data() + u * peaks.capacity, maps.tensor.volume(u).data});
  for (int p = 0; p < maps.peaks.count; ++p)
    rows.push_back({peaks.peaks.data() + p * peaks.capacity, maps.peaks.volume(p).data});
  rows.push_back({peaks.amplitude.data(), maps.amplitude.values.data()});
  rows.push_back({peaks.count.data(), maps.count.values.data()});
  rows.push_back({peaks.iterations.data(), maps.iterations.values.data()});
  for (int t = 0; t < maps.volumes.count; ++t)
    rows.push_back({fit.volumes.data() + t * fit.capacity, maps.volumes.volume(t).data});
  rows.push_back({fit.residual.data(), maps.residual.values.data()});
  rows.push_back({fit.anisotropy.data(), maps.anisotropy.values.data()});
  return rows;
}

/// Voxels that fit on the device together, in one of `shares` slabs; throws Error if not even a small slab
/// fits.
std::int64_t slabThatFits(const FiberPlan& plan, const FiberOptions& options, std::int64_t shares) {
  const std::int64_t perVoxel = FiberSlab::bytesPerVoxel(plan.sizes(), options),
                     count = std::int64_t(plan.voxels.size());
  const std::int64_t slab = std::int64_t(kShareOfMemory * double(freeMemory())) / (shares * perVoxel);
  if (slab < std::min(count, kSmallestSlab))
    requireMemory(2 * std::min(count, kSmallestSlab) * perVoxel, "fibers");
  return std::min(slab, kLargestSlab);
}

/// Data shared by the devices of a run.
struct Work {
  const FiberPlan& plan;
  const FiberOptions& options;
  Source source;
  WorkQueue voxels;  ///< indices into plan.voxels that no device has taken yet
  FiberMaps& maps;   ///< each voxel is written by one device
};

/// Processes slabs of at most `slabVoxels` voxels on the current device until none is left.
PeakTotals workOnSlabs(Work& work, std::int64_t slabVoxels, StageClock& clock, const Progress& progress) {
  const FiberPlan& plan = work.plan;
  const FiberOptions& options = work.options;
  PeakTotals totals{};
  auto range = work.voxels.take(slabVoxels);
  if (range.begin == range.end) return totals;
  const Stream stream;
  FiberSlab slab(std::min(slabVoxels, work.voxels.count()), plan, options, stream);
  FitSlab& fit = slab.fit;
  PeakSlab& peaks = slab.peaks;
  clearTotals(peaks, stream);
  const TimedQueue<Stream> awaited{stream};
  float* const input0 = plan.model == FiberModel::tensor ? peaks.tensors.data() : fit.signal.data();
  Transfer transfer(stream);
  for (; range.begin < range.end; range = work.voxels.take(slabVoxels)) {
    const std::int64_t size = range.end - range.begin;
    const auto voxels = std::span(plan.voxels).subspan(std::size_t(range.begin), std::size_t(size));
    const auto part = [&](double from, double to, const char* stage) {
      const auto at = [&](double f) {
        return 0.2 + 0.8 * (double(range.begin) + f * double(size)) / double(work.voxels.count());
      };
      return progress.part(at(from), at(to), stage);
    };
    clock.restart();
    transfer.upload(*work.source.image, work.source.volumes, voxels, input0, fit.capacity,
                    part(0, 0.3, "Upload"));
    clock.finish("Upload");
    inBatches(size, awaited, part(0.3, 0.5, "Fit"), kFirstFitBatch,
              [&](std::int64_t begin, std::int64_t end) {
                fitVoxels(slab.constants, fit, begin, end, peaks.tensors, stream);
              });
    clock.finish("Fit");
    inBatches(size, awaited, part(0.5, 0.7, "Peaks"), firstSearchBatch(options),
              [&](std::int64_t begin, std::int64_t end) {
                searchPeaks(peaks, begin, end,
                            {slab.starts, plan.cut, fit.residual.data(), fit.spread.data()}, options, stream);
              });
    clock.finish("Peaks");
    transfer.download(resultRows(fit, peaks, work.maps), voxels, part(0.7, 1, "Download"));
    clock.finish("Download");
  }
  peaks.totals.download({&totals, 1}, stream);
  stream.synchronize();
  return totals;
}

/// @param most  voxels on a device at once, 0: as many as fit
FiberMaps run(const FiberInput& input, const FiberOptions& options, const Progress& progress,
              std::int64_t most) {
  requireDevice();
  StageClock clock;
  FiberPlan plan = planFibers(input, options, progress.part(0, 0.2, kResponseStage));
  clock.finish(kResponseStage);

  FiberMaps maps = emptyMaps(plan, options);
  const std::vector<int> devices = chosenDevices();
  const auto count = std::int64_t(plan.voxels.size());
  // Several slabs per device if there are several devices, so that none waits long for the others.
  const std::int64_t fair = devices.size() > 1 ? ceilDivide(count, 4 * devices.size()) : count;
  Work work{plan, options, sourceOf(input, plan), WorkQueue(count, int(devices.size())), maps};
  std::vector<PeakTotals> totals(devices.size());
  std::vector<StageClock> clocks(devices.size(), clock);
  onEachDevice(devices, [&](int i) {
    const auto shares = std::count(devices.begin(), devices.end(), devices[std::size_t(i)]);
    const std::int64_t fits = most > 0 ? most : slabThatFits(plan, options, shares);
    totals[std::size_t(i)] =
        workOnSlabs(work, std::max<std::int64_t>(1, std::min(fits, fair)), clocks[std::size_t(i)], progress);
  });
  std::int64_t notFinite = 0;  // functions that overflow although the input is finite
  for (const PeakTotals& one : totals) {
    maps.degenerate += std::int64_t(one.degenerate);
    notFinite += std::int64_t(one.notFinite);
  }
  maps.stages = clocks.front().stages();  // the other devices worked in parallel
  describeMaps(std::move(plan), notFinite, maps);
  return maps;
}

}  // namespace

FiberSlab::FiberSlab(std::int64_t voxels, const FiberPlan& plan, const FiberOptions& options,
                     const Stream& stream)
    : constants(uploadFit(plan, stream)),
      starts(uploadStarts(options, stream)),
      fit(voxels, plan.sizes(), stream),
      peaks(voxels, plan.order, options, stream) {}

std::int64_t FiberSlab::bytesPerVoxel(const FiberSizes& sizes, const FiberOptions& options) {
  return FitSlab::bytesPerVoxel(sizes) + PeakSlab::bytesPerVoxel(sizes.order, options);
}

std::int64_t FiberSlab::bytes(std::int64_t voxels, const FiberSizes& sizes, const FiberOptions& options) {
  return voxels * bytesPerVoxel(sizes, options) + fitConstantBytes(sizes) + startBytes(options) +
         std::int64_t(sizeof(PeakTotals));
}

double fiberDeviceBytes(const FiberInput& input, const FiberOptions& options) {
  const FiberSizes sizes = fiberSizes(input, options);
  const Grid& grid = imageOf(input).grid;
  return double(FiberSlab::bytes(std::min(grid.voxels(), kUsualSlab), sizes, options));
}

FiberMaps findFibersInSlabs(const FiberInput& input, const FiberOptions& options, const Progress& progress,
                            std::int64_t slabVoxels) {
  return run(input, options, progress, slabVoxels);
}

FiberMaps findFibers(const FiberInput& input, const FiberOptions& options, const Progress& progress) {
  return run(input, options, progress, 0);
}

}  // namespace sulcus::gpu::fibers
