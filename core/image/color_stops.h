#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// A color map of one's own, as Display::colormap holds it: sRGB colors from the low to the high end of a
// range, evenly spaced and joined by straight lines: "#000000 #ff8000 #ffffff".
namespace sulcus {

using Color = std::array<std::uint8_t, 3>;

inline constexpr std::size_t kMostStops = 256;
inline constexpr std::size_t kLongestStops = 8 * kMostStops;  ///< bytes of the text

std::string colorStopsText(std::span<const Color> colors);
/// Two colors or more; none where the text is no such map, e.g. the name of one.
std::vector<Color> colorStops(std::string_view text);

}  // namespace sulcus
