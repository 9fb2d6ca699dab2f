#include "core/phantom/registration_phantom.h"

#include "core/registration/resample.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

namespace sulcus::phantom {
namespace {

RegistrationPhantomOptions small(double noise = 0) {
  RegistrationPhantomOptions options;
  options.size = 64, options.noise = noise;
  return options;
}

TEST(RegistrationPhantom, IsTheTemplateUnderItsTrueDisplacement) {
  const auto phantom = makeRegistrationPhantom(small());
  const auto warped = registration::displaced(*phantom.templateImage, *phantom.truth,
                                              registration::Interpolation::linear, 0, {});
  double misfit = 0, without = 0;
  for (std::int64_t i = 0; i < warped.grid.voxels(); ++i) {
    misfit += std::pow(warped.at(i, 0) - phantom.reference->at(i, 0), 2);
    without += std::pow(phantom.templateImage->at(i, 0) - phantom.reference->at(i, 0), 2);
  }
  EXPECT_LE(misfit, 0.1 * without);  // interpolation blurs the edges
}

TEST(RegistrationPhantom, MovesAsFarAsAskedWithoutFoldingAndNotAtTheBorder) {
  for (const int seed : {1, 2, 3}) {
    auto options = small();
    options.seed = seed;
    const auto phantom = makeRegistrationPhantom(options);
    const auto& d = *phantom.truth;
    const Grid& g = d.grid;
    double longest = 0, smallest = 1;
    for (int z = 0; z < g.size.z; ++z)
      for (int y = 0; y < g.size.y; ++y)
        for (int x = 0; x < g.size.x; ++x) {
          const auto i = g.index(x, y, z);
          const double length = std::hypot(d.at(i, 0), d.at(i, 1), d.at(i, 2)) / 2;
          longest = std::max(longest, length);
          const bool border = x == 0 || y == 0 || z == 0 || x == 63 || y == 63 || z == 63;
          if (border) {
            EXPECT_LE(length, 0.1);
            continue;
          }
          double h[3][3];
          const std::int64_t step[3] = {1, 64, 64 * 64};
          for (int a = 0; a < 3; ++a)
            for (int b = 0; b < 3; ++b)
              h[a][b] = (a == b) + (d.at(i + step[b], a) - d.at(i - step[b], a)) / 8;  // 4 mm, in voxels of 2
          smallest = std::min(smallest, h[0][0] * (h[1][1] * h[2][2] - h[1][2] * h[2][1]) -
                                            h[0][1] * (h[1][0] * h[2][2] - h[1][2] * h[2][0]) +
                                            h[0][2] * (h[1][0] * h[2][1] - h[1][1] * h[2][0]));
        }
    EXPECT_NEAR(longest, 4, 0.2);
    EXPECT_GT(smallest, 0.2);
  }
}

TEST(RegistrationPhantom, HasNoiseOfTheAskedStrengthInBothImages) {
  const auto clean = makeRegistrationPhantom(small(0)), noisy = makeRegistrationPhantom(small(5));
  for (const auto& [a, b] :
       {std::pair{clean.templateImage, noisy.templateImage}, {clean.reference, noisy.reference}}) {
    double sum = 0, square = 0;
    const double n = double(a->values.size());
    for (std::size_t i = 0; i < a->values.size(); ++i) {
      const double d = double(b->values[i]) - a->values[i];
      sum += d / n, square += d * d / n;
    }
    EXPECT_NEAR(sum, 0, 5 * 50 / std::sqrt(n));
    EXPECT_NEAR(std::sqrt(square), 50, 0.5);
  }
  EXPECT_NE(noisy.templateImage->values[0] - clean.templateImage->values[0],
            noisy.reference->values[0] - clean.reference->values[0]);
}

TEST(RegistrationPhantom, OfTheCHasAGapWhereTheDiskHasNone) {
  auto options = small();
  options.kind = RegistrationPhantomKind::c;
  const auto phantom = makeRegistrationPhantom(options);
  EXPECT_EQ(phantom.truth, nullptr);
  const Grid& grid = phantom.reference->grid;
  EXPECT_EQ(grid.size, (Vec3<int>{64, 64, 32}));
  const auto value = [&](const Series<float>& image, int x, int y) {
    return image.at(grid.index(x, y, 16), 0);
  };
  EXPECT_LT(value(*phantom.templateImage, 32, 32), 10);  // middle
  EXPECT_LT(value(*phantom.templateImage, 47, 32), 10);  // slot
  EXPECT_GT(value(*phantom.templateImage, 17, 32), 990);
  for (const int x : {17, 32, 47}) EXPECT_GT(value(*phantom.reference, x, 32), 990);
}

}  // namespace
}  // namespace sulcus::phantom
