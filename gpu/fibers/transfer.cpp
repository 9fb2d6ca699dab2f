#include "gpu/fibers/transfer.h"

#include "core/base/parallel/parallel_for.h"
#include "gpu/runtime/device_time.h"

#include <algorithm>

namespace sulcus::gpu::fibers {
namespace {

constexpr std::int64_t kPinnedFloats = std::int64_t(1)
                                       << 20;  // 4 MB: allocating more takes longer than it saves

}  // namespace

Transfer::Transfer(const Stream& stream) : stream_(stream) {
  for (auto& pinned : pinned_) pinned = PinnedBuffer<float>(kPinnedFloats);
}

std::int64_t Transfer::chunk(std::size_t rows) const {
  return std::max<std::int64_t>(1, kPinnedFloats / std::int64_t(rows));
}

void Transfer::upload(const Series<float>& image, std::span<const int> volumes,
                      std::span<const std::int64_t> voxels, float* device, std::int64_t capacity,
                      const Progress& progress) {
  const WaitTimer waiting(WaitKind::copies);
  const auto count = std::int64_t(voxels.size());
  const std::int64_t most = chunk(volumes.size());
  for (std::int64_t begin = 0, turn = 0; begin < count; begin += most, turn ^= 1) {
    const std::int64_t size = std::min(most, count - begin);
    float* const pinned = pinned_[turn].data();
    passed_[turn].synchronize();
    parallelFor(std::int64_t(volumes.size()), 1, Progress(), [&](std::int64_t row) {
      const float* const from = image.volume(volumes[std::size_t(row)]).data;
      for (std::int64_t i = 0; i < size; ++i) pinned[row * size + i] = from[voxels[std::size_t(begin + i)]];
    });
    SULCUS_CUDA(cudaMemcpy2DAsync(device + begin, std::size_t(capacity) * sizeof(float), pinned,
                                  std::size_t(size) * sizeof(float), std::size_t(size) * sizeof(float),
                                  volumes.size(), cudaMemcpyHostToDevice, stream_.get()));
    passed_[turn].record(stream_);
    progress.update(double(begin + size) / double(count));
  }
  stream_.synchronize();
}

void Transfer::download(std::span<const DownloadRow> rows, std::span<const std::int64_t> voxels,
                        const Progress& progress) {
  const WaitTimer waiting(WaitKind::copies);
  const auto count = std::int64_t(voxels.size());
  const std::int64_t most = chunk(rows.size());
  const auto sizeAt = [&](std::int64_t begin) { return std::min(most, count - begin); };
  const auto fetch = [&](std::int64_t begin, int turn) {
    const std::int64_t size = sizeAt(begin);
    for (std::size_t row = 0; row < rows.size(); ++row)
      SULCUS_CUDA(cudaMemcpyAsync(pinned_[turn].data() + std::int64_t(row) * size, rows[row].device + begin,
                                  std::size_t(size) * sizeof(float), cudaMemcpyDeviceToHost, stream_.get()));
    passed_[turn].record(stream_);
  };
  if (count > 0) fetch(0, 0);
  for (std::int64_t begin = 0, turn = 0; begin < count; begin += most, turn ^= 1) {
    const std::int64_t size = sizeAt(begin);
    if (begin + most < count) fetch(begin + most, int(turn ^ 1));
    passed_[turn].synchronize();
    const float* const pinned = pinned_[turn].data();
    parallelFor(std::int64_t(rows.size()), 1, Progress(), [&](std::int64_t row) {
      for (std::int64_t i = 0; i < size; ++i)
        rows[std::size_t(row)].host[voxels[std::size_t(begin + i)]] = pinned[row * size + i];
    });
    progress.update(double(begin + size) / double(count));
  }
}

}  // namespace sulcus::gpu::fibers
