#include "core/registration/preparation/noise.h"

#include "tests/support/for_each_seed.h"

#include <cmath>

#include <gtest/gtest.h>

namespace sulcus::registration {
namespace {

/// A normal variable.
double normal(test::Rng& rng) {
  return std::sqrt(-2 * std::log(1 - rng.uniform())) * std::cos(2 * M_PI * rng.uniform());
}

TEST(NoiseOf, AnImageIsThatOfItsVoxelsAndNotItsEdges) {
  for (const Vec3<int>& size : {Vec3<int>{40, 40, 40}, {160, 150, 1}})
    for (const double noise : {0.01, 0.03, 0.1}) {
      test::Rng rng(1);
      std::vector<float> image;
      for (int z = 0; z < size.z; ++z)
        for (int y = 0; y < size.y; ++y)
          for (int x = 0; x < size.x; ++x) {
            const bool bright =
                std::hypot(x - 0.5 * size.x, y - 0.5 * size.y, z - 0.5 * size.z) < 0.3 * size.x;
            image.push_back(float((bright ? 1 : 0.4) + 0.1 * std::sin(0.3 * x) + noise * normal(rng)));
          }
      const std::vector<std::uint8_t> all(image.size(), 1);
      EXPECT_NEAR(noiseOf(image, all, size) / noise, 1, 0.12) << noise;
    }
}

TEST(NoiseOf, IsNothingWhereNothingCountsOrVaries) {
  const Vec3<int> size{8, 8, 8};
  const std::vector<float> flat(512, 3.F);
  EXPECT_EQ(noiseOf(flat, std::vector<std::uint8_t>(512, 1), size), 0);
  EXPECT_EQ(noiseOf(flat, std::vector<std::uint8_t>(512, 0), size), 0);
}

}  // namespace
}  // namespace sulcus::registration
