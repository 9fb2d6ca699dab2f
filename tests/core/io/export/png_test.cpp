#include "core/io/export/png.h"

#include <vector>

#include <gtest/gtest.h>
#include <zlib.h>

namespace sulcus::io {
namespace {

std::uint32_t numberAt(const std::string& bytes, std::size_t at) {
  std::uint32_t number = 0;
  for (std::size_t i = 0; i < 4; ++i) number = number << 8 | std::uint8_t(bytes[at + i]);
  return number;
}

TEST(Png, HoldsEveryPixel) {
  Picture picture{3, 2, {1, 2, 3, 250, 5, 6, 7, 8, 9, 10, 11, 12, 0, 255, 128, 16, 17, 18}};
  const std::string bytes = pngBytes(picture);
  ASSERT_EQ(bytes.substr(0, 8), std::string("\x89PNG\r\n\x1a\n"));
  std::string pixels;
  for (std::size_t at = 8; at < bytes.size();) {
    const std::size_t length = numberAt(bytes, at);
    const std::string kind = bytes.substr(at + 4, 4), data = bytes.substr(at + 8, length);
    const std::string checked = kind + data;
    EXPECT_EQ(numberAt(bytes, at + 8 + length),
              crc32(0, reinterpret_cast<const unsigned char*>(checked.data()), unsigned(checked.size())))
        << kind;
    if (kind == "IHDR") {
      EXPECT_EQ(numberAt(data, 0), 3u);
      EXPECT_EQ(numberAt(data, 4), 2u);
    }
    if (kind == "IDAT") {
      std::vector<unsigned char> lines(2 * 10);
      uLongf size = lines.size();
      ASSERT_EQ(
          uncompress(lines.data(), &size, reinterpret_cast<const unsigned char*>(data.data()), data.size()),
          Z_OK);
      ASSERT_EQ(size, lines.size());
      std::vector<std::uint8_t> shown;
      for (std::size_t y = 0; y < 2; ++y)
        for (std::size_t i = 0; i < 9; ++i)
          shown.push_back(std::uint8_t(lines[10 * y + 1 + i] + (i < 3 ? 0 : shown[9 * y + i - 3])));
      EXPECT_EQ(shown, picture.rgb);
    }
    at += 12 + length;
  }
}

}  // namespace
}  // namespace sulcus::io
