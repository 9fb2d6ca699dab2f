#include "tests/bench/fibers/fibers_gpu.h"

#include "gpu/fibers/peak_search.h"
#include "gpu/fibers/transfer.h"
#include "gpu/runtime/device.h"
#include "tests/bench/measure.h"

#include <numeric>

namespace sulcus::bench {

GpuPeakSearch timeGpuPeakSearch(const Series<float>& forms, int order, const fibers::FiberOptions& options) {
  gpu::requireDevice();
  GpuPeakSearch result;
  const std::int64_t voxels = forms.grid.voxels();
  const gpu::Stream stream;
  const auto starts = gpu::fibers::uploadStarts(options, stream);
  gpu::fibers::PeakSlab slab(voxels, order, options, stream);
  gpu::fibers::Transfer transfer(stream);
  std::vector<int> volumes(forms.count);
  std::iota(volumes.begin(), volumes.end(), 0);
  std::vector<std::int64_t> all(voxels);
  std::iota(all.begin(), all.end(), 0);
  result.peaks = Series<float>(forms.grid, 3 * options.maxPeaks);
  std::vector<gpu::fibers::DownloadRow> rows;
  for (int p = 0; p < result.peaks.count; ++p)
    rows.push_back({slab.peaks.data() + p * voxels, result.peaks.volume(p).data});

  const auto upload = [&] { transfer.upload(forms, volumes, all, slab.tensors.data(), voxels, {}); };
  const auto search = [&] { gpu::fibers::searchPeaks(slab, 0, voxels, {starts, {}}, options, stream); };
  upload();
  result.residentSeconds = medianSeconds([&] {
    search();
    stream.synchronize();
  });
  const gpu::Event before, after;
  std::vector<double> kernels;
  for (int i = 0; i < 5; ++i) {
    gpu::fibers::clearTotals(slab, stream);
    before.record(stream);
    search();
    after.record(stream);
    stream.synchronize();
    kernels.push_back(after.secondsSince(before));
  }
  result.kernelSeconds = median(kernels);
  result.transferSeconds = medianSeconds([&] {
    upload();
    search();
    transfer.download(rows, all, {});
  });
  gpu::fibers::clearTotals(slab, stream);
  search();
  gpu::fibers::PeakTotals totals{};
  slab.totals.download({&totals, 1}, stream);
  stream.synchronize();
  result.iterations = double(totals.iterations);
  result.deviceBytes = double(voxels * gpu::fibers::PeakSlab::bytesPerVoxel(order, options));
  int device = 0, clock = 0;
  SULCUS_CUDA(cudaGetDevice(&device));
  SULCUS_CUDA(cudaDeviceGetAttribute(&clock, cudaDevAttrClockRate, device));
  result.peakSlots =
      128.0 * gpu::deviceReport().devices.at(std::size_t(device)).multiprocessors * clock * 1e3;
  return result;
}

}  // namespace sulcus::bench
