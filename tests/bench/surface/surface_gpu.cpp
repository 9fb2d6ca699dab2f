#include "tests/bench/surface/surface_gpu.h"

#include "gpu/runtime/device.h"
#include "gpu/surface/neighbours.h"
#include "tests/bench/measure.h"

namespace sulcus::bench {

GpuNeighbourSearch timeGpuNeighbourSearch(const surface::Band& band, int count) {
  gpu::requireDevice();
  GpuNeighbourSearch result;
  const gpu::Stream stream;
  const std::int64_t before = gpu::freeMemory();
  gpu::surface::DeviceSearch search(band, count, stream);
  stream.synchronize();
  result.deviceBytes = double(before - gpu::freeMemory());
  const gpu::Event begin, middle, end;
  std::vector<double> prepare, kernel, resident;
  for (int repeat = 0; repeat < 11; ++repeat) {
    const double start = now();
    begin.record(stream);
    search.prepare();
    middle.record(stream);
    search.search({});
    end.record(stream);
    stream.synchronize();
    if (repeat == 0) continue;
    resident.push_back(now() - start);
    prepare.push_back(middle.secondsSince(begin)), kernel.push_back(end.secondsSince(middle));
  }
  result.prepare = median(prepare), result.kernel = median(kernel), result.resident = median(resident);
  return result;
}

}  // namespace sulcus::bench
