#include "core/registration/results/transform_chain.h"

#include "core/base/error.h"
#include "tests/support/expect_error.h"
#include "tests/support/grid.h"

#include <cmath>
#include <memory>

#include <gmock/gmock.h>

namespace sulcus::registration {
namespace {

using test::gridOf;
using testing::HasSubstr;

Affine shiftBy(Vec3<double> t) {
  Affine map;
  map.t = t;
  return map;
}

Affine scaleBy(double factor) {
  Affine map;
  for (std::size_t i = 0; i < 3; ++i) map.m[i][i] = factor;
  return map;
}

/// p + 1.5 sin(p.y / 4) along x, followed by a rotation.
std::shared_ptr<const Series<float>> bent(const Grid& grid) {
  auto field = std::make_shared<Series<float>>(grid, 3);
  for (std::int64_t i = 0; i < grid.voxels(); ++i) {
    const Vec3<int> v = grid.voxel(i);
    const Vec3<double> p = grid.worldFromVoxel.point({double(v.x), double(v.y), double(v.z)});
    field->at(i, 0) = float(1.5 * std::sin(p.y / 4) + 0.1 * p.y);
    field->at(i, 1) = float(-0.1 * p.x + 0.2 * p.z);
    field->at(i, 2) = 2;
  }
  return field;
}

void expectAt(const Vec3<double>& found, const Vec3<double>& wanted, double tolerance = 1e-9) {
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(found[i], wanted[i], tolerance) << "axis " << i;
}

TEST(TransformChain, LeadsPointsThroughTheLastTransformFirst) {
  // The image is transformed by the shift and then by the scale; a point of the result is mapped back by the
  // scale first.
  const TransformChain chain({{shiftBy({1, 0, 0})}, {scaleBy(2)}});
  bool reached = false;
  expectAt(chain({3, 4, 5}, reached), {7, 8, 10});
  EXPECT_TRUE(reached);
}

TEST(TransformChain, UndoesLinearMaps) {
  const TransformChain chain(
      {{shiftBy({1, 0, 0})}, {scaleBy(2)}, {scaleBy(2), nullptr, true}, {shiftBy({1, 0, 0}), nullptr, true}});
  bool reached = false;
  expectAt(chain({3, 4, 5}, reached), {3, 4, 5});
}

TEST(TransformChain, UndoesAFieldWithItsAffinePart) {
  const Grid grid = gridOf({24, 24, 24}, {1, 1.5, 2});
  const auto field = bent(grid);
  const TransformChain there({{{}, field}}), back({{{}, field, true}});
  for (const Vec3<double> p :
       {Vec3<double>{8, 9, 10}, Vec3<double>{12.3, 20, 31.7}, Vec3<double>{15, 14, 20}}) {
    bool reached = false;
    const Vec3<double> moved = there(p, reached);
    ASSERT_TRUE(reached);
    expectAt(back(moved, reached), p, 5e-3);
    EXPECT_TRUE(reached);
  }
}

TEST(TransformChain, UndoesAFieldOfAPlane) {
  const Grid grid = gridOf({24, 24, 1}, {1, 1, 3});
  auto field = std::make_shared<Series<float>>(grid, 3);
  for (std::int64_t i = 0; i < grid.voxels(); ++i) field->at(i, 0) = float(std::sin(grid.voxel(i).y / 4.0));
  const TransformChain there({{{}, field}}), back({{{}, field, true}});
  bool reached = false;
  expectAt(back(there({9, 11, 0}, reached), reached), {9, 11, 0}, 5e-3);
  EXPECT_TRUE(reached);
}

TEST(TransformChain, TellsWhatAFieldDoesNotReach) {
  const Grid grid = gridOf({8, 8, 8}, {1, 1, 1});
  const TransformChain chain({{{}, std::make_shared<const Series<float>>(grid, 3)}, {shiftBy({4, 0, 0})}});
  bool reached = true;
  chain({5, 1, 1}, reached);
  EXPECT_FALSE(reached) << "the shift leads out of the field";
  chain({3, 1, 1}, reached);
  EXPECT_TRUE(reached);
  Mask covered;
  const Series<float> u = chain.on(grid, covered, {});
  EXPECT_FLOAT_EQ(u.at(grid.index(2, 3, 4), 0), 4);
  EXPECT_EQ(covered(3, 0, 0), 1);
  EXPECT_EQ(covered(5, 0, 0), 0);
}

TEST(TransformChain, RefusesWhatCannotBeUndone) {
  EXPECT_THAT(test::errorOf([] {
                TransformChain({{scaleBy(0), nullptr, true}});
              }),
              HasSubstr("A transform has no inverse"));
}

}  // namespace
}  // namespace sulcus::registration
