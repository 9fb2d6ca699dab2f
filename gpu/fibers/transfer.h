#pragma once

#include "core/base/progress.h"
#include "core/image/volume.h"
#include "gpu/runtime/buffer.h"

#include <cstdint>
#include <span>
#include <vector>

namespace sulcus::gpu::fibers {

/// A map on the device and the host volume that its columns belong to.
struct DownloadRow {
  const float* device;
  float* host;
};

/// Copies selected voxels of volumes to the columns of device maps and back, through two pinned buffers:
/// while one is in transfer, the threads fill or empty the other.
class Transfer {
 public:
  explicit Transfer(const Stream& stream);

  /// Row i of `device` (rows `capacity` apart) = volume volumes[i] at `voxels`. Returns when the copy is
  /// complete.
  void upload(const Series<float>& image, std::span<const int> volumes, std::span<const std::int64_t> voxels,
              float* device, std::int64_t capacity, const Progress& progress);

  /// host[voxels[i]] = device[i] for every row. Returns when the copy is complete.
  void download(std::span<const DownloadRow> rows, std::span<const std::int64_t> voxels,
                const Progress& progress);

 private:
  std::int64_t chunk(std::size_t rows) const;

  const Stream& stream_;
  PinnedBuffer<float> pinned_[2];
  Event passed_[2];
};

}  // namespace sulcus::gpu::fibers
