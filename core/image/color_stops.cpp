#include "core/image/color_stops.h"

#include <charconv>
#include <cstdio>

namespace sulcus {

std::string colorStopsText(std::span<const Color> colors) {
  std::string text;
  for (const Color& color : colors) {
    char hex[16];
    std::snprintf(hex, sizeof hex, "%s#%02x%02x%02x", text.empty() ? "" : " ", color[0], color[1], color[2]);
    text += hex;
  }
  return text;
}

std::vector<Color> colorStops(std::string_view text) {
  constexpr std::size_t kOne = 7, kStep = 8;  // "#rrggbb", and a blank
  if (text.size() % kStep != kOne || text.size() < kOne + kStep || text.size() > kLongestStops) return {};
  std::vector<Color> colors;
  for (std::size_t at = 0; at < text.size(); at += kStep) {
    if (text[at] != '#' || (at > 0 && text[at - 1] != ' ')) return {};
    Color& color = colors.emplace_back();
    for (std::size_t c = 0; c < 3; ++c) {
      const char* const from = text.data() + at + 1 + 2 * c;
      if (std::from_chars(from, from + 2, color[c], 16).ptr != from + 2) return {};
    }
  }
  return colors;
}

}  // namespace sulcus
