#include "core/registration/deformation/folds.h"

#include "core/registration/deformation/registration_kernel.h"
#include "tests/core/registration/deformation/level_inputs.h"

#include <gmock/gmock.h>

namespace sulcus::registration {
namespace {

/// The displacement of h(x) = x, except for one voxel that is moved along x by `voxels`.
VectorField<float> oneMoved(const Vec3<int>& size, const Vec3<int>& at, float voxels) {
  VectorField<float> u(size);
  u.set(at.x, at.y, at.z, {-2 * voxels, 0, 0});  // h = x − u, in voxels of 2 mm
  return u;
}

TEST(Folds, AreNoneWhereNothingMoves) {
  const auto folds = foldsOf(VectorField<float>({5, 6, 7}), {1, 2, 3}, {});
  EXPECT_EQ(folds.smallestJ, 1);
  EXPECT_TRUE(folds.cells.empty());
}

TEST(Folds, AreTheCellsBetweenAVoxelAndTheNeighborItPasses) {
  const Vec3<int> size{6, 6, 6};
  EXPECT_TRUE(foldsOf(oneMoved(size, {2, 3, 3}, 0.9f), {2, 2, 2}, {}).cells.empty());
  const auto folds = foldsOf(oneMoved(size, {2, 3, 3}, 1.5f), {2, 2, 2}, {});
  EXPECT_NEAR(folds.smallestJ, -0.5, 1e-6);  // the edge to the next voxel along x is reversed
  const auto index = [](int x, int y, int z) { return std::int64_t(x + 6 * (y + 6 * z)); };
  EXPECT_THAT(folds.cells,
              ::testing::ElementsAre(index(2, 2, 2), index(2, 3, 2), index(2, 2, 3), index(2, 3, 3)));
}

TEST(Folds, OfNoiseAreThoseOfTheDeterminantsOfItsEdges) {
  // J at the lowest corner of each cell is computed from positions instead of displacements.
  test::Rng rng(1);
  const Vec3<int> size{6, 5, 7};
  const Vec3<double> spacing{1, 2, 0.5};
  const auto u = test::displacementOf<float>(size, 0.2, 0.3, rng);
  const auto folds = foldsOf(u, spacing, {});
  const auto h = [&](int x, int y, int z) {
    const auto d = u(x, y, z);
    return Vec3<double>{x * spacing.x - d.x, y * spacing.y - d.y, z * spacing.z - d.z};
  };
  double smallest = 1;
  for (int z = 0; z < 6; ++z)
    for (int y = 0; y < 4; ++y)
      for (int x = 0; x < 5; ++x)
        for (int c = 0; c < 8; ++c) {
          const int i = c & 1, j = c >> 1 & 1, k = c >> 2;
          const Vec3<double> a = h(x + 1, y + j, z + k) - h(x, y + j, z + k),
                             b = h(x + i, y + 1, z + k) - h(x + i, y, z + k),
                             d = h(x + i, y + j, z + 1) - h(x + i, y + j, z);
          smallest = std::min(smallest, dot(a, cross(b, d)) / (spacing.x * spacing.y * spacing.z));
        }
  EXPECT_LT(smallest, 0);
  EXPECT_NEAR(folds.smallestJ, smallest, 1e-6);
}

VectorField<double> inDouble(const VectorField<float>& u) {
  VectorField<double> wide(u.size);
  for (std::size_t a = 0; a < 3; ++a) wide.values[a].assign(u.values[a].begin(), u.values[a].end());
  return wide;
}

/// J by central differences at a voxel.
double centralJ(const VectorField<double>& u, const Vec3<double>& spacing, int x, int y, int z) {
  return 1 +
         volumeChange(centralGradient(u.at(0, x, y, z), u.at(1, x, y, z), u.at(2, x, y, z), u.row, u.plane,
                                      Vec3<double>{0.5 / spacing.x, 0.5 / spacing.y, 0.5 / spacing.z}));
}

TEST(CornerJ, HasJByCentralDifferencesAsItsMean) {
  test::Rng rng(4);
  const Vec3<int> size{7, 6, 5};
  const Vec3<double> spacing{1, 2, 0.5};
  const auto u = test::displacementOf<float>(size, 0.3, 0.3, rng);
  const auto wide = inDouble(u);
  for (int z = 0; z < size.z; ++z)
    for (int y = 0; y < size.y; ++y)
      for (int x = 0; x < size.x; ++x) {
        double mean = 0, smallest = INFINITY;
        for (int corner = 0; corner < 8; ++corner) {
          const std::int64_t i = corner & 1 ? 1 : -1, j = corner & 2 ? 1 : -1, k = corner & 4 ? 1 : -1;
          const double at =
              cornerJ(u.at(0, x, y, z), u.at(1, x, y, z), u.at(2, x, y, z),
                      Vec3<std::int64_t>{i, j * u.row, k * u.plane},
                      Vec3<double>{double(i) / spacing.x, double(j) / spacing.y, double(k) / spacing.z});
          mean += at / 8, smallest = std::min(smallest, at);
        }
        EXPECT_NEAR(mean, centralJ(wide, spacing, x, y, z), 1e-12);
        EXPECT_NEAR(smallestCornerJ(u.at(0, x, y, z), u.at(1, x, y, z), u.at(2, x, y, z), u.row, u.plane,
                                    inverseOf<float>(spacing)),
                    smallest, 1e-5);
      }
}

TEST(CornerJ, SeesACheckerboardThatCentralDifferencesDoNotSee) {
  const Vec3<int> size{8, 8, 8};
  VectorField<float> u(size);
  for (int z = 1; z < 7; ++z)
    for (int y = 1; y < 7; ++y)
      for (int x = 1; x < 7; ++x) u.set(x, y, z, {(x + y + z) % 2 ? 0.6f : -0.6f, 0, 0});
  EXPECT_EQ(centralJ(inDouble(u), {1, 1, 1}, 4, 4, 4), 1);
  EXPECT_NEAR(smallestCornerJ(u.at(0, 4, 4, 4), u.at(1, 4, 4, 4), u.at(2, 4, 4, 4), u.row, u.plane,
                              Vec3<float>{1, 1, 1}),
              1 - 1.2, 1e-6);
  EXPECT_NEAR(foldsOf(u, {1, 1, 1}, {}).smallestJ, 1 - 1.2, 1e-6);
}

TEST(Unfolding, LeavesNoFoldAndTouchesOnlyItsSurroundings) {
  const Vec3<int> size{16, 16, 16};
  const Vec3<double> spacing{2, 2, 2};
  const auto before = oneMoved(size, {5, 6, 7}, 2.5f);
  auto u = before;
  auto folds = foldsOf(u, spacing, {});
  EXPECT_FALSE(folds.cells.empty());
  const double moved = unfold(u, spacing, folds, {});
  EXPECT_TRUE(folds.cells.empty());
  EXPECT_GT(folds.smallestJ, 0);
  EXPECT_LE(moved, 5);
  EXPECT_GT(moved, 1);
  for (int z = 0; z < 16; ++z)
    for (int y = 0; y < 16; ++y)
      for (int x = 0; x < 16; ++x)
        if (std::max({std::abs(x - 5), std::abs(y - 6), std::abs(z - 7)}) > 4) {
          EXPECT_EQ(u(x, y, z), before(x, y, z));
        }
}

TEST(Unfolding, OfNoiseMakesEveryVolumePositiveAndLeavesTheBorderAtRest) {
  test::Rng rng(2);
  for (const Vec3<int> size : {Vec3<int>{12, 13, 14}, Vec3<int>{20, 20, 1}}) {
    const Vec3<double> spacing{1, 1.5, 1};
    auto u = test::displacementOf<float>(size, 0.3, 1.5, rng);
    auto folds = foldsOf(u, spacing, {});
    EXPECT_GT(folds.cells.size(), 20u);
    unfold(u, spacing, folds, {});
    EXPECT_TRUE(folds.cells.empty());
    const auto wide = inDouble(u);
    for (int z = 0; z < size.z; ++z)
      for (int y = 0; y < size.y; ++y)
        for (int x = 0; x < size.x; ++x) {
          EXPECT_GT(centralJ(wide, spacing, x, y, z), 0);
          if (x == 0 || y == 0 || x == size.x - 1 || y == size.y - 1) {
            EXPECT_EQ(norm(u(x, y, z)), 0);
          }
        }
  }
}

TEST(Unfolding, LeavesADisplacementThatDoesNotFoldAsItIs) {
  test::Rng rng(3);
  auto u = test::displacementOf<float>({10, 10, 10}, 0.2, 0, rng);
  const auto before = u;
  auto folds = foldsOf(u, {1, 1, 1}, {});
  EXPECT_EQ(unfold(u, {1, 1, 1}, folds, {}), 0);
  EXPECT_EQ(u.values, before.values);
}

}  // namespace
}  // namespace sulcus::registration
