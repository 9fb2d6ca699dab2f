#include "tests/bench/surface/surface_gpu.h"

#include "gpu/runtime/device.h"
#include "gpu/runtime/devices.h"
#include "gpu/surface/neighbors.h"
#include "tests/bench/measure.h"

#include <algorithm>
#include <memory>

namespace sulcus::bench {

GpuNeighborSearch timeGpuNeighborSearch(const surface::Band& band, int count,
                                        const std::vector<int>& devices) {
  gpu::requireDevice();
  /// A device's search, and the times at which its parts began and ended.
  struct Searcher {
    gpu::Stream stream;
    gpu::surface::DeviceSearch search;
    gpu::Event begin, middle, end;
    Searcher(const surface::Band& from, int neighbors) : search(from, neighbors, stream) {}
  };
  GpuNeighborSearch result;
  std::vector<std::unique_ptr<Searcher>> searchers(devices.size());
  gpu::onEachDevice(devices, [&](int i) {
    const std::int64_t before = gpu::freeMemory();
    auto& own = searchers[std::size_t(i)] = std::make_unique<Searcher>(band, count);
    own->stream.synchronize();
    if (i == 0) result.deviceBytes = double(before - gpu::freeMemory());
  });
  std::vector<double> prepare, kernel, resident;
  for (int repeat = 0; repeat < 11; ++repeat) {
    const double start = now();
    gpu::WorkQueue rows(gpu::surface::DeviceSearch::rowBlocks(band), int(devices.size()));
    gpu::onEachDevice(devices, [&](int i) {
      Searcher& own = *searchers[std::size_t(i)];
      own.begin.record(own.stream);
      own.search.prepare();
      own.middle.record(own.stream);
      own.search.search(rows, {});
      own.end.record(own.stream);
      own.stream.synchronize();
    });
    if (repeat == 0) continue;
    resident.push_back(now() - start);
    double prepared = 0, searched = 0;
    for (const auto& one : searchers) {
      prepared = std::max(prepared, one->middle.secondsSince(one->begin));
      searched = std::max(searched, one->end.secondsSince(one->middle));
    }
    prepare.push_back(prepared), kernel.push_back(searched);
  }
  result.prepare = median(prepare), result.kernel = median(kernel), result.resident = median(resident);
  return result;
}

}  // namespace sulcus::bench
