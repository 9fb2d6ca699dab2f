#include "core/image/warp.h"

#include "tests/support/expect_error.h"
#include "tests/support/grid.h"

#include <cmath>

#include <gtest/gtest.h>

namespace sulcus {
namespace {

using test::gridOf;

/// The point of the moving image for a point of the reference: turned, stretched and moved, mm, RAS+.
Vec3<double> movedPoint(const Vec3<double>& x) {
  return {1.1 * x.x - 0.2 * x.y + 3, 0.2 * x.x + 0.9 * x.y - 4, 1.05 * x.z + 2};
}

/// FSL's mm of a point of an image, by the definition: voxels × their size, x from the other end where the
/// axes are right-handed.
Vec3<double> fslOf(const Grid& grid, const Vec3<double>& world) {
  Vec3<double> v = grid.worldFromVoxel.inverse().point(world);
  if (grid.worldFromVoxel.determinant() > 0) v.x = grid.size.x - 1 - v.x;
  const Vec3<double> spacing = grid.spacing();
  return {v.x * spacing.x, v.y * spacing.y, v.z * spacing.z};
}

struct Warps : testing::TestWithParam<std::pair<double, double>> {
  Grid reference = gridOf({5, 6, 7}, {GetParam().first, 3, 4}, {7, -8, 9});
  Grid moving = gridOf({9, 8, 7}, {GetParam().second, 1.5, 2}, {-5, 6, -7});

  /// A warp whose numbers at x are `valueOf(x)`.
  template <class Value>
  Series<float> warp(Value&& valueOf) const {
    Series<float> made(reference, 3);
    for (std::int64_t i = 0; i < reference.voxels(); ++i) {
      const Vec3<int> v = reference.voxel(i);
      const Vec3<double> value =
          valueOf(reference.worldFromVoxel.point({double(v.x), double(v.y), double(v.z)}));
      for (int c = 0; c < 3; ++c) made.at(i, c) = float(value[c]);
    }
    return made;
  }
  void expectTruth(const Series<float>& warp, WarpFormat format) const {
    const Series<float> u = displacementOf(warp, format, moving),
                        truth = this->warp([](const Vec3<double>&x) { return movedPoint(x) - x; });
    for (std::size_t i = 0; i < truth.values.size(); ++i)
      ASSERT_NEAR(u.values[i], truth.values[i], 1e-4) << i;
  }
};

TEST_P(Warps, OfEachFormatLeadToTheSamePoints) {
  const auto moved = [](const Vec3<double>& x) { return movedPoint(x) - x; };
  expectTruth(warp(moved), WarpFormat::displacement);
  expectTruth(warp([&](const Vec3<double>& x) {
                const Vec3<double> u = moved(x);
                return Vec3<double>{-u.x, -u.y, u.z};
              }),
              WarpFormat::itk);
  expectTruth(warp(movedPoint), WarpFormat::deformation);
  expectTruth(warp([&](const Vec3<double>& x) { return fslOf(moving, movedPoint(x)) - fslOf(reference, x); }),
              WarpFormat::fslRelative);
  expectTruth(warp([&](const Vec3<double>& x) { return fslOf(moving, movedPoint(x)); }),
              WarpFormat::fslAbsolute);
}

TEST_P(Warps, AreToldApartByWhereTheyLead) {
  const auto small = [](const Vec3<double>& x) { return Vec3<double>{1, 0.5 * std::sin(x.x), -1}; };
  EXPECT_EQ(likelyFormat(warp(small)), WarpFormat::displacement);
  EXPECT_EQ(likelyFormat(warp([&](const Vec3<double>& x) { return x + small(x); })), WarpFormat::deformation);
  EXPECT_EQ(likelyFormat(warp([&](const Vec3<double>& x) { return fslOf(reference, x) + small(x); })),
            WarpFormat::fslAbsolute);
}

// First axes to the left (left-handed) and to the right of either image.
INSTANTIATE_TEST_SUITE_P(Handedness, Warps,
                         testing::Values(std::pair{-2.0, -1.0}, std::pair{2.0, -1.0}, std::pair{-2.0, 1.0},
                                         std::pair{2.0, 1.0}));

TEST(Warp, HasNoDisplacementWhereNothingIsKnown) {
  const Grid grid = gridOf({3, 1, 1}, {2, 2, 2}, {5, 5, 5});
  Series<float> warp(grid, 3, 1);
  warp.at(0, 1) = std::nanf("");
  for (int c = 0; c < 3; ++c) warp.at(1, c) = 0;
  const Series<float> u = displacementOf(warp, WarpFormat::deformation);
  for (int c = 0; c < 3; ++c) EXPECT_EQ(u.at(0, c) + u.at(1, c), 0);
  EXPECT_EQ(u.at(2, 0), 1 - 9);
  const WarpReach reach = reachOf(u, grid);
  EXPECT_NEAR(reach.largest, std::sqrt(64 + 16 + 16.0), 1e-5);
  EXPECT_EQ(reach.outside, 1);
  test::expectError([&] { displacementOf(Series<float>(grid, 4), WarpFormat::itk); }, {"4 volumes"});
  test::expectError([] { warpFormatFrom("afni"); }, {"'afni'"});
}

}  // namespace
}  // namespace sulcus
