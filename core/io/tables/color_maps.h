#pragma once

#include <filesystem>
#include <string>

namespace sulcus::io {

/// The color map in a text file, as Display::colormap holds it (core/image/display/color_stops.h): a line for
/// each color with red, green, blue and optionally opacity from 0 to 1 (FSLeyes) or to 255, optionally after
/// a number and a name (3D Slicer). If there are too many colors, an even selection is used.
///
/// @throws Error  if the file cannot be read or is not a color map
std::string openColorMap(const std::filesystem::path& file);

}  // namespace sulcus::io
