#include "core/image/grids/image_algebra.h"

#include "core/base/error.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace sulcus {
namespace {

/// `count` volumes of 6³ voxels of `spacing` mm from the origin on; a voxel is valueAt(world, volume).
template <class Value>
Layer image(const char* name, double spacing, int count, Value&& valueAt, const char* unit = "mm") {
  Grid grid;
  grid.size = {6, 6, 6};
  grid.worldFromVoxel.m = {{{-spacing, 0, 0}, {0, spacing, 0}, {0, 0, spacing}}};
  auto series = std::make_shared<Series<float>>(grid, count);
  for (int v = 0; v < count; ++v)
    for (std::int64_t i = 0; i < grid.voxels(); ++i) {
      const Vec3<int> p = grid.voxel(i);
      series->at(i, v) =
          float(valueAt(grid.worldFromVoxel.point({double(p.x), double(p.y), double(p.z)}), v));
    }
  Layer layer;
  layer.name = name, layer.unit = unit;
  layer.content = VolumeLayer{series, {}, 0, {}};
  return layer;
}

const Series<float>& valuesOf(const Layer& layer) { return *std::get<VolumeLayer>(layer.content).series; }

TEST(ImageAlgebraTest, SubtractsVoxelByVoxelOnOneGrid) {
  const Layer a = image("a", 2, 2, [](auto p, int v) { return p.y + 10 * v; });
  const Layer b = image("b", 2, 1, [](auto p, int) { return p.z; });
  const Layer difference = differenceOf(a, 1, b, 0, Progress());
  EXPECT_EQ(difference.name, "a \xE2\x88\x92 b");
  EXPECT_EQ(difference.unit, "mm");
  const Series<float>& values = valuesOf(difference);
  EXPECT_EQ(values.count, 1);
  EXPECT_EQ(values.at(values.grid.index(1, 3, 2), 0), 6 + 10 - 4);
  EXPECT_EQ(difference.display.range->low, -difference.display.range->high) << "zero is the middle";
  EXPECT_TRUE(difference.display.visible);
}

TEST(ImageAlgebraTest, ResamplesToTheGridOfTheSecondAndHasNothingOutsideTheFirst) {
  const auto plane = [](auto p, int) { return 2 * p.x + 3 * p.y - p.z; };
  const Layer fine = image("fine", 1, 1, plane), coarse = image(
                                                     "coarse", 3, 1, [](auto, int) { return 1; }, "");
  const Layer difference = differenceOf(fine, 0, coarse, 0, Progress());
  EXPECT_EQ(difference.unit, "") << "they share none";
  const Series<float>& values = valuesOf(difference);
  EXPECT_TRUE(sameGrid(values.grid, valuesOf(coarse).grid));
  EXPECT_NEAR(values.at(values.grid.index(1, 1, 1), 0), -2 * 3 + 3 * 3 - 3 - 1, 1e-4)
      << "x leads to the left";
  EXPECT_TRUE(std::isnan(values.at(values.grid.index(4, 0, 0), 0))) << "12 mm off an image of 6 mm";
  EXPECT_EQ(difference.notes.front(), "fine was resampled to the grid of coarse, linearly.");
}

TEST(ImageAlgebraTest, TakesMeanAndDeviationOverTheVolumes) {
  const float samples[] = {1, 2, 4, 9};
  const Layer series = image("bold", 2, 4, [&](auto p, int v) {
    return p.y == 0 && p.z == 0 && v > 0 ? std::numeric_limits<float>::quiet_NaN() : samples[v] + 100000;
  });
  const Layer means = meanOf(series, Progress()), deviations = deviationOf(series, Progress());
  const Series<float>&mean = valuesOf(means), &sd = valuesOf(deviations);
  const std::int64_t whole = mean.grid.index(2, 3, 1), one = mean.grid.index(2, 0, 0);
  EXPECT_FLOAT_EQ(mean.at(whole, 0), 100004);
  EXPECT_NEAR(sd.at(whole, 0), std::sqrt((9 + 4 + 0 + 25) / 3.0), 1e-5);
  EXPECT_FLOAT_EQ(mean.at(one, 0), 100001);
  EXPECT_TRUE(std::isnan(sd.at(one, 0))) << "one value does not vary";
  EXPECT_EQ(means.name, "mean of bold");
}

TEST(ImageAlgebraTest, RefusesWhatIsNeitherASeriesNorAnImage) {
  const Layer one = image("T1", 2, 1, [](auto, int) { return 1; });
  EXPECT_THROW(meanOf(one, Progress()), Error);
  EXPECT_THROW(deviationOf(one, Progress()), Error);
  Layer mesh;
  mesh.content = MeshLayer{};
  EXPECT_THROW(differenceOf(one, 0, mesh, 0, Progress()), Error);
}

}  // namespace
}  // namespace sulcus
