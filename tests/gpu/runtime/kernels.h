#pragma once

#include "core/base/progress.h"
#include "gpu/runtime/stream.h"

#include <cstdint>

namespace sulcus::test {

/// values[i] += i for i < count, by gpu::parallelFor.
void addIndex(std::int64_t* values, std::int64_t count, const gpu::Stream& stream, const Progress& progress);

/// The results of gpu/runtime/warp.cuh and memory_access.cuh for each lane of a warp.
struct WarpAnswer {
  float sum, largest, smallest;
  float sumOfEight;   ///< over neighboring lanes
  int positiveBelow;  ///< lanes below it whose value is positive
  float throughBits;  ///< its value, to orderedBits() and back
  int bits;           ///< orderedBits() of its value
  float raised;       ///< the largest magnitude, by atomicRaise()
};
/// Launches a warp on 32 `values`; these and the 32 `answers` are in device memory.
void askWarp(const float* values, WarpAnswer* answers, const gpu::Stream& stream);

/// Adds to `wrong`, in device memory, the number of floats a for which quotient() differs in bits from the
/// division of a by 2 + a, of a by 1 + a, or of 1 by a, in their ranges in a registration.
void countWrongQuotients(unsigned long long* wrong, const gpu::Stream& stream);

/// A kernel that cannot be launched (its block is larger than on any device).
void launchTooLargeABlock(const gpu::Stream& stream);

}  // namespace sulcus::test
