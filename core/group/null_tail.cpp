#include "core/group/null_tail.h"

#include <algorithm>
#include <cmath>

namespace sulcus::group {

NullTail::NullTail(std::span<const float> largest, double possible, Tails tails)
    : largest_(largest.begin(), largest.end()) {
  constexpr double kTailShare = 0.25;
  constexpr double kLightest = -0.1;  // shape: lighter tails end soon
  constexpr std::size_t kFewest = 100, kMany = 1000;
  std::ranges::sort(largest_);
  const std::size_t count = largest_.size();
  const bool isSampled = possible > double(count);
  if (tails == Tails::count || !isSampled || count < kFewest) return;
  if (tails == Tails::automatic && count >= kMany) return;
  const auto first = std::size_t(double(count) * (1 - kTailShare));
  begin_ = largest_[first - 1];
  double mean = 0, squares = 0, n = 0;
  for (std::size_t i = first; i < count; ++i) {
    const double excess = largest_[i] - begin_;
    mean += excess;
    squares += excess * excess;
    ++n;
  }
  mean /= n;
  const double variance = squares / n - mean * mean;
  if (!(mean > 0) || !(variance > 0)) return;
  // Hosking & Wallis, Technometrics 29 (1987) 339.
  shape_ = std::max(kLightest, 0.5 * (1 - mean * mean / variance));
  scale_ = mean * (1 - shape_);
  share_ = n / double(count);
  isFitted_ = true;
}

double NullTail::p(float value) const {
  constexpr double kLeastShare = 0.01;  // of an exchange
  if (!isFitted_ || value <= begin_) return familywiseP(value, largest_);
  const double excess = (value - begin_) / scale_, base = std::max(0.0, 1 + shape_ * excess);
  const double tail = share_ * (shape_ == 0 ? std::exp(-excess) : std::pow(base, -1 / shape_));
  return std::max(tail, kLeastShare / double(largest_.size()));
}

double familywiseP(float value, std::span<const float> ascending) {
  const auto below = std::lower_bound(ascending.begin(), ascending.end(), value) - ascending.begin();
  return double(std::ssize(ascending) - below) / double(std::ssize(ascending));
}

}  // namespace sulcus::group
