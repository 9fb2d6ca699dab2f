#include "core/analysis/histogram.h"

#include <algorithm>

namespace sulcus {

std::optional<Chart::Series> histogramBars(std::string name, std::span<const float> values) {
  constexpr int kBars = 60;
  if (values.empty()) return std::nullopt;
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  const double width = (double(*high) - *low) / kBars;
  if (!(width > 0)) return std::nullopt;
  Chart::Series bars{std::move(name), Chart::Kind::bars, {}, std::vector<double>(kBars, 0.0)};
  for (int b = 0; b < kBars; ++b) bars.x.push_back(*low + (b + 0.5) * width);
  for (const float value : values)
    bars.y[std::size_t(std::min(int((double(value) - *low) / width), kBars - 1))] +=
        1 / (width * double(values.size()));
  return bars;
}

}  // namespace sulcus
