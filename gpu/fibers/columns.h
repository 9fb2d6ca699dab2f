#pragma once

#include <cstdint>

namespace sulcus::gpu::fibers {

/// Columns begin … end − 1 of maps with a column for each voxel and `capacity` columns.
struct Columns {
  std::int64_t begin, end, capacity;

  std::int64_t count() const { return end - begin; }
};

}  // namespace sulcus::gpu::fibers
