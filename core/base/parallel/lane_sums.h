#pragma once

#include "core/base/parallel/block_sums.h"

#include <algorithm>

namespace sulcus {

// Sums that a GPU computes with the same bits and at full speed: a warp of 32 lanes takes a group of 256
// consecutive terms, each lane adds up every 32nd, and the upper half of the lanes is added to the lower one
// until one is left (sumOverLanes() in gpu/runtime/warp.cuh). Groups are added in order within a block, and
// so are blocks.

inline constexpr int kSumLanes = 32, kTermsPerGroup = 256, kTermsPerBlock = 2048;

template <std::size_t N>
using Lanes = std::array<std::array<double, N>, kSumLanes>;

/// Adds all other lanes to the first one.
template <std::size_t N>
void addLanes(Lanes<N>& lanes) {
  for (std::size_t half = kSumLanes / 2; half > 0; half /= 2)
    for (std::size_t lane = 0; lane < half; ++lane)
      for (std::size_t k = 0; k < N; ++k) lanes[lane][k] += lanes[lane + half][k];
}

/// Adds up the sums of blocks in their order.
template <std::size_t N>
std::array<double, N> sumOfBlocks(const double* ofBlocks, std::int64_t count) {
  std::array<double, N> sums{};
  for (std::int64_t begin = 0; begin < count; begin += kTermsPerBlock)
    for (std::size_t k = 0; k < N; ++k) sums[k] += *ofBlocks++;
  return sums;
}

/// The sums of a group, of which the last one of a block may be shorter.
template <std::size_t N, class Add>
std::array<double, N> sumsOfGroup(std::int64_t begin, std::int64_t end, const Add& add) {
  Lanes<N> lanes{};
  if (end - begin == kTermsPerGroup)
    for (std::int64_t row = begin; row < end; row += kSumLanes)  // the lanes are vectorized
      for (std::int64_t lane = 0; lane < kSumLanes; ++lane) add(row + lane, lanes[std::size_t(lane)]);
  else
    for (std::int64_t i = begin; i < end; ++i) add(i, lanes[std::size_t((i - begin) % kSumLanes)]);
  addLanes<N>(lanes);
  return lanes[0];
}

/// Sums over [0, count) on all threads of the withThreads() scope. `add(i, sums)` adds the terms of index i;
/// its products must be fused with the sum, or not, exactly as on the GPU.
template <std::size_t N, class Add>
std::array<double, N> laneSums(std::int64_t count, const Progress& progress, const Add& add) {
  return blockSums<N>(count, kTermsPerBlock, progress, [&](std::int64_t begin, std::int64_t end, auto& sums) {
    for (std::int64_t group = begin; group < end; group += kTermsPerGroup) {
      const auto ofGroup = sumsOfGroup<N>(group, std::min(end, group + kTermsPerGroup), add);
      for (std::size_t k = 0; k < N; ++k) sums[k] += ofGroup[k];
    }
  });
}

}  // namespace sulcus
