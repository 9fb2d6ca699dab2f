#include "core/image/diffusion/diffusion_tensor.h"

#include "tests/support/expect_error.h"
#include "tests/support/grid.h"

#include <cmath>

#include <gtest/gtest.h>

namespace sulcus {
namespace {

using test::gridOf;

/// One voxel with xx xy xz yy yz zz in the given order.
Series<float> tensorIn(const Grid& grid, const std::array<float, 6>& entries,
                       const std::array<int, 6>& places) {
  Series<float> image(grid, 6);
  for (std::size_t e = 0; e < 6; ++e) image.at(0, places[e]) = entries[e];
  return image;
}

TEST(DiffusionTensor, ReadsEachOrderOfVolumes) {
  const std::array<float, 6> entries{1, 2, 3, 4, 5, 6};
  const Grid left = gridOf({1, 1, 1}, {-2, 2, 2});  // left-handed: FSL's axes are those of the image
  const std::array<int, 6> fsl{0, 1, 2, 3, 4, 5}, mrtrix{0, 3, 4, 1, 5, 2}, lower{0, 1, 3, 2, 4, 5};
  // The first axis runs to the left, so that xy and xz along it have the opposite sign to those of the
  // scanner.
  const std::vector<float> turned{1, -2, -3, 4, 5, 6}, same{1, 2, 3, 4, 5, 6};
  EXPECT_EQ(diffusionTensor(tensorIn(left, entries, fsl), TensorOrder::fsl).values, turned);
  EXPECT_EQ(diffusionTensor(tensorIn(left, entries, mrtrix), TensorOrder::mrtrix).values, same);
  EXPECT_EQ(diffusionTensor(tensorIn(left, entries, lower), TensorOrder::ants).values, turned);
  const Grid right = gridOf({1, 1, 1}, {2, 2, 2});
  EXPECT_EQ(diffusionTensor(tensorIn(right, entries, fsl), TensorOrder::fsl).values, turned);
  EXPECT_EQ(diffusionTensor(tensorIn(right, entries, lower), TensorOrder::ants).values, same);
  EXPECT_EQ(diffusionTensor(tensorIn(right, entries, lower), TensorOrder::dipy).values, turned);
  test::expectError([&] { diffusionTensor(Series<float>(right, 5), TensorOrder::fsl); },
                    {"5 volumes", "six"});
  test::expectError([] { tensorOrderFrom("afni"); }, {"'afni'"});
}

TEST(DiffusionTensor, GivesTheKnownMaps) {
  // Eigenvalues 1.7, 0.3 and 0.2 · 10⁻³ mm²/s, the first along (1, 1, 0).
  const Grid grid = gridOf({2, 1, 1}, {2, 2, 2});
  Series<float> tensor(grid, 6);
  const double mean = (1.7e-3 + 0.3e-3) / 2, half = (1.7e-3 - 0.3e-3) / 2;
  tensor.at(0, 0) = tensor.at(0, 3) = float(mean), tensor.at(0, 1) = float(half), tensor.at(0, 5) = 0.2e-3F;
  const auto maps = diffusionMaps(tensor);
  ASSERT_EQ(maps.size(), 4u);
  const auto at = [&](std::size_t map) { return std::get<VolumeLayer>(maps[map].content).series->at(0, 0); };
  const double md = 2.2 / 3;
  const double fa = std::sqrt(1.5 * (std::pow(1.7 - md, 2) + std::pow(0.3 - md, 2) + std::pow(0.2 - md, 2)) /
                              (1.7 * 1.7 + 0.3 * 0.3 + 0.2 * 0.2));
  EXPECT_EQ(maps[0].name, "fa");
  EXPECT_NEAR(at(0), fa, 1e-5);
  EXPECT_NEAR(at(1), md, 1e-5);
  EXPECT_NEAR(at(2), 1.7, 1e-5);
  EXPECT_NEAR(at(3), 0.25, 1e-5);
  EXPECT_EQ(maps[1].unit, "10⁻³ mm²/s");
  EXPECT_EQ(std::get<VolumeLayer>(maps[0].content).series->at(1, 0), 0) << "nothing was measured there";
  const Series<float> peaks = principalDirections(tensor);
  const double along = fa * std::sqrt(0.5);
  EXPECT_NEAR(std::abs(peaks.at(0, 0)), along, 1e-5);
  EXPECT_NEAR(peaks.at(0, 0), peaks.at(0, 1), 1e-6);
  EXPECT_NEAR(peaks.at(0, 2), 0, 1e-6);
  EXPECT_TRUE(std::isnan(peaks.at(1, 0)));
}

}  // namespace
}  // namespace sulcus
