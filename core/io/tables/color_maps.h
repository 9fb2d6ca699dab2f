#pragma once

#include <filesystem>
#include <string>

namespace sulcus::io {

/// The color map in a text file, as Display::colormap holds it (core/image/display/color_stops.h): a line for
/// each color, of red, green, blue and maybe opacity from 0 to 1 (FSLeyes) or to 255, maybe after a number
/// and a name (3D Slicer). Of more colors than fit, evenly chosen ones are taken.
///
/// @throws Error  when the file cannot be read or is no color map
std::string openColorMap(const std::filesystem::path& file);

}  // namespace sulcus::io
