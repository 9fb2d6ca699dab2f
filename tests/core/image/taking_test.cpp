#include "core/image/taking.h"

#include "core/image/layer.h"
#include "tests/support/expect_error.h"
#include "tests/support/grid.h"

#include <gtest/gtest.h>

namespace sulcus {
namespace {

using test::expectError;

Layer volumes(int count, float value = 1) {
  Layer layer;
  layer.name = "image";
  layer.source = "image.nii";
  layer.content = VolumeLayer{
      std::make_shared<const Series<float>>(test::gridOf({2, 2, 2}, {2, 2, 2}), count, value), {}, 0, {}};
  return layer;
}

TEST(Taking, FlipsGradientsAndPeaksAndSaysSo) {
  Layer scan = volumes(2);
  std::get<VolumeLayer>(scan.content).gradients.rows = {{0, {}}, {1000, {1, 0, 0}}};
  const Layer flipped = taken(scan, {"axes -x y z"});
  EXPECT_EQ(std::get<VolumeLayer>(flipped.content).gradients.rows[1].directionWorld,
            (Vec3<double>{-1, 0, 0}));
  ASSERT_EQ(flipped.takings.size(), 1u);
  EXPECT_EQ(flipped.takings[0].how, "axes -x y z");
  EXPECT_NE(flipped.notes.back().find("x flipped"), std::string::npos);
  const Layer peaks = taken(taken(volumes(3), {"peaks"}), {"axes x -y z"});
  EXPECT_EQ(std::get<PeaksLayer>(peaks.content).peaks->at(0, 1), -1);
  EXPECT_EQ(std::get<PeaksLayer>(taken(volumes(3), {"peaks image"}).content).peaks->at(0, 0), -1)
      << "of a right-handed image FSL reverses the first axis";
}

TEST(Taking, MakesTensorsAndDisplacements) {
  const Layer tensor = taken(volumes(6), {"tensor mrtrix"});
  EXPECT_EQ(std::get<PeaksLayer>(tensor.content).tensor->count, 6);
  const Layer field = taken(volumes(3), {"displacement itk"});
  EXPECT_EQ(std::get<DisplacementLayer>(field.content).displacement->at(0, 0), -1);
  EXPECT_EQ(field.unit, "mm");
  const Grid far = test::gridOf({2, 2, 2}, {2, 2, 2}, {100, 0, 0});
  const Layer moved = taken(volumes(3), {"displacement fsl-relative", far});
  EXPECT_NEAR(std::get<DisplacementLayer>(moved.content).displacement->at(0, 0), 100 - 1, 1e-4);
}

TEST(Taking, RefusesWhatDoesNotFit) {
  expectError([] { taken(volumes(2), {"axes -x y z"}); }, {"'image'", "directions"});
  expectError([] { taken(volumes(4), {"peaks"}); }, {"4 volumes"});
  expectError([] { taken(volumes(5), {"tensor fsl"}); }, {"5 volumes"});
  expectError([] { taken(volumes(6), {"tensor none"}); }, {"'none'"});
  expectError([] { taken(volumes(3), {"displacement none"}); }, {"'none'"});
  expectError([] { taken(volumes(3), {"sphere"}); }, {"'sphere'"});
  Layer colors = volumes(3);
  std::get<VolumeLayer>(colors.content).colors = true;
  expectError([&] { taken(colors, {"peaks"}); }, {"color image"});
}

}  // namespace
}  // namespace sulcus
