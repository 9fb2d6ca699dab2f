// Landmarks in slices and in 3D.
#include "ui/scene/slices/landmark_marks.h"

#include "tests/ui/scene/off_screen.h"
#include "ui/scene/slices/slice_scene.h"
#include "ui/scene/volume3d/scene_3d.h"

namespace sulcus::ui::scene {
namespace {

SceneLayer landmarks(std::vector<std::vector<std::string>> rows) {
  auto layer = std::make_shared<Layer>();
  layer->content = TableLayer{{"landmark", "moved_x_mm", "moved_y_mm", "moved_z_mm", "reference_x_mm",
                               "reference_y_mm", "reference_z_mm"},
                              std::move(rows)};
  SceneLayer made{7, layer, {}, 0};
  made.name = "landmarks";
  return made;
}

const auto isPink = [](const auto& p) { return p.r > 180 && p.g < 160 && p.b > 140; };
const auto isCyan = [](const auto& p) { return p.r < 110 && p.g > 160 && p.b > 180; };
const auto isGray = [](const auto& p) { return p.r > 90 && p.r == p.g && p.g == p.b; };

class LandmarkDrawing : public Drawing {
 protected:
  /// An axial slice at z mm, half a millimeter for each pixel, with the patient's right at the right.
  void slice(const SceneLayer& layer, double z) {
    if (!slices) slices = std::make_unique<SliceScene>(window);
    slices->setLayers({layer});
    slices->look({.normal = 2,
                  .radiological = false,
                  .crosshair = {0, 0, z},
                  .extent = 100,
                  .crosshairVisible = false,
                  .lettersVisible = false,
                  .keys = false});
    slices->render();
  }
  std::unique_ptr<SliceScene> slices;
};

TEST_F(LandmarkDrawing, RingsEachPlaceInTheColorOfItsColumnsAndJoinsThem) {
  slice(landmarks({{"AC", "-20", "0", "0", "20", "0", "0"}}), 0);
  keep("landmarks");
  EXPECT_GT(count(50, 90, 70, 110, isPink), 20);
  EXPECT_EQ(count(50, 90, 70, 110, isCyan), 0);
  EXPECT_GT(count(130, 90, 150, 110, isCyan), 20);
  EXPECT_GT(count(95, 95, 125, 105, isGray), 10) << "the line between them";
  EXPECT_GT(count(70, 92, 95, 108, isWhite), 10) << "the name";
}

TEST_F(LandmarkDrawing, ShrinksWithTheDistanceFromThePlaneUntilItIsGone) {
  const SceneLayer layer = landmarks({{"", "0", "0", "0", "n/a", "0", "0"}});
  int before = 1 << 20;
  for (const double z : {0.0, 3.0, 5.0}) {
    slice(layer, z);
    const int pink = count(80, 80, 120, 120, isPink);
    EXPECT_LT(pink, before) << z;
    EXPECT_GT(pink, 0) << z;
    before = pink;
  }
  slice(layer, 7);
  EXPECT_EQ(count(0, 0, 200, 200, isPink), 0);
}

TEST_F(LandmarkDrawing, StandsWhereItIsIn3dAndIsToldByTheLegend) {
  Scene3d scene(window);
  auto image = volumeLayer(centeredGrid(20, 4), [](auto) { return 0.2; });
  scene.setLayers({image, landmarks({{"AC", "-20", "10", "0", "20", "10", "0"}})});
  scene.lookFrom('S');
  scene.render();
  keep("landmarks3d");
  EXPECT_GT(count(20, 90, 95, 160, isPink), 20);
  EXPECT_EQ(count(105, 90, 180, 150, isPink), 0);
  EXPECT_GT(count(105, 90, 180, 150, isCyan), 20);
  EXPECT_GT(count(0, 150, 100, 200, isCyan), 0) << "the legend";
  scene.setLayers({image});
  scene.render();
  EXPECT_EQ(count(0, 0, 200, 200, isPink), 0);
}

}  // namespace
}  // namespace sulcus::ui::scene
