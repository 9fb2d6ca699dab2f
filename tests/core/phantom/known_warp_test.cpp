#include "core/phantom/known_warp.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace sulcus::phantom {
namespace {

TEST(KnownWarp, IsAsLongAsAskedAndZeroAtTheFaces) {
  for (const int seed : {1, 2, 3}) {
    const KnownWarp warp(seed, 64, 5);
    double longest = 0;
    for (int x = -32; x <= 32; x += 2)
      for (int y = -32; y <= 32; y += 2)
        for (int z = -32; z <= 32; z += 2) {
          const Vec3<double> p{double(x), double(y), double(z)};
          const double length = norm(warp(p));
          longest = std::max(longest, length);
          if (std::max({std::abs(x), std::abs(y), std::abs(z)}) == 32) {
            EXPECT_EQ(length, 0);
          }
        }
    EXPECT_NEAR(longest, 5, 1e-9);  // at the samples of the constructor
  }
}

TEST(KnownWarp, GrowsWithTheCube) {
  const KnownWarp warp(4, 64, 3.2), unit(4, 1, 0.05);
  for (const Vec3<double>& q : {Vec3<double>{0, 0, 0}, {0.1, -0.2, 0.3}, {-0.4, 0.25, 0.05}})
    EXPECT_LE(norm(warp(64.0 * q) - 64.0 * unit(q)), 1e-12);
  EXPECT_GT(norm(warp({0, 0, 0}) - KnownWarp(5, 64, 3.2)({0, 0, 0})), 0.1) << "another seed, another warp";
}

TEST(KnownWarp, OfNoLengthLeadsNowhere) { EXPECT_EQ(norm(KnownWarp(1, 64, 0)({3, 4, 5})), 0); }

}  // namespace
}  // namespace sulcus::phantom
