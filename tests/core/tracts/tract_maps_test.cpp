#include "core/tracts/tract_maps.h"

#include "core/math/philox.h"
#include "tests/core/tracts/tract_fields.h"

#include <cmath>
#include <set>

#include <gtest/gtest.h>

namespace sulcus::tracts {
namespace {

Tracts linesOf(const std::vector<std::vector<Vec3<float>>>& lines) {
  Tracts tracts;
  for (const auto& line : lines) {
    tracts.points.insert(tracts.points.end(), line.begin(), line.end());
    tracts.first.push_back(tracts.points.size());
  }
  return tracts;
}

Volume<float> densityMap(const Tracts& tracts, const Grid& grid, std::span<const float> weights = {}) {
  DensityCounter counter(grid);
  counter.add(tracts, weights);
  return counter.map();
}
Volume<float> endMap(const Tracts& tracts, const Grid& grid) {
  EndCounter counter(grid);
  counter.add(tracts);
  return counter.map();
}

double sum(const Volume<float>& map) {
  double all = 0;
  for (const float value : map.values) all += value;
  return all;
}

TEST(Density, CountsALineOnceInEachVoxelThatItCrosses) {
  const Grid grid = cube(10, 1);  // voxel centers at −4.5 … 4.5
  // Along x through seven voxels and back: each counts once.
  const Volume<float> there =
      densityMap(linesOf({{{-3.4f, 0.5f, 0.5f}, {2.6f, 0.5f, 0.5f}, {-1.4f, 0.6f, 0.5f}}}), grid);
  EXPECT_EQ(sum(there), 7);
  EXPECT_EQ(there(1, 5, 5), 1);
  EXPECT_EQ(there(7, 5, 5), 1);
  // Two lines in one voxel, one segment that leaves the grid on both sides.
  const Volume<float> two = densityMap(
      linesOf({{{-100, 0.5f, 0.5f}, {100, 0.5f, 0.5f}}, {{0.2f, -0.2f, 0.5f}, {0.2f, 0.7f, 0.5f}}}), grid);
  EXPECT_EQ(sum(two), 12);
  EXPECT_EQ(two(5, 5, 5), 2);
}

TEST(Means, AreOfTheLinesThroughAVoxelAndOfAnImageAlongThem) {
  const Grid grid = cube(10, 1);
  const Tracts lines = linesOf({{{-3.5f, 0.5f, 0.5f}, {1.5f, 0.5f, 0.5f}, {3.5f, 0.5f, 0.5f}},
                                {{-1.5f, -3.5f, 0.5f}, {-1.5f, 2.5f, 0.5f}},
                                {{50, 50, 50}, {60, 50, 50}}});
  const std::vector<float> lengths = lengthsOf(lines);
  EXPECT_EQ(lengths, (std::vector<float>{7, 6, 10}));
  Volume<float> x(grid);  // the position along x, and one voxel without a value
  for (std::int64_t v = 0; v < grid.voxels(); ++v)
    x.values[std::size_t(v)] = float(grid.worldFromVoxel.point({double(grid.voxel(v).x), 0, 0}).x);
  const std::vector<float> means = meansAlong(lines, x);
  // (−3.5 · 2.5 + 1.5 · 3.5 + 3.5 · 1) / 7: each point by half of its adjacent segments.
  EXPECT_NEAR(means[0], 0, 1e-5);
  EXPECT_NEAR(means[1], -1.5, 1e-5);
  EXPECT_TRUE(std::isnan(means[2])) << "outside of the image";
  MeanCounter ofLengths(grid), ofMeans(grid);
  ofLengths.add(lines, lengths);
  ofMeans.add(lines, means);
  const Volume<float> length = ofLengths.map(), mean = ofMeans.map();
  EXPECT_EQ(length(1, 5, 5), 7);
  EXPECT_EQ(length(3, 5, 5), 6.5f) << "both";
  EXPECT_EQ(length(3, 2, 5), 6);
  EXPECT_EQ(length(0, 0, 0), 0);
  EXPECT_NEAR(mean(3, 5, 5), -0.75, 1e-4);
}

TEST(Density, FindsTheVoxelsOfManySmallSteps) {
  Grid grid = cube(12, 2);
  grid.worldFromVoxel.m[0] = {1.8, 0.6, 0.1};  // sheared and rotated
  Tracts tracts;
  for (std::uint32_t line = 0; line < 40; ++line) {
    for (std::uint32_t end = 0; end < 2; ++end) {
      std::uint32_t words[4] = {line, end, 0, 0};
      philox(words, PhiloxKey(7));
      const auto place = [&](int n) { return float(words[n] * 0x1p-32 * 30 - 15); };
      tracts.points.push_back({place(0), place(1), place(2)});
    }
    tracts.first.push_back(tracts.points.size());
  }
  const Volume<float> map = densityMap(tracts, grid);
  const Affine voxelFromWorld = grid.worldFromVoxel.inverse();
  Volume<float> sampled(grid);
  for (std::size_t i = 0; i < tracts.lines(); ++i) {
    std::set<std::int64_t> voxels;
    const Vec3<float> a = tracts.line(i)[0], b = tracts.line(i)[1];
    constexpr int kSteps = 20000;
    for (int n = 0; n <= kSteps; ++n) {
      const double f = double(n) / kSteps;
      const Vec3<double> p =
          voxelFromWorld.point({a.x + f * (b.x - a.x), a.y + f * (b.y - a.y), a.z + f * (b.z - a.z)});
      const Vec3<int> v{int(std::floor(p.x + 0.5)), int(std::floor(p.y + 0.5)), int(std::floor(p.z + 0.5))};
      if (grid.contains(v.x, v.y, v.z)) voxels.insert(grid.index(v.x, v.y, v.z));
    }
    for (const auto voxel : voxels) sampled.values[std::size_t(voxel)] += 1;
  }
  EXPECT_GT(sum(sampled), 200);
  double missed = 0, more = 0;
  for (std::size_t v = 0; v < map.values.size(); ++v) {
    missed += std::max(0.f, sampled.values[v] - map.values[v]);
    more += std::max(0.f, map.values[v] - sampled.values[v]);
  }
  EXPECT_EQ(missed, 0) << "what samples find is crossed";
  EXPECT_LE(more, 2) << "corners that are cut by less than a sample";
}

TEST(Ends, AreCountedWhereTheyLie) {
  const Volume<float> map = endMap(
      linesOf({{{-4.5f, 0.5f, 0.5f}, {0, 0, 0}, {4.4f, 0.5f, 0.5f}}, {{-4.5f, 0.5f, 0.5f}, {50, 0, 0}}}),
      cube(10, 1));
  EXPECT_EQ(map(0, 5, 5), 2);
  EXPECT_EQ(map(9, 5, 5), 1);
  EXPECT_EQ(sum(map), 3) << "one is outside";
}

TEST(Connectome, AssignsEndsToTheNearestRegion) {
  Volume<Label> labels(cube(20, 1));
  for (int z = 0; z < 20; ++z)
    for (int y = 0; y < 20; ++y)
      labels(0, y, z) = 7, labels(19, y, z) = 12, labels(10, y, z) = y < 2 ? 30 : 0;
  const Tracts tracts = linesOf({{{-9.5f, 0, 0}, {9.5f, 0, 0}},        // in 7 and in 12
                                 {{9, 3, 3}, {-7.2f, 3, 3}},           // 2.3 mm from the center of 7
                                 {{-7.2f, 3, 3}, {-9.5f, 3, 3}},       // 7 with itself
                                 {{0, 3, 3}, {9.5f, 3, 3}},            // an end with nothing nearby
                                 {{0.5f, -9.5f, 0}, {-9.5f, 0, 0}}});  // 30 with 7
  const Connectome found = connectomeOf(tracts, labels, 4);
  ASSERT_EQ(found.labels, (std::vector<Label>{7, 12, 30}));
  EXPECT_EQ(found.count, (std::vector<double>{1, 2, 1, 2, 0, 0, 1, 0, 0}));
  EXPECT_EQ(found.unassigned, 1);
  EXPECT_NEAR(found.meanLength[1], (19 + 16.2) / 2, 1e-5);
  EXPECT_EQ(found.pairOf[1], (std::pair<std::int32_t, std::int32_t>{0, 1}));
  EXPECT_EQ(connectomeOf(tracts, labels, 2).unassigned, 3) << "2.3 mm is too far";
}

TEST(Connectome, FindsTheNearestOfAllVoxels) {
  Volume<Label> labels(cube(14, 1.5));
  labels.grid.worldFromVoxel.m[0] = {1.3, 0.5, 0.1};  // sheared and rotated
  Tracts tracts;
  for (std::uint32_t n = 0; n < 400; ++n) {
    std::uint32_t words[4] = {n, 0, 0, 0};
    philox(words, PhiloxKey(3));
    if (n < 60) labels.values[words[0] % labels.values.size()] = Label(n % 5) - 2;
    tracts.points.push_back({float(words[1] * 0x1p-32 * 26 - 13), float(words[2] * 0x1p-32 * 26 - 13),
                             float(words[3] * 0x1p-32 * 26 - 13)});
    if (n % 2 == 1) tracts.first.push_back(tracts.points.size());
  }
  constexpr double kRadius = 4;
  const Affine voxelFromWorld = labels.grid.worldFromVoxel.inverse();
  const auto nearest = [&](const Vec3<float>& end) {
    const Vec3<double> p{end.x, end.y, end.z}, at = voxelFromWorld.point(p);
    const Vec3<int> own{int(std::lround(at.x)), int(std::lround(at.y)), int(std::lround(at.z))};
    if (labels.grid.contains(own.x, own.y, own.z) && labels(own.x, own.y, own.z) != 0)
      return labels(own.x, own.y, own.z);
    Label found = 0;
    double best = kRadius;
    for (std::int64_t v = 0; v < labels.grid.voxels(); ++v) {
      const Vec3<int> voxel = labels.grid.voxel(v);
      const double distance =
          norm(labels.grid.worldFromVoxel.point({double(voxel.x), double(voxel.y), double(voxel.z)}) - p);
      if (labels.values[std::size_t(v)] != 0 && distance <= best)
        best = distance, found = labels.values[std::size_t(v)];
    }
    return found;
  };
  const Connectome found = connectomeOf(tracts, labels, kRadius);
  ASSERT_EQ(found.labels, (std::vector<Label>{-2, -1, 1, 2}));
  for (std::size_t i = 0; i < tracts.lines(); ++i) {
    const auto [a, b] = found.pairOf[i];
    const auto label = [&](std::int32_t n) { return n < 0 ? 0 : found.labels[std::size_t(n)]; };
    EXPECT_EQ((std::multiset<Label>{label(a), label(b)}),
              (std::multiset<Label>{nearest(tracts.line(i)[0]), nearest(tracts.line(i)[1])}))
        << i;
  }
  EXPECT_GT(found.unassigned, 20);
  EXPECT_LT(found.unassigned, 180);
}

}  // namespace
}  // namespace sulcus::tracts
