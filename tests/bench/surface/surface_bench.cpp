#include "tests/bench/surface/surface_bench.h"

#include "core/base/parallel/parallel_for.h"
#include "core/surface/surface_kernel.h"
#include "gpu/runtime/device.h"
#include "gpu/surface/surface.h"
#include "tests/bench/cases.h"
#include "tests/bench/format.h"
#include "tests/bench/measure.h"
#include "tests/bench/surface/surface_gpu.h"

#include <algorithm>
#include <cmath>

namespace sulcus::bench {
namespace {

constexpr double kRepeated = 2;              // seconds: longer runs are measured once
constexpr double kTensorRate = 413e12;       // tf32 flop/s of an H200's matrix product, measured
constexpr std::int64_t kAllChecked = 20000;  // number of elements up to which every row is checked
constexpr std::int64_t kChecked = 400;       // rows, if not all are

double secondsOf(const std::function<void()>& work) { return onceOrMedianSeconds(work, kRepeated); }

/// The share of the neighbors by exhaustive search in double that were found, by elements and D.
void check(const surface::Band& band, const surface::PatchNeighbors& found, SurfaceRow& row) {
  const std::int64_t n = band.count(), rows = n <= kAllChecked ? n : kChecked, step = n / rows;
  std::vector<std::int64_t> right(std::size_t(rows), 0);
  const surface::Patches patches = surface::patchesOf(band, {});
  const Vec3<double> spacing = band.grid().spacing();
  std::vector<Vec3<int>> places;
  for (const auto voxel : band.voxels) places.push_back(band.grid().voxel(voxel));
  parallelFor(rows, 1, {}, [&](std::int64_t r) {
    const std::int64_t e = r * step;
    std::vector<surface::PatchRank> all;
    all.reserve(std::size_t(n - 1));
    for (std::int64_t o = 0; o < n; ++o)
      if (o != e)
        all.push_back({surface::patchDistance(patches.of(e), patches.of(o), patches.size),
                       surface::squaredVoxelDistance(places[std::size_t(e)], places[std::size_t(o)], spacing),
                       std::int32_t(o)});
    std::partial_sort(all.begin(), all.begin() + found.count, all.end());
    for (int k = 0; k < found.count; ++k)
      right[std::size_t(r)] += all[std::size_t(k)].index == found.of(e)[k] &&
                               float(all[std::size_t(k)].patch) == found.distancesOf(e)[k];
  });
  std::int64_t sum = 0;
  for (const auto one : right) sum += one;
  row.checked = int(rows);
  row.recall = double(sum) / double(rows * found.count);
}

std::string caseOf(const SurfaceRow& row) {
  return format("search, %s, %s, %lld elements, patch %d", row.processor.c_str(), nameOf(row.data).c_str(),
                static_cast<long long>(row.elements), row.patch);
}
/// The name of a denoising run; its number of elements is the requested one.
std::string caseOfRun(const char* processor, std::int64_t elements) {
  return format("denoising, %s, %lld elements", processor, static_cast<long long>(elements));
}

class Bench {
 public:
  Bench(const SurfaceBenchOptions& options, const std::function<void(const std::string&)>& tell)
      : options_(options), tell_(tell) {
    static_cast<Machine&>(report_) = thisMachine();
  }

  void measureSearch(SurfaceData data, std::int64_t elements, int patch) {
    Volume<float> phi;
    const surface::Band band = bandOfSize(data, elements, patch, phi);
    SurfaceRow row;
    row.data = data, row.elements = elements, row.patch = patch;
    surface::PatchNeighbors found;
    const auto onGpus = [&](const std::string& processor, const std::vector<int>& devices) {
      row.processor = processor;
      if (!isWanted(caseOf(row), options_.only)) return;
      gpu::useDevices(devices);
      const GpuNeighborSearch gpu = timeGpuNeighborSearch(band, row.count, devices);
      row.kernel = gpu.kernel, row.resident = gpu.resident, row.deviceBytes = gpu.deviceBytes;
      row.whole = secondsOf([&] { found = gpu::surface::findNeighbors(band, row.count, {}); });
      row.limitShare =
          2.0 * double(elements) * double(elements) * band.patchSize() / kTensorRate / row.kernel;
      check(band, found, row);
      add(row);
      gpu::useDevices({0});
    };
    if (report_.hasGpu) onGpus("GPU", {0});
    if (hasGpus(report_, options_.shares)) onGpus(nameOfShares(options_.shares), options_.shares);
    row.kernel = row.resident = row.limitShare = row.deviceBytes = 0;
    const auto onCpu = [&](const char* processor, int threads) {
      row.processor = processor;
      if (!isWanted(caseOf(row), options_.only) || expected(row) > options_.longest) return;
      withThreads(threads, [&] {
        row.whole = secondsOf([&] { found = surface::findNeighbors(band, row.count, {}); });
      });
      check(band, found, row);
      add(row);
    };
    onCpu("CPU, 1 thread", 1);
    if (report_.threads > 1) onCpu("CPU, all threads", 0);
  }

