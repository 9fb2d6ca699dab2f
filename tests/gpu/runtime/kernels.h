#pragma once

#include "core/base/progress.h"
#include "gpu/runtime/stream.h"

#include <cstdint>

namespace sulcus::test {

/// values[i] += i for i < count, by gpu::parallelFor.
void addIndex(std::int64_t* values, std::int64_t count, const gpu::Stream& stream, const Progress& progress);

/// A kernel that cannot be launched (its block is larger than any device allows).
void launchTooLargeABlock(const gpu::Stream& stream);

}  // namespace sulcus::test
