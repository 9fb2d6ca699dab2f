#include "ui/scene/common/scale_bar.h"

#include "tests/ui/scene/off_screen.h"
#include "ui/scene/slices/slice_scene.h"

namespace sulcus::ui::scene {
namespace {

TEST(ScaleLengthTest, IsTheLongestRoundLengthThatFits) {
  const auto of = [](double millimetersPerPixel, double pixels) {
    const ScaleLength length = scaleLength(millimetersPerPixel, pixels);
    EXPECT_LE(length.millimeters, millimetersPerPixel * pixels * (1 + 1e-9));
    return length.text;
  };
  EXPECT_EQ(of(0.5, 110), "5 cm");
  EXPECT_EQ(of(0.5, 99), "2 cm");
  EXPECT_EQ(of(0.5, 100), "5 cm") << "just";
  EXPECT_EQ(of(0.1, 100), "1 cm");
  EXPECT_EQ(of(0.1, 99), "5 mm");
  EXPECT_EQ(of(0.01, 30), "0.2 mm");
  EXPECT_EQ(of(5, 100), "50 cm");
}

class ScaleBarDrawing : public Drawing {};

TEST_F(ScaleBarDrawing, IsAsLongAsItSays) {
  window->SetSize(400, 400);
  SliceScene scene(window);
  scene.setLayers({volumeLayer(centeredGrid(50, 2), [](auto) { return 0; })});
  // 200 mm on 400 pixels: a quarter of the width is 50 mm, 100 pixels.
  scene.look({.extent = 200, .crosshairVisible = false, .lettersVisible = false, .scaleBar = true});
  scene.render();
  keep("scale_bar");
  int longest = 0;
  // To the right of its text, which is also white.
  for (int y = 26; y < 60; ++y) longest = std::max(longest, count(288, y, 400, y + 1, isWhite));
  EXPECT_NEAR(longest, 100, 3);
  scene.look({.extent = 200, .crosshairVisible = false, .lettersVisible = false});
  scene.render();
  EXPECT_EQ(count(200, 26, 400, 60, isWhite), 0);
}

}  // namespace
}  // namespace sulcus::ui::scene
