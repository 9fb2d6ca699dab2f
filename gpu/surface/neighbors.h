#pragma once

#include "core/surface/neighbors.h"
#include "gpu/runtime/batches.h"
#include "gpu/runtime/buffer.h"

#include <memory>

namespace sulcus::gpu::surface {
using namespace sulcus::surface;

/// The lists of findNeighbors() in device memory.
struct DeviceNeighbors {
  int count = 0;               ///< neighbors of each element
  Buffer<std::int32_t> index;  ///< elements × count, by rank; 0 if not searched
  Buffer<float> distance;      ///< the same shape: D, mm²
};

/// A band in device memory and the data of its search.
class DeviceSearch {
 public:
  /// Uploads. `stream` must outlive it.
  DeviceSearch(const Band& band, int count, const Stream& stream);
  ~DeviceSearch();
  /// Sorts the elements.
  void prepare();
  /// Fills the lists of the rows taken from `rows`, which has rowBlocks() of them.
  void search(WorkQueue& rows, const Progress& progress);
  /// Number of row blocks in the search of a band, which devices share.
  static std::int64_t rowBlocks(const Band& band);
  DeviceNeighbors& lists() { return lists_; }

  /// Bytes of device memory for patches of side³ values and `count` neighbors of each element.
  static std::int64_t bytes(std::int64_t elements, std::int64_t gridVoxels, int side, int count);

 private:
  struct Memory;
  const Stream* stream_;
  DeviceNeighbors lists_;
  std::unique_ptr<Memory> memory_;
};

}  // namespace sulcus::gpu::surface