  void measureRun(SurfaceData data, std::int64_t elements) {
    Volume<float> phi;
    surface::SurfaceInput input;
    const surface::Band band = bandOfSize(data, elements, 5, phi);
    input.phi = std::make_shared<Volume<float>>(std::move(phi));
    std::vector<float> first;
    const auto measure = [&](const char* processor, int threads, surface::DenoiseSurface& denoise) {
      SurfaceRow row;
      row.processor = processor, row.data = data, row.elements = elements;
      const std::string name = caseOfRun(processor, elements);
      if (!isWanted(name, options_.only) || expected(row) > options_.longest) return;
      SurfaceRun run;
      run.processor = processor, run.data = data;
      surface::SurfaceResult result;
      withThreads(threads, [&] { run.whole = secondsOf([&] { result = denoise(input, {}, {}); }); });
      run.elements = result.search->band.count(), run.stages = result.stages;
      const auto& last = result.flow.steps.back();
      if (first.empty()) first = last;
      for (std::size_t i = 0; i < last.size(); ++i)
        run.farthest = std::max(run.farthest, std::abs(double(last[i]) - first[i]));
      tell_(name + format(": %.4g s, %.2g voxels from the first", run.whole, run.farthest));
      report_.runs.push_back(std::move(run));
    };
    measure("CPU, 1 thread", 1, surface::denoiseSurface);
    if (report_.threads > 1) measure("CPU, all threads", 0, surface::denoiseSurface);
    if (report_.hasGpu) measure("GPU", 0, gpu::surface::denoiseSurface);
  }

  SurfaceMeasurements report() { return std::move(report_); }

 private:
  /// Seconds of a search, estimated from the largest size measured.
  double expected(const SurfaceRow& row) const {
    for (auto known = report_.rows.rbegin(); known != report_.rows.rend(); ++known)
      if (known->series() == row.series())
        return known->whole * std::pow(double(row.elements) / double(known->elements), 1.8);
    return 0;
  }

  void add(SurfaceRow row) {
    row.hostBytes = peakHostBytes();
    report_.rows.push_back(row);
    tell_(caseOf(row) + format(": kernel %.4g ms, resident %.4g ms, whole %.4g ms, recall %.6f",
                               row.kernel * 1e3, row.resident * 1e3, row.whole * 1e3, row.recall));
  }

  const SurfaceBenchOptions& options_;
  const std::function<void(const std::string&)>& tell_;
  SurfaceMeasurements report_;
};

}  // namespace

SurfaceBenchOptions quickSurfaceBench() {
  SurfaceBenchOptions options;
  options.sizes = {500, 1000};
  options.patches = {500};
  options.runs = {1000};
  options.shares = {0, 0};
  return options;
}

SurfaceMeasurements runSurfaceBench(const SurfaceBenchOptions& options,
                                    const std::function<void(const std::string&)>& tell) {
  Bench bench(options, tell);
  for (const SurfaceData data : {SurfaceData::mask, SurfaceData::gray, SurfaceData::flat})
    for (const auto elements : options.sizes) bench.measureSearch(data, elements, 5);
  for (const int patch : {3, 7})
    for (const auto elements : options.patches) bench.measureSearch(SurfaceData::mask, elements, patch);
  for (const auto elements : options.runs) bench.measureRun(SurfaceData::mask, elements);
  return bench.report();
}

}  // namespace sulcus::bench
