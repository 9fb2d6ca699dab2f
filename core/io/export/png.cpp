#include "core/io/export/png.h"

#include "core/io/streams/block_deflater.h"

#include <algorithm>
#include <initializer_list>

#include <zlib.h>

namespace sulcus::io {
namespace {

std::string bigEndian(std::uint32_t number) {
  return {char(number >> 24), char(number >> 16), char(number >> 8), char(number)};
}

/// Length, type, data and checksum, the form of every chunk of a PNG (ISO 15948).
std::string pngPart(const std::string& kind, const std::string& data) {
  const std::string checked = kind + data;
  const auto crc = crc32(0, reinterpret_cast<const unsigned char*>(checked.data()), unsigned(checked.size()));
  return bigEndian(std::uint32_t(data.size())) + checked + bigEndian(std::uint32_t(crc));
}

}  // namespace

std::string pngBytes(const Picture& picture) {
  std::string compressed;
  BlockDeflater deflater(BlockDeflater::Wrapper::zlib,
                         [&](std::span<const char> bytes) { compressed.append(bytes.data(), bytes.size()); });
  const std::size_t row = 3 * std::size_t(picture.width);
  std::vector<char> line(row + 1);
  for (int y = 0; y < picture.height; ++y) {
    // The filter Sub: every pixel but the first as its difference from the one on its left.
    line[0] = 1;
    const std::uint8_t* pixels = picture.rgb.data() + std::size_t(y) * row;
    for (std::size_t i = 0; i < row; ++i) line[i + 1] = char(pixels[i] - (i < 3 ? 0 : pixels[i - 3]));
    deflater.append(line);
  }
  deflater.finish();
  const std::string header = bigEndian(std::uint32_t(picture.width)) +
                             bigEndian(std::uint32_t(picture.height)) +
                             std::string("\x08\x02\x00\x00\x00", 5);  // 8 bits, red, green, blue
  return std::string("\x89PNG\r\n\x1a\n", 8) + pngPart("IHDR", header) + pngPart("IDAT", compressed) +
         pngPart("IEND", "");
}

}  // namespace sulcus::io
