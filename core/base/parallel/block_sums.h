#pragma once

#include "core/base/parallel/parallel_for.h"

#include <array>
#include <vector>

namespace sulcus {

/// Sums over [0, count) on all threads of the withThreads() scope. `add(begin, end, sums)` adds the terms of
/// a block of at most `block` indices. Neither the blocks nor the order in which they are added depend on the
/// number of threads, so the sums do not either.
template <std::size_t N, class Add>
std::array<double, N> blockSums(std::int64_t count, std::int64_t block, const Progress& progress,
                                const Add& add) {
  std::vector<std::array<double, N>> parts(std::size_t((count + block - 1) / block));
  parallelForBlocks(count, block, progress, [&](std::int64_t begin, std::int64_t end) {
    std::array<double, N> part{};
    add(begin, end, part);
    parts[std::size_t(begin / block)] = part;
  });
  std::array<double, N> sums{};
  for (const auto& part : parts)
    for (std::size_t k = 0; k < N; ++k) sums[k] += part[k];
  return sums;
}

}  // namespace sulcus
