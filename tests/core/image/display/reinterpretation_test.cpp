#include "core/image/display/reinterpretation.h"

#include "core/image/diffusion/harmonics_image.h"
#include "core/image/diffusion/spherical_harmonics.h"
#include "core/image/layer.h"
#include "tests/support/expect_error.h"
#include "tests/support/form_matrix.h"
#include "tests/support/grid.h"

#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

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

TEST(Reinterpretation, FlipsGradientsAndPeaksAndSaysSo) {
  Layer scan = volumes(2);
  std::get<VolumeLayer>(scan.content).gradients.rows = {{0, {}}, {1000, {1, 0, 0}}};
  const Layer flipped = reinterpret(scan, {"axes -x y z"});
  EXPECT_EQ(std::get<VolumeLayer>(flipped.content).gradients.rows[1].directionWorld,
            (Vec3<double>{-1, 0, 0}));
  ASSERT_EQ(flipped.reinterpretations.size(), 1u);
  EXPECT_EQ(flipped.reinterpretations[0].how, "axes -x y z");
  EXPECT_NE(flipped.notes.back().text.line().find("x flipped"), std::string::npos);
  const Layer peaks = reinterpret(reinterpret(volumes(3), {"peaks"}), {"axes x -y z"});
  EXPECT_EQ(std::get<PeaksLayer>(peaks.content).peaks->at(0, 1), -1);
  EXPECT_EQ(std::get<PeaksLayer>(reinterpret(volumes(3), {"peaks image"}).content).peaks->at(0, 0), -1)
      << "of a right-handed image FSL reverses the first axis";
}

TEST(Reinterpretation, MakesTensorsAndDisplacements) {
  const Layer tensor = reinterpret(volumes(6), {"tensor mrtrix"});
  EXPECT_EQ(std::get<PeaksLayer>(tensor.content).tensor->count, 6);
  const Layer field = reinterpret(volumes(3), {"displacement itk"});
  EXPECT_EQ(std::get<DisplacementLayer>(field.content).displacement->at(0, 0), -1);
  EXPECT_EQ(field.unit, "mm");
  const Grid far = test::gridOf({2, 2, 2}, {2, 2, 2}, {100, 0, 0});
  const Layer moved = reinterpret(volumes(3), {"displacement fsl-relative", far});
  EXPECT_NEAR(std::get<DisplacementLayer>(moved.content).displacement->at(0, 0), 100 - 1, 1e-4);
}

TEST(Reinterpretation, MakesFunctionsOfHarmonics) {
  Layer image = volumes(15, 0);
  auto series = std::make_shared<Series<float>>(*std::get<VolumeLayer>(image.content).series);
  // Y_00 alone in one voxel; x² − y² (m = 2) in another: a large value along x, none along y.
  series->at(0, shIndex(0, 0)) = float(std::sqrt(4 * std::numbers::pi));
  series->at(1, shIndex(0, 0)) = 1, series->at(1, shIndex(2, 2)) = 1;
  series->at(2, 3) = std::numeric_limits<float>::quiet_NaN();
  std::get<VolumeLayer>(image.content).series = series;
  const Layer functions = reinterpret(image, {"harmonics"});
  ASSERT_TRUE(isFunctionAlone(functions));
  EXPECT_EQ(kindOf(functions), "functions on the sphere");
  const Series<float>& forms = *std::get<PeaksLayer>(functions.content).tensor;
  const auto valueAt = [&](std::int64_t voxel, const Vec3<double>& g) {
    const Eigen::MatrixXd row = test::formMatrix(4, std::vector{g});
    double sum = 0;
    for (int u = 0; u < 15; ++u) sum += row(0, u) * forms.at(voxel, u);
    return sum;
  };
  EXPECT_NEAR(valueAt(0, {1, 0, 0}), 1, 1e-6);
  EXPECT_NEAR(valueAt(0, normalized(Vec3<double>{1, -2, 3})), 1, 1e-6);
  const double y00 = 0.5 / std::sqrt(std::numbers::pi), y22 = 0.25 * std::sqrt(15 / std::numbers::pi);
  EXPECT_NEAR(valueAt(1, {1, 0, 0}), y00 + y22, 1e-6);
  EXPECT_NEAR(valueAt(1, {0, 1, 0}), y00 - y22, 1e-6);
  for (int u = 0; u < 15; ++u) EXPECT_EQ(forms.at(2, u), 0) << "what is no number";
  const Series<float> back = harmonicsOf(forms);
  for (int v = 0; v < 15; ++v) EXPECT_NEAR(back.at(1, v), series->at(1, v), 1e-5);
  expectError([] { reinterpret(volumes(14), {"harmonics"}); }, {"14 volumes", "6, 15, 28"});
  expectError([] { reinterpret(volumes(1), {"harmonics"}); }, {"1 volumes"});
}

TEST(Reinterpretation, RefusesWhatDoesNotFit) {
  expectError([] { reinterpret(volumes(2), {"axes -x y z"}); }, {"'image'", "directions"});
  expectError([] { reinterpret(volumes(4), {"peaks"}); }, {"4 volumes"});
  expectError([] { reinterpret(volumes(5), {"tensor fsl"}); }, {"5 volumes"});
  expectError([] { reinterpret(volumes(6), {"tensor none"}); }, {"'none'"});
  expectError([] { reinterpret(volumes(3), {"displacement none"}); }, {"'none'"});
  expectError([] { reinterpret(volumes(3), {"sphere"}); }, {"'sphere'"});
  Layer colors = volumes(3);
  std::get<VolumeLayer>(colors.content).colors = true;
  expectError([&] { reinterpret(colors, {"peaks"}); }, {"color image"});
}

}  // namespace
}  // namespace sulcus
