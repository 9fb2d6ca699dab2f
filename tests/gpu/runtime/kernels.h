#pragma once

#include "core/base/progress.h"
#include "gpu/runtime/stream.h"

#include <cstdint>

namespace sulcus::test {

/// values[i] += i for i < count, by gpu::parallelFor.
void addIndex(std::int64_t* values, std::int64_t count, const gpu::Stream& stream, const Progress& progress);

/// What each lane of a warp learns by gpu/runtime/warp.cuh and memory_access.cuh about the lanes' values.
struct WarpAnswer {
  float sum, largest, smallest;
  float sumOfEight;   ///< of the neighboring lanes
  int positiveBelow;  ///< lanes below it whose value is positive
  float throughBits;  ///< its value, to orderedBits() and back
  int bits;           ///< orderedBits() of its value
  float raised;       ///< the largest magnitude, by atomicRaise()
};
/// Queues a warp on 32 `values`, in device memory as the 32 `answers` are.
void askWarp(const float* values, WarpAnswer* answers, const gpu::Stream& stream);

/// Adds to `wrong`, in device memory, the number of floats a with which quotient() has other bits than the
/// division of a by 2 + a, of a by 1 + a, or of 1 by a, in the ranges that these have in a registration.
void countWrongQuotients(unsigned long long* wrong, const gpu::Stream& stream);

/// A kernel that cannot be launched (its block is larger than any device allows).
void launchTooLargeABlock(const gpu::Stream& stream);

}  // namespace sulcus::test
