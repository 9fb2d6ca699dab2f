#include "core/registration/deformation/inverse.h"

#include "core/registration/deformation/folds.h"
#include "core/registration/deformation/gaussian.h"
#include "core/registration/deformation/registration_kernel.h"
#include "tests/core/registration/deformation/level_inputs.h"
#include "tests/support/grid.h"

namespace sulcus::registration {
namespace {

using test::gridOf;

/// The displacement u in mm at a position in voxels.
Vec3<double> at(const VectorField<float>& u, const Vec3<double>& p) {
  std::vector<float> plain[3];
  for (int z = 0; z < u.size.z; ++z)
    for (int y = 0; y < u.size.y; ++y)
      for (int x = 0; x < u.size.x; ++x)
        for (int i = 0; i < 3; ++i) plain[i].push_back(*u.at(i, x, y, z));
  const auto cell = cellAt(u.size, p.x, p.y, p.z);
  return {interpolated(plain[0].data(), cell), interpolated(plain[1].data(), cell),
          interpolated(plain[2].data(), cell)};
}

/// The largest distance in voxels of h(inverse(z)) from z over every `stride`-th voxel z of the template,
/// computed independently of the residual that the inverse reports.
double worstMiss(const VectorField<float>& u, const Grid& reference, const Grid& templateGrid,
                 const Affine& affine, const InverseField& inverse, int stride) {
  const Vec3<double> spacing = reference.spacing();
  double worst = 0;
  for (std::int64_t i = 0; i < templateGrid.voxels(); i += stride) {
    const Vec3<int> v = templateGrid.voxel(i);
    const Vec3<double> z = templateGrid.worldFromVoxel.point({double(v.x), double(v.y), double(v.z)});
    const Vec3<double> d{inverse.displacement.at(i, 0), inverse.displacement.at(i, 1),
                         inverse.displacement.at(i, 2)};
    const Vec3<double> x = reference.worldFromVoxel.inverse().point(z + d);
    Vec3<double> moved = x;
    bool inside = true;
    for (int a = 0; a < 3; ++a) inside &= x[a] >= 0 && x[a] <= reference.size[a] - 1;
    if (inside) {
      const auto shift = at(u, x);
      for (int a = 0; a < 3; ++a) moved[a] -= shift[a] / spacing[a];
    }
    const Vec3<double> target = (affine * reference.worldFromVoxel).inverse().point(z);
    worst = std::max(worst, norm(moved - target));
  }
  return worst;
}

TEST(Inverse, OfASmoothDisplacementLeadsBack) {
  test::Rng rng(1);
  const Grid grid = gridOf({12, 13, 14}, {1, 2, 1.5});
  const auto u = test::displacementOf<float>(grid.size, 0.7, 0, rng);
  const auto inverse = invert(u, grid, grid, {}, {});
  EXPECT_LE(inverse.largestResidual, 1e-3);
  EXPECT_LE(worstMiss(u, grid, grid, {}, inverse, 7), 2e-3);
}

TEST(Inverse, ArrivesWhereTheFixedPointDiverges) {
  // The displacement is steep, with |Du| well above 1 although J > 0.
  const Grid grid = gridOf({24, 24, 8}, {1, 1, 1});
  VectorField<float> u(grid.size);
  for (int z = 1; z < 7; ++z)
    for (int y = 1; y < 23; ++y)
      for (int x = 1; x < 23; ++x)
        u.set(x, y, z, {float(-2.2 * std::sin(1.2 * x)), float(2 * std::sin(0.9 * y)), 0});
  const auto inverse = invert(u, grid, grid, {}, {});
  EXPECT_LE(inverse.largestResidual, 0.05);
  EXPECT_LE(worstMiss(u, grid, grid, {}, inverse, 11), 0.05);
}

TEST(Inverse, FindsAPointEvenWhereTheDisplacementIsNoise) {
  test::Rng rng(2);
  const Grid grid = gridOf({10, 10, 10}, {1, 1, 1});
  const auto u = test::displacementOf<float>(grid.size, 0.5, 2, rng);
  const auto inverse = invert(u, grid, grid, {}, {});
  EXPECT_LE(inverse.largestResidual, 0.05);
  EXPECT_LE(worstMiss(u, grid, grid, {}, inverse, 3), 0.05);
}

TEST(Inverse, FindsPointsAmongCellsThatHardlyKeepTheirVolume) {
  test::Rng rng(5);
  const Grid grid = gridOf({32, 32, 32}, {1, 1, 1});
  VectorField<float> u(grid.size);
  for (int i = 0; i < 3; ++i) {
    std::vector<float> noise(std::size_t(grid.voxels()));
    for (float& v : noise) v = float(rng.uniform(-60, 60));
    noise = smoothed(std::move(noise), grid.size, {3, 3, 3}, {});
    for (int z = 1; z < 31; ++z)
      for (int y = 1; y < 31; ++y)
        for (int x = 1; x < 31; ++x) *u.at(i, x, y, z) = noise[std::size_t(grid.index(x, y, z))];
  }
  Folds folds = foldsOf(u, grid.spacing(), {});
  EXPECT_GT(folds.cells.size(), 100u);
  unfold(u, grid.spacing(), folds, {});
  ASSERT_TRUE(folds.cells.empty());
  const auto inverse = invert(u, grid, grid, {}, {});
  EXPECT_LE(inverse.largestResidual, 1e-3);
  EXPECT_LE(worstMiss(u, grid, grid, {}, inverse, 101), 2e-3);
}

TEST(Inverse, LiesOnTheTemplatesGridAndUndoesThePreAlignment) {
  test::Rng rng(3);
  const Grid reference = gridOf({12, 12, 12}, {2, 2, 2});
  Grid moving = gridOf({9, 8, 7}, {-3, 3, 3});  // a flipped axis
  moving.worldFromVoxel.t = {25, -2, 1};
  Affine affine;
  affine.m = {{{0.9, 0.1, 0}, {-0.1, 1.1, 0}, {0, 0.05, 1}}};
  affine.t = {1, -2, 3};
  const auto u = test::displacementOf<float>(reference.size, 1, 0, rng);
  const auto inverse = invert(u, reference, moving, affine, {});
  EXPECT_TRUE(sameGrid(inverse.displacement.grid, moving));
  EXPECT_LE(inverse.largestResidual, 1e-3);
  EXPECT_LE(worstMiss(u, reference, moving, affine, inverse, 1), 2e-3);
}

TEST(Inverse, OfAPlaneStaysInIt) {
  test::Rng rng(4);
  const Grid grid = gridOf({15, 16, 1}, {1, 1, 5});
  const auto u = test::displacementOf<float>(grid.size, 0.7, 0, rng);
  const auto inverse = invert(u, grid, grid, {}, {});
  EXPECT_LE(inverse.largestResidual, 1e-3);
  EXPECT_LE(worstMiss(u, grid, grid, {}, inverse, 1), 2e-3);
  for (std::int64_t i = 0; i < grid.voxels(); ++i) EXPECT_EQ(inverse.displacement.at(i, 2), 0);
}

}  // namespace
}  // namespace sulcus::registration
