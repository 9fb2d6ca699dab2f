#include "core/image/warp.h"

#include "core/base/error.h"
#include "tests/support/expect_error.h"
#include "tests/support/grid.h"

#include <cmath>

#include <gtest/gtest.h>

namespace sulcus {
namespace {

using test::gridOf;

/// The point of the moving image for a point of the reference: rotated, stretched and shifted, mm, RAS+.
Vec3<double> movedPoint(const Vec3<double>& x) {
  return {1.1 * x.x - 0.2 * x.y + 3, 0.2 * x.x + 0.9 * x.y - 4, 1.05 * x.z + 2};
}

/// FSL coordinates of a point of an image in mm, by definition: voxels × their size, with x reversed if the
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

TEST_P(Warps, AMatrixOfFlirtLeadsBetweenTheFramesOfItsImages) {
  // FLIRT's matrix maps FSL coordinates of the moving image to those of the reference: from four points of
  // movedPoint().
  const auto inverse = [&](const Vec3<double>& q) {
    Affine map;
    map.m = {{{1.1, -0.2, 0}, {0.2, 0.9, 0}, {0, 0, 1.05}}}, map.t = {3, -4, 2};
    return map.inverse().point(q);
  };
  const Vec3<double> spacing = moving.spacing();
  const auto worldOf = [&](Vec3<double> fsl) {
    Vec3<double> v{fsl.x / spacing.x, fsl.y / spacing.y, fsl.z / spacing.z};
    if (moving.worldFromVoxel.determinant() > 0) v.x = moving.size.x - 1 - v.x;
    return moving.worldFromVoxel.point(v);
  };
  Affine flirt;
  flirt.t = fslOf(reference, inverse(worldOf({0, 0, 0})));
  for (int c = 0; c < 3; ++c) {
    Vec3<double> unit{};
    unit[c] = 1;
    const Vec3<double> column = fslOf(reference, inverse(worldOf(unit))) - flirt.t;
    for (int r = 0; r < 3; ++r) flirt.m[std::size_t(r)][std::size_t(c)] = column[r];
  }
  const Affine found = templateFromReferenceOfFlirt(flirt, moving, reference);
  for (const Vec3<double> x : {Vec3<double>{1, 2, 3}, Vec3<double>{-40, 7, 12}})
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(found.point(x)[i], movedPoint(x)[i], 1e-9);
  EXPECT_THROW(templateFromReferenceOfFlirt(Affine{{}, {}}, moving, reference), Error);
}

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

// The first axes of both images to the left (left-handed) or to the right.
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
