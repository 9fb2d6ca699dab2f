#include "core/image/color_stops.h"

#include <gtest/gtest.h>

namespace sulcus {
namespace {

TEST(ColorStops, AreReadAsTheyAreWritten) {
  const std::vector<Color> colors{{0, 0, 0}, {255, 128, 1}, {16, 32, 254}};
  const std::string text = colorStopsText(colors);
  EXPECT_EQ(text, "#000000 #ff8001 #1020fe");
  EXPECT_EQ(colorStops(text), colors);
}

TEST(ColorStops, AreNothingElse) {
  for (const char* text : {"", "gray", "#000000", "#000000 #ff80", "#000000 #ff80zz", "#000000,#ff8001",
                           "#000000 ff8001#", "#000000 #ff8001 "})
    EXPECT_TRUE(colorStops(text).empty()) << text;
  EXPECT_EQ(colorStops(colorStopsText(std::vector<Color>(kMostStops))).size(), kMostStops);
  EXPECT_TRUE(colorStops(colorStopsText(std::vector<Color>(kMostStops + 1))).empty());
}

}  // namespace
}  // namespace sulcus
