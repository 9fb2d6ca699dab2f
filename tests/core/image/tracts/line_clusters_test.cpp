#include "core/image/tracts/line_clusters.h"

#include <cmath>
#include <limits>
#include <numeric>

#include <gtest/gtest.h>

namespace sulcus {
namespace {

/// A line along x from −20 to 20 through (0, y, z), or in the opposite direction.
void addLine(Tracts& tracts, float y, float z, bool turned = false) {
  for (int n = 0; n <= 40; n += 4) tracts.points.push_back({float(turned ? 20 - n : n - 20), y, z});
  tracts.first.push_back(tracts.points.size());
}

std::vector<std::uint32_t> allOf(const Tracts& tracts) {
  std::vector<std::uint32_t> lines(tracts.lines());
  std::iota(lines.begin(), lines.end(), 0);
  return lines;
}

TEST(ShortLine, HasPlacesEvenlyAlongTheLine) {
  const Vec3<float> bent[] = {{0, 0, 0}, {10, 0, 0}, {10, 0, 0}, {10, 1, 0}};
  const ShortLine places = shortened(bent);
  for (std::size_t n = 0; n < places.size(); ++n) {
    const float at = float(n);  // 11 mm in eleven steps
    EXPECT_NEAR(places[n].x, std::min(at, 10.f), 1e-5);
    EXPECT_NEAR(places[n].y, std::max(at - 10.f, 0.f), 1e-5);
  }
  const Vec3<float> point[] = {{1, 2, 3}};
  EXPECT_EQ(shortened(point)[7], (Vec3<float>{1, 2, 3}));
}

TEST(DistanceOf, IsTheSameForLinesThatRunTheOtherWay) {
  Tracts tracts;
  addLine(tracts, 0, 0);
  addLine(tracts, 3, 4, true);
  EXPECT_NEAR(distanceOf(shortened(tracts.line(0)), shortened(tracts.line(1))), 5, 1e-5);
}

TEST(ClustersOf, AreLinesThatLieTogether) {
  Tracts tracts;
  for (int n = 0; n < 30; ++n) addLine(tracts, 0.1f * float(n % 7), 0, n % 2 == 1);
  for (int n = 0; n < 50; ++n) addLine(tracts, 30, 0.1f * float(n % 5), n % 3 == 0);
  tracts.first.push_back(tracts.points.size());  // without points
  const auto groups = clustersOf(tracts, 5);
  ASSERT_EQ(groups.size(), 2u);
  EXPECT_EQ(groups[0].name, "cluster 1");
  EXPECT_EQ(groups[0].lines.size(), 50u);
  EXPECT_EQ(groups[0].lines.front(), 30u);
  EXPECT_EQ(groups[1].lines.size(), 30u);
  EXPECT_EQ(clustersOf(tracts, 50).size(), 1u);
}

TEST(DistancesToNearest, AreThoseOfAllPairs) {
  Tracts a, b;
  for (int n = 0; n < 20; ++n) addLine(a, float(n), float(n % 3));
  for (int n = 0; n < 15; ++n) addLine(b, 1.3f * float(n), float(n % 4), n % 2 == 0);
  const auto distances = distancesToNearest(a, allOf(a), b);
  for (std::size_t i = 0; i < a.lines(); ++i) {
    double nearest = 1e9;
    for (std::size_t j = 0; j < b.lines(); ++j)
      nearest = std::min(nearest, distanceOf(shortened(a.line(i)), shortened(b.line(j))));
    EXPECT_EQ(distances[i], nearest);
  }
  EXPECT_EQ(distancesToNearest(a, allOf(a), {}).front(), std::numeric_limits<double>::infinity());
}

TEST(LinesNotIn, AreThoseWithOtherPoints) {
  Tracts a, b;
  for (int n = 0; n < 5; ++n) addLine(a, float(n), 0);
  for (const int n : {3, 1, 7}) addLine(b, float(n), 0);
  EXPECT_EQ(linesNotIn(a, b), (std::vector<std::uint32_t>{0, 2, 4}));
  EXPECT_EQ(linesNotIn(b, a), (std::vector<std::uint32_t>{2}));
}

}  // namespace
}  // namespace sulcus
