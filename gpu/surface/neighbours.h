#pragma once

#include "core/surface/neighbours.h"
#include "gpu/runtime/buffer.h"

#include <memory>

namespace sulcus::gpu::surface {
using namespace sulcus::surface;

/// The lists of findNeighbours() in device memory.
struct DeviceNeighbours {
  int count = 0;               ///< neighbours of each element
  Buffer<std::int32_t> index;  ///< elements × count, by rank
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
  /// Fills the lists.
  void search(const Progress& progress);
  DeviceNeighbours& lists() { return lists_; }

  /// Bytes of device memory that it takes for patches of side³ values and `count` neighbours of each element.
  static std::int64_t bytes(std::int64_t elements, int side, int count);

 private:
  struct Memory;
  const Stream* stream_;
  DeviceNeighbours lists_;
  std::unique_ptr<Memory> memory_;
};

}  // namespace sulcus::gpu::surface
