#include "core/phantom/cubic_interpolation.h"

#include <gtest/gtest.h>

namespace sulcus::phantom {
namespace {

Volume<float> of(const Vec3<int>& size, double (*value)(double, double, double)) {
  Volume<float> image(Grid{size, {}});
  for (std::int64_t i = 0; i < image.grid.voxels(); ++i) {
    const Vec3<int> v = image.grid.voxel(i);
    image.values[std::size_t(i)] = float(value(v.x, v.y, v.z));
  }
  return image;
}

TEST(CubicInterpolation, GoesThroughTheVoxels) {
  const auto image = of({4, 5, 3}, [](double x, double y, double z) { return x * y - 3 * z + x * x * x; });
  for (int z = 0; z < 3; ++z)
    for (int y = 0; y < 5; ++y)
      for (int x = 0; x < 4; ++x)
        EXPECT_EQ(cubicAt(image.view(), {double(x), double(y), double(z)}), image(x, y, z));
}

// Keys' kernel with a = −1/2 is of third order: it reproduces quadratic functions.
TEST(CubicInterpolation, IsExactForQuadraticFunctionsAwayFromTheBorder) {
  const auto f = [](double x, double y, double z) { return 2 + x - 0.5 * x * x + 3 * y * y * z + z * x; };
  const auto image = of({8, 8, 8}, f);
  for (double t = 1; t < 6; t += 0.17)
    EXPECT_NEAR(cubicAt(image.view(), {t, 7 - t, 0.5 * t + 1}), f(t, 7 - t, 0.5 * t + 1), 1e-9) << t;
}

TEST(CubicInterpolation, ContinuesTheBorderAndStaysInAPlane) {
  const auto image = of({4, 3, 1}, [](double x, double y, double) { return x + 10 * y; });
  EXPECT_EQ(cubicAt(image.view(), {-3, 1, 0}), 10);
  EXPECT_EQ(cubicAt(image.view(), {9, 5, 0}), 23);
  EXPECT_NEAR(cubicAt(image.view(), {1.5, 1, 0.4}), 11.5, 1e-12);
}

}  // namespace
}  // namespace sulcus::phantom
