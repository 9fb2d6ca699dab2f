#include "core/io/tables/color_maps.h"

#include "tests/core/io/io_test_support.h"

namespace sulcus::io {
namespace {

using namespace test;

class ColorMaps : public testing::Test {
 protected:
  std::string mapOf(const std::string& text) {
    io::writeFile(folder_ / "map.txt", text, true);
    return openColorMap(folder_ / "map.txt");
  }
  TemporaryFolder folder_;
};

TEST_F(ColorMaps, OfFsleyes) {
  EXPECT_EQ(mapOf("0.0 0.0 0.0\n1.0 0.5 0\n1 1 1\n"), "#000000 #ff8000 #ffffff");
}

TEST_F(ColorMaps, OfSlicer) {
  EXPECT_EQ(mapOf("# Color table file\n# 2 values\n0 dark 10 0 0 255\n1 bright 255 200 16 255\n"),
            "#0a0000 #ffc810");
}

TEST_F(ColorMaps, WithOpacity) {
  EXPECT_EQ(mapOf("1 0 0 0\n1 1 0 0.5\n1 1 1 1\n"), "#ff000000 #ffff0080 #ffffff");
  EXPECT_EQ(mapOf("0 low 255 0 0 0\n1 high 255 255 0 255\n"), "#ff000000 #ffff00");
}

TEST_F(ColorMaps, OfWholeNumbersWithAHeadingAndCommas) {
  EXPECT_EQ(mapOf("red,green,blue\n0,0,1\n2,254,255\n"), "#000001 #02feff");
}

TEST_F(ColorMaps, KeepTheEndsOfMoreColorsThanFit) {
  std::string text;
  for (int i = 0; i < 1000; ++i) text += std::to_string(i / 999.0) + " 0 0\n";
  const std::string map = mapOf(text);
  EXPECT_EQ(map.size(), 256 * 8 - 1);
  EXPECT_TRUE(map.starts_with("#000000") && map.ends_with("#ff0000"));
}

TEST_F(ColorMaps, RefusesInvalidMaps) {
  const auto refused = [&](const std::string& text, const char* words) {
    expectError([&] { mapOf(text); }, {words});
  };
  refused("", "is empty");
  refused("0 0 0\n", "two lines or more");
  refused("a b c\nd e f\n", "is not a color map");
  refused("0 0 0\n1 1 300\n", "Line 2");
  refused("0 0 0\n1 nan 1\n", "Line 2");
  refused("0 0 0\n-1 0 0\n", "Line 2");
  refused("0 0 0\n1 1 1 1 1\n", "Line 2");
  refused(std::string("0 0 0\n1 1 1\n\0", 13), "");
}

}  // namespace
}  // namespace sulcus::io
