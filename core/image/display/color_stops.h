#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// A custom color map as Display::colormap holds it: sRGB colors from the low to the high end of a range,
// evenly spaced and interpolated linearly: "#000000 #ff8000 #ffffff". A color that is not opaque has its
// opacity as a fourth component, 00…ff: "#ff000000 #ffff00".
namespace sulcus {

using Color = std::array<std::uint8_t, 3>;
using ColorStop = std::array<std::uint8_t, 4>;  ///< red, green, blue, opacity

inline constexpr std::size_t kMostStops = 256;
inline constexpr std::size_t kLongestStops = 10 * kMostStops;  ///< bytes of the text

std::string colorStopsText(std::span<const ColorStop> stops);
/// The colors, two or more; empty if the text is not such a map, e.g. the name of one.
std::vector<ColorStop> colorStops(std::string_view text);

}  // namespace sulcus
