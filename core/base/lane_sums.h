#pragma once

#include "core/base/block_sums.h"

#include <algorithm>

namespace sulcus {

// Sums that a GPU makes as fast and with the same bits: a warp of 32 lanes takes a group of 256 consecutive
// terms, of which each lane adds up every 32nd, and the halves of the lanes are added to each other until one
// is left (sumOverLanes() in gpu/runtime/warp.cuh). Groups are added up in their order within a block, and so
// are blocks.

inline constexpr int kSumLanes = 32, kTermsPerGroup = 256, kTermsPerBlock = 2048;

/// Adds the other lanes to the first one.
template <std::size_t N>
void addLanes(std::array<std::array<double, N>, kSumLanes>& lanes) {
  for (std::size_t half = kSumLanes / 2; half > 0; half /= 2)
    for (std::size_t lane = 0; lane < half; ++lane)
      for (std::size_t k = 0; k < N; ++k) lanes[lane][k] += lanes[lane + half][k];
}

/// Sums over [0, count) on all threads of the withThreads() scope. `add(i, sums)` adds the terms of index i.
/// What it adds as a product is to be fused or not as on the GPU.
template <std::size_t N, class Add>
std::array<double, N> laneSums(std::int64_t count, const Progress& progress, const Add& add) {
  return blockSums<N>(count, kTermsPerBlock, progress, [&](std::int64_t begin, std::int64_t end, auto& sums) {
    for (std::int64_t group = begin; group < end; group += kTermsPerGroup) {
      const std::int64_t last = std::min(end, group + kTermsPerGroup);
      std::array<std::array<double, N>, kSumLanes> lanes{};
      for (std::int64_t lane = 0; lane < kSumLanes; ++lane) {
        std::array<double, N> own{};
        for (std::int64_t i = group + lane; i < last; i += kSumLanes) add(i, own);
        lanes[std::size_t(lane)] = own;
      }
      addLanes(lanes);
      for (std::size_t k = 0; k < N; ++k) sums[k] += lanes[0][k];
    }
  });
}

}  // namespace sulcus
