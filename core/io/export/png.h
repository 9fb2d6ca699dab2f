#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace sulcus::io {

/// A picture in memory.
struct Picture {
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgb;  ///< three bytes per pixel, rows from top to bottom
};

/// The picture encoded as PNG.
std::string pngBytes(const Picture& picture);

}  // namespace sulcus::io
