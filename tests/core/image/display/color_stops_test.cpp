#include "core/image/display/color_stops.h"

#include <gtest/gtest.h>

namespace sulcus {
namespace {

TEST(ColorStops, AreReadAsTheyAreWritten) {
  const std::vector<ColorStop> colors{{0, 0, 0, 0}, {255, 128, 1, 255}, {16, 32, 254, 16}};
  const std::string text = colorStopsText(colors);
  EXPECT_EQ(text, "#00000000 #ff8001 #1020fe10");
  EXPECT_EQ(colorStops(text), colors);
}

TEST(ColorStops, AreNothingElse) {
  for (const char* text : {"", "gray", "#000000", "#000000 #ff80", "#000000 #ff80zz", "#000000,#ff8001",
                           "#000000 ff8001#", "#000000 #ff8001 ", "#000000  #ff8001", "#000000 #ff80010"})
    EXPECT_TRUE(colorStops(text).empty()) << text;
  EXPECT_EQ(colorStops(colorStopsText(std::vector<ColorStop>(kMostStops))).size(), kMostStops);
  EXPECT_TRUE(colorStops(colorStopsText(std::vector<ColorStop>(kMostStops + 1))).empty());
}

}  // namespace
}  // namespace sulcus
