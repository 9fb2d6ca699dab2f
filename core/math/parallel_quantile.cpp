#include "core/math/parallel_quantile.h"

#include "core/base/parallel/parallel_for.h"
#include "core/math/simd.h"
#include "core/math/statistics.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace sulcus {
namespace {

constexpr std::int64_t kValuesPerBlock = 1 << 18;
constexpr std::size_t kBins = 1 << 16;

/// The bin of a value, monotonic in the value: the upper half of its bits, mapped so that they sort as the
/// numbers do.
std::size_t binOf(float value) {
  const std::uint32_t bits = bitsOf(value);
  return (bits ^ (bits >> 31 ? 0xffffffffu : 0x80000000u)) >> 16;
}

}  // namespace

double parallelQuantile(std::span<const float> values, double q) {
  const auto count = std::int64_t(values.size());
  const auto blocks = std::size_t((count + kValuesPerBlock - 1) / kValuesPerBlock);
  const auto blockOf = [](std::int64_t begin) { return std::size_t(begin / kValuesPerBlock); };
  std::vector<std::vector<std::uint32_t>> histograms(blocks);
  parallelForBlocks(count, kValuesPerBlock, {}, [&](std::int64_t begin, std::int64_t end) {
    auto& histogram = histograms[blockOf(begin)];
    histogram.assign(kBins, 0);
    for (auto i = std::size_t(begin); i < std::size_t(end); ++i) ++histogram[binOf(values[i])];
  });
  // The bins of the two values between which the quantile lies, and the number of values below them.
  const QuantileRank of = quantileRank(q, count);
  const std::int64_t rank = of.low, next = of.high;
  std::size_t low = kBins, high = kBins;
  std::int64_t below = 0, belowLow = 0;
  for (std::size_t bin = 0; high == kBins; ++bin) {
    const std::int64_t before = below;
    for (const auto& histogram : histograms) below += histogram[bin];
    if (low == kBins && rank < below) {
      low = bin;
      belowLow = before;
    }
    if (next < below) high = bin;
  }
  std::vector<std::vector<float>> found(blocks);
  parallelForBlocks(count, kValuesPerBlock, {}, [&](std::int64_t begin, std::int64_t end) {
    for (auto i = std::size_t(begin); i < std::size_t(end); ++i)
      if (const std::size_t bin = binOf(values[i]); bin == low || bin == high)
        found[blockOf(begin)].push_back(values[i]);
  });
  std::vector<float> near;
  for (const auto& some : found) near.insert(near.end(), some.begin(), some.end());
  const auto at = near.begin() + std::ptrdiff_t(rank - belowLow);
  std::nth_element(near.begin(), at, near.end());
  const float above = next == rank ? *at : *std::min_element(at + 1, near.end());
  return of.between(*at, above);
}

}  // namespace sulcus
