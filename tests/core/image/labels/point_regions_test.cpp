#include "core/image/labels/point_regions.h"

#include <cmath>

#include <gtest/gtest.h>

namespace sulcus {
namespace {

/// A strip of two squares of 2 mm: points 0 … 5, three below and three above.
Mesh strip() {
  Mesh mesh;
  for (const float y : {0.F, 2.F})
    for (const float x : {0.F, 2.F, 4.F}) mesh.points.push_back({x, y, 1});
  mesh.triangles = {{0, 1, 4}, {0, 4, 3}, {1, 2, 5}, {1, 5, 4}};
  return mesh;
}

TEST(PointRegions, HaveTheirShareOfTheAreaAndAPointInTheirMiddle) {
  const auto regions = pointRegions(strip(), {3, 3, 8, 3, 3, NAN});
  ASSERT_EQ(regions.size(), 2u);
  EXPECT_EQ(regions[0].label, 3);
  EXPECT_EQ(regions[0].points, 4);
  EXPECT_NEAR(regions[0].area, 4 + 2 * (1. / 3 + 2. / 3), 1e-12);
  EXPECT_EQ(regions[1].label, 8);
  EXPECT_NEAR(regions[1].area, 2. / 3, 1e-12);
  EXPECT_EQ(regions[1].middle, (Vec3<double>{4, 0, 1}));
}

TEST(PointRegions, ExcludeZeroAndWhatHasNoLabel) {
  EXPECT_TRUE(pointRegions(strip(), {0, 0, NAN, 0, NAN, 0}).empty());
  EXPECT_TRUE(pointRegions({}, {}).empty());
}

TEST(PointRegions, HaveTheirMiddleOnThemselvesWhereTheyAreBent) {
  Mesh ring;
  std::vector<float> labels;
  for (int i = 0; i < 12; ++i) {
    const double angle = 2 * 3.14159265358979 * i / 12;
    ring.points.push_back({float(10 * std::cos(angle)), float(10 * std::sin(angle)), 0});
    labels.push_back(i < 9 ? 1 : 0);
  }
  const auto regions = pointRegions(ring, labels);
  ASSERT_EQ(regions.size(), 1u);
  EXPECT_NEAR(norm(regions[0].middle), 10, 1e-5);
}

}  // namespace
}  // namespace sulcus
