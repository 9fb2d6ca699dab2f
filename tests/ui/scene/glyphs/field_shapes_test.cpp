#include "ui/scene/glyphs/field_shapes.h"

#include "tests/ui/scene/glyphs/fields.h"
#include "tests/ui/scene/off_screen.h"

#include <cmath>

#include <gtest/gtest.h>

namespace sulcus::ui::scene {
namespace {

const FieldColor byX = [](const Vec3<double>& u) { return Rgb{std::uint8_t(u.x), 1, 2}; };

std::vector<Vec3<double>> pointsOf(const std::vector<float>& values) {
  std::vector<Vec3<double>> points;
  for (std::size_t i = 0; i + 2 < values.size(); i += 3)
    points.push_back({values[i], values[i + 1], values[i + 2]});
  return points;
}

Grid obliqueGrid() {
  Grid grid;
  grid.size = {20, 24, 16};
  const double c = std::cos(0.4), s = std::sin(0.4);
  grid.worldFromVoxel.m = {{{-1.5 * c, -2 * s, 0.3}, {1.5 * s, -2 * c, 0.5}, {0.2, 0.1, 3}}};
  grid.worldFromVoxel.t = -grid.center();
  return grid;
}

/// Voxels from a position to the nearest plane of the grid lines that crosses `axis`.
double fromLattice(const Vec3<double>& voxel, int axis) {
  return std::abs(voxel[axis] - std::round(voxel[axis]));
}

TEST(WarpedGrid, HasEachPointMovedByTheFieldAndNothingElse) {
  const auto field = fieldOf(centeredGrid(9, 2), [](auto) { return Vec3<float>{3, -1, 0}; });
  Sticks lines;
  appendGridLines(FieldSampler(field, false), {{0, 0, 2}, {0, 0, 1}}, 4, true, byX, lines);
  // Three lines of 8 pieces in each direction, minus those outside the image: one line, and the last piece of
  // three.
  const auto points = pointsOf(lines.points);
  ASSERT_FALSE(points.empty());
  for (const auto& p : points) {
    EXPECT_EQ(p.z, 2);
    const bool along = std::fmod(std::abs(p.x - 3), 8) < 1e-4,
               across = std::fmod(std::abs(p.y + 1), 8) < 1e-4;
    EXPECT_TRUE(along || across) << p.x << ", " << p.y;
    EXPECT_LE(std::abs(p.x), 9);
  }
  EXPECT_EQ(lines.count(), 2 * 8 + 3 * 7);
  EXPECT_EQ(lines.colors[0], 3);
}

TEST(WarpedGrid, OmitsWhatWouldLeaveTheImage) {
  const auto field = fieldOf(centeredGrid(9, 2), [](auto) { return Vec3<float>{300, 0, 0}; });
  Sticks lines;
  appendGridLines(FieldSampler(field, false), {{}, {0, 0, 1}}, 2, true, byX, lines);
  EXPECT_EQ(lines.count(), 0);
}

TEST(WarpedGrid, LiesOnTheVoxelLatticeOfAnObliqueImage) {
  const Grid grid = obliqueGrid();
  const auto field = fieldOf(grid, [](auto) { return Vec3<float>{}; });
  const Affine voxelFromWorld = grid.worldFromVoxel.inverse();
  for (const auto& normal : {Vec3<double>{0, 0, 1}, Vec3<double>{0, 1, 0}, Vec3<double>{1, 0, 0}}) {
    Sticks lines;
    appendGridLines(FieldSampler(field, false), {{1, 2, 3}, normal}, 3, true, byX, lines);
    EXPECT_GT(lines.count(), 100);
    for (const auto& p : pointsOf(lines.points)) {
      EXPECT_NEAR(dot(p - Vec3<double>{1, 2, 3}, normal), 0, 1e-4);
      const auto v = voxelFromWorld.point(p);
      int on = 0;
      for (int axis = 0; axis < 3; ++axis) on += fromLattice(v, axis) < 1e-4;
      EXPECT_GE(on, 2) << "a knot of two families of lattice planes";
    }
  }
}

TEST(WarpedGrid, LeavesItsPlaneOnlyIn3d) {
  const auto field = fieldOf(centeredGrid(9, 2), [](auto) { return Vec3<float>{0, 0, 2.5}; });
  for (const bool flat : {true, false}) {
    Sticks lines;
    appendGridLines(FieldSampler(field, false), {{}, {0, 0, 1}}, 4, flat, byX, lines);
    ASSERT_GT(lines.count(), 0);
    for (const auto& p : pointsOf(lines.points)) EXPECT_EQ(p.z, flat ? 0 : 2.5);
  }
}

TEST(WarpedGrid, SkipsWhatIsNotANumber) {
  const auto field = fieldOf(centeredGrid(9, 2), [](auto p) { return Vec3<float>{p.x > 0 ? NAN : 0, 0, 0}; });
  Sticks lines;
  appendGridLines(FieldSampler(field, false), {{}, {0, 0, 1}}, 1, true, byX, lines);
  EXPECT_GT(lines.count(), 30);
  for (const auto& p : pointsOf(lines.points)) EXPECT_LE(p.x, 0);
}

TEST(AffinePart, IsAllOfAnAffineDisplacement) {
  const Grid grid = obliqueGrid();
  const auto field = fieldOf(grid, [](const Vec3<double>& p) {
    return Vec3<float>{float(30 + 0.2 * p.x - 0.1 * p.z), float(-12 + 0.3 * p.y), float(0.05 * p.x)};
  });
  const FieldSampler rest(field, true), all(field, false);
  for (const Vec3<double>& v : {Vec3<double>{0, 0, 0}, {19, 3.5, 7.25}, {4.5, 23, 15}}) {
    EXPECT_LT(norm(rest.at(v)), 1e-4);
    const auto p = grid.worldFromVoxel.point(v);
    EXPECT_NEAR(all.at(v).y, -12 + 0.3 * p.y, 1e-4);
  }
}

TEST(AffinePart, LeavesADentWhereItIs) {
  const auto field = fieldOf(centeredGrid(41, 2), [](const Vec3<double>& p) {
    return Vec3<float>{float(25 + 0.1 * p.y), float(4 * std::exp(-dot(p, p) / 50)), 0};
  });
  const FieldSampler rest(field, true);
  EXPECT_NEAR(rest.at({20, 20, 20}).y, 4, 0.1);
  EXPECT_NEAR(rest.at({20, 20, 20}).x, 0, 1e-3);
  EXPECT_LT(norm(rest.at({3, 38, 20})), 0.1);
}

TEST(Arrows, LeadFromTheVoxelToWhereTheFieldPoints) {
  const auto field = fieldOf(centeredGrid(9, 2), [](auto) { return Vec3<float>{4, 3, 1}; });
  const std::int64_t middle = field.grid.index(4, 4, 4);
  for (const bool flat : {true, false}) {
    Arrows arrows;
    appendArrows(FieldSampler(field, false), {middle}, {{{}, {0, 0, 1}}, 3, flat}, byX, arrows);
    const auto& [shafts, heads] = arrows;
    const auto shaft = pointsOf(shafts.points), head = pointsOf(heads.points);
    ASSERT_EQ(shaft.size(), 2u);
    EXPECT_LT(norm(shaft[0]), 1e-6);
    EXPECT_LT(norm(head[0] - Vec3<double>{4, 3, flat ? 0.0 : 1.0}), 1e-6) << "the tip, at true length";
    EXPECT_GT(dot(shaft[1], head[0]), 0);
    EXPECT_LT(norm(shaft[1]), norm(head[0]));
    EXPECT_EQ(heads.triangles.size(), flat ? 3u : 18u);
  }
}

TEST(Arrows, StandEverySoManyVoxelsOfThePlane) {
  const Grid grid = centeredGrid(10, 1);
  const auto voxels = arrowVoxels(grid, {{0, 0, 0.5}, {0, 0, 1}}, 3);
  EXPECT_EQ(voxels.size(), 16u);
  for (const std::int64_t i : voxels) {
    EXPECT_EQ(grid.voxel(i).z, 5);
    EXPECT_EQ(grid.voxel(i).x % 3, 0);
    EXPECT_EQ(grid.voxel(i).y % 3, 0);
  }
}

TEST(Arrows, AreOmittedWhereTheyLeadFarOutOfTheImage) {
  const auto field = fieldOf(centeredGrid(9, 2), [](auto) { return Vec3<float>{60, 0, 0}; });
  Arrows arrows;
  const CutPlane plane{{}, {0, 0, 1}};
  appendArrows(FieldSampler(field, false), arrowVoxels(field.grid, plane, 2), {plane, 2, true}, byX, arrows);
  EXPECT_EQ(arrows.shafts.count(), 0);
  EXPECT_TRUE(arrows.heads.points.empty());
}

}  // namespace
}  // namespace sulcus::ui::scene
