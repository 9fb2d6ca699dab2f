#include "core/image/display/color_stops.h"

#include <algorithm>
#include <charconv>
#include <cstdio>

namespace sulcus {

std::string colorStopsText(std::span<const ColorStop> stops) {
  std::string text;
  for (const ColorStop& stop : stops) {
    char hex[16];
    std::snprintf(hex, sizeof hex, "%s#%02x%02x%02x", text.empty() ? "" : " ", stop[0], stop[1], stop[2]);
    text += hex;
    if (stop[3] == 255) continue;
    std::snprintf(hex, sizeof hex, "%02x", stop[3]);
    text += hex;
  }
  return text;
}

std::vector<ColorStop> colorStops(std::string_view text) {
  std::vector<ColorStop> stops;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const std::string_view one = text.substr(at, end - at);
    if ((one.size() != 7 && one.size() != 9) || one[0] != '#' || stops.size() == kMostStops) return {};
    ColorStop& stop = stops.emplace_back(ColorStop{0, 0, 0, 255});
    for (std::size_t c = 0; 2 * c + 1 < one.size(); ++c) {
      const char* const from = one.data() + 1 + 2 * c;
      if (std::from_chars(from, from + 2, stop[c], 16).ptr != from + 2) return {};
    }
    at = end + 1;
  }
  return stops.size() < 2 ? std::vector<ColorStop>() : stops;
}

}  // namespace sulcus
