#include "core/image/grids/interpolate.h"

#include "tests/support/for_each_seed.h"

#include <cmath>
#include <numeric>
#include <vector>

namespace sulcus {
namespace {

/// A random image on a small grid.
struct SmallImage {
  Vec3<int> size{5, 4, 6};
  std::vector<double> values;
  explicit SmallImage(test::Rng& rng) : values(std::size_t(size.x * size.y * size.z)) {
    for (auto& v : values) v = rng.uniform(-1, 1);
  }
};

TEST(Interpolation, ContinuesTheEdgeAndSurvivesAnything) {
  test::forEachSeed(5, [](test::Rng& rng) {
    const SmallImage image(rng);
    EXPECT_EQ(interpolated(image.values.data(), cellAt(image.size, -3.0, -1.0, -9.0)), image.values.front());
    EXPECT_EQ(interpolated(image.values.data(), cellAt(image.size, 1e9, 1e9, 1e9)), image.values.back());
    EXPECT_EQ(interpolated(image.values.data(), cellAt(image.size, 4.0, 3.0, 5.0)), image.values.back());
    EXPECT_TRUE(std::isfinite(
        interpolated(image.values.data(), cellAt(image.size, double(NAN), 1.0, double(INFINITY)))));
  });
}

TEST(Interpolation, IsTheSumOfTheCornersByTheirWeights) {
  test::forEachSeed(20, [](test::Rng& rng) {
    const SmallImage image(rng);
    const auto cell = cellAt(image.size, rng.uniform(-1, 5), rng.uniform(-1, 4), rng.uniform(-1, 6));
    const auto weights = cornerWeights(cell);
    const auto steps = cornerSteps(cell);
    EXPECT_NEAR(std::accumulate(weights.begin(), weights.end(), 0.0), 1, 1e-14);
    double sum = 0;
    for (std::size_t i = 0; i < 8; ++i) sum += weights[i] * image.values[std::size_t(cell.corner + steps[i])];
    EXPECT_NEAR(interpolated(image.values.data(), cell), sum, 1e-14);
  });
}

TEST(Interpolation, HasTheSlopeOfItsCell) {
  test::forEachSeed(20, [](test::Rng& rng) {
    const SmallImage image(rng);
    const double x = 1 + rng.uniform(0.1, 0.9), y = rng.uniform(0.1, 0.9), z = 4 + rng.uniform(0.1, 0.9),
                 e = 1e-4;
    const auto value = [&](double dx, double dy, double dz) {
      return interpolated(image.values.data(), cellAt(image.size, x + dx, y + dy, z + dz));
    };
    const Cell<double> c = cellAt(image.size, x, y, z);
    const auto at = interpolatedWithSlope(
        c,
        [&](int i, int j, int k) {
          return image.values[std::size_t(c.corner + i * c.dx + j * c.dy + k * c.dz)];
        },
        [](double f, double a, double b) { return interpolatedBetween(f, a, b); });
    EXPECT_EQ(at.value, value(0, 0, 0));
    EXPECT_NEAR(at.dx, (value(e, 0, 0) - value(-e, 0, 0)) / (2 * e), 1e-10);
    EXPECT_NEAR(at.dy, (value(0, e, 0) - value(0, -e, 0)) / (2 * e), 1e-10);
    EXPECT_NEAR(at.dz, (value(0, 0, e) - value(0, 0, -e)) / (2 * e), 1e-10);
  });
}

TEST(ExtendedCell, IsTheSameInsideAndContinuesALinearFunctionOutside) {
  const Vec3<int> size{3, 1, 2};
  std::vector<double> values;
  for (int z = 0; z < 2; ++z)
    for (int x = 0; x < 3; ++x) values.push_back(2 * x - 3 * z + 1);
  test::forEachSeed(20, [&](test::Rng& rng) {
    const double x = rng.uniform(-2, 4), z = rng.uniform(-2, 3);
    const auto cell = extendedCellAt(size, x, rng.uniform(-1, 1), z);
    EXPECT_NEAR(interpolated(values.data(), cell), 2 * x - 3 * z + 1, 1e-12);
    EXPECT_EQ(cell.fy, 0) << "an axis of one voxel has no slope";
  });
  const auto inside = cellAt(size, 1.25, 0.0, 0.75), extended = extendedCellAt(size, 1.25, 0.0, 0.75);
  EXPECT_EQ(inside.corner, extended.corner);
  EXPECT_EQ(inside.fx, extended.fx);
  EXPECT_EQ(inside.fz, extended.fz);
}

TEST(IsInImage, TakesWholeVoxels) {
  const Vec3<int> size{3, 4, 1};
  EXPECT_TRUE(isInImage(size, Vec3<double>{-0.5, 3.5, 0.5}));
  EXPECT_FALSE(isInImage(size, Vec3<double>{-0.51, 0, 0}));
  EXPECT_FALSE(isInImage(size, Vec3<double>{0, 3.51, 0}));
  EXPECT_FALSE(isInImage(size, Vec3<double>{0, 0, double(NAN)}));
}

}  // namespace
}  // namespace sulcus
