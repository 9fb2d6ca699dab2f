#include "core/registration/deformation/pyramid.h"

#include "tests/core/registration/deformation/level_inputs.h"
#include "tests/support/grid.h"

namespace sulcus::registration {
namespace {

using test::gridOf;

TEST(CoarserGrid, HasHalfTheVoxelsBetweenTheSameEnds) {
  const Grid fine = gridOf({91, 109, 64}, {2, 2, 2}, {-10, 20, 5}), coarse = coarser(fine);
  EXPECT_EQ(coarse.size, (Vec3<int>{46, 55, 32}));
  for (const Vec3<int> corner : {Vec3<int>{0, 0, 0}, Vec3<int>{1, 1, 1}, Vec3<int>{1, 0, 1}}) {
    Vec3<double> a, b;
    for (int i = 0; i < 3; ++i)
      a[i] = corner[i] * (fine.size[i] - 1), b[i] = corner[i] * (coarse.size[i] - 1);
    EXPECT_LE(norm(fine.worldFromVoxel.point(a) - coarse.worldFromVoxel.point(b)), 1e-9);
  }
}

TEST(CoarserGrid, LeavesThickSlicesAndShortAxesAlone) {
  EXPECT_EQ(coarser(gridOf({64, 64, 30}, {1, 1, 3})).size, (Vec3<int>{32, 32, 30}));
  EXPECT_EQ(coarser(gridOf({64, 64, 12}, {1, 1, 1})).size, (Vec3<int>{32, 32, 12}));
  EXPECT_EQ(coarser(gridOf({64, 64, 1}, {1, 1, 9})).size, (Vec3<int>{32, 32, 1}));
  const Grid small = gridOf({12, 12, 12}, {1, 1, 1});
  EXPECT_EQ(coarser(small).size, small.size);
}

TEST(CoarserImage, IsTheSameFunctionOfThePosition) {
  const Grid fine = gridOf({33, 40, 36}, {1, 1, 1}), coarse = coarser(fine);
  const auto value = [](const Vec3<double>& p) {
    return float(std::sin(0.15 * p.x) + 0.1 * p.y - std::cos(0.12 * p.z));
  };
  std::vector<float> image;
  for (std::int64_t i = 0; i < fine.voxels(); ++i) {
    const auto v = fine.voxel(i);
    image.push_back(value(fine.worldFromVoxel.point({double(v.x), double(v.y), double(v.z)})));
  }
  const auto small = coarsened(image, std::vector<std::uint8_t>(image.size(), 1), fine, coarse, {});
  for (std::int64_t i = 0; i < coarse.voxels(); ++i) {
    const auto v = coarse.voxel(i);
    bool inside = true;  // near the ends the smoothing uses the continued border
    for (int a = 0; a < 3; ++a) inside &= v[a] > 2 && v[a] < coarse.size[a] - 3;
    if (inside) {
      EXPECT_NEAR(small[std::size_t(i)],
                  value(coarse.worldFromVoxel.point({double(v.x), double(v.y), double(v.z)})), 0.03);
    }
  }
}

TEST(CoarserImage, IsMadeOfTheVoxelsThatCount) {
  const Grid fine = gridOf({32, 32, 32}, {1, 1, 1}), coarse = coarser(fine);
  std::vector<float> image;
  std::vector<std::uint8_t> mask;
  for (std::int64_t i = 0; i < fine.voxels(); ++i) {
    mask.push_back(fine.voxel(i).x < 16);
    image.push_back(mask.back() ? 1.f : 1000.f);
  }
  const auto small = coarsened(image, mask, fine, coarse, {});
  const auto kept = coarsened(mask, fine, coarse);
  for (std::size_t i = 0; i < small.size(); ++i) {
    if (kept[i]) {
      EXPECT_NEAR(small[i], 1, 1e-3);
    }
  }
}

TEST(CoarserMask, IsThatOfTheNearestVoxel) {
  const Grid fine = gridOf({16, 16, 16}, {1, 1, 1}), coarse = coarser(fine);
  std::vector<std::uint8_t> mask(16 * 16 * 16);
  for (std::int64_t i = 0; i < fine.voxels(); ++i) mask[std::size_t(i)] = fine.voxel(i).x < 8;
  const auto small = coarsened(mask, fine, coarse);
  for (std::int64_t i = 0; i < coarse.voxels(); ++i) EXPECT_EQ(small[std::size_t(i)], coarse.voxel(i).x < 4);
}

TEST(RefinedDisplacement, IsTheSameInMillimetersAndAtRestOnTheBorder) {
  const Vec3<int> coarse{8, 9, 10}, fine{15, 17, 19};  // exactly half the spacing
  VectorField<float> u(coarse);
  for (int z = 1; z < 9; ++z)
    for (int y = 1; y < 8; ++y)
      for (int x = 1; x < 7; ++x) u.set(x, y, z, {float(x + 10 * y), float(z), float(x * z)});
  const auto v = refined(u, fine, {});
  EXPECT_EQ(v(6, 8, 10), u(3, 4, 5));
  EXPECT_NEAR(v(7, 8, 10).x, 0.5f * (u(3, 4, 5).x + u(4, 4, 5).x), 1e-5);
  EXPECT_NEAR(v(6, 9, 11).z, 0.25f * (u(3, 4, 5).z + u(3, 5, 5).z + u(3, 4, 6).z + u(3, 5, 6).z), 1e-5);
  for (int z = 0; z < 19; ++z)
    for (int y = 0; y < 17; ++y) EXPECT_EQ(norm(v(0, y, z)) + norm(v(14, y, z)), 0);
}

}  // namespace
}  // namespace sulcus::registration
