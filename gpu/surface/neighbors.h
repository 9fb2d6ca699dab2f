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
  Buffer<std::int32_t> index;  ///< elements × count, by rank; 0 where not searched for
  Buffer<float> distance;      ///< the same shape: D, mm²
};

/// A band in device memory and what its search takes there.
class DeviceSearch {
 public:
  /// Uploads. `stream` must outlive it.
  DeviceSearch(const Band& band, int count, const Stream& stream);
  ~DeviceSearch();
  /// Puts the elements in order.
  void prepare();
  /// Fills the lists of the rows that it takes from `rows`, which has rowBlocks() of them.
  void search(WorkQueue& rows, const Progress& progress);
  /// Fills all lists.
  void search(const Progress& progress);
  /// Blocks of rows of the search of a band, which devices share out.
  static std::int64_t rowBlocks(const Band& band);
  DeviceNeighbors& lists() { return lists_; }

  /// Bytes of device memory that it takes for patches of side³ values and `count` neighbors of each element.
  static std::int64_t bytes(std::int64_t elements, std::int64_t gridVoxels, int side, int count);

 private:
  struct Memory;
  const Stream* stream_;
  DeviceNeighbors lists_;
  std::unique_ptr<Memory> memory_;
};

}  // namespace sulcus::gpu::surface
