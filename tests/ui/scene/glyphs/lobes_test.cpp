#include "ui/scene/glyphs/lobes.h"

#include "core/image/diffusion/tensor_index.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

namespace sulcus::ui::scene {
namespace {

/// Entries of f(g) = (d·g)^order.
std::vector<float> powerOf(const Vec3<double>& d, int order) {
  std::vector<float> entries(std::size_t(tensorEntries(order)));
  for (int j = 0; j <= order; ++j)
    for (int k = 0; j + k <= order; ++k)
      entries[std::size_t(tensorIndex(j, k))] =
          float(std::pow(d.x, order - j - k) * std::pow(d.y, j) * std::pow(d.z, k));
  return entries;
}

Series<float> oneVoxel(const std::vector<float>& entries, double spacing = 2) {
  Grid grid;
  grid.size = {1, 1, 1};
  grid.worldFromVoxel.m = {{{spacing, 0, 0}, {0, spacing, 0}, {0, 0, spacing}}};
  grid.worldFromVoxel.t = {10, 20, 30};
  Series<float> tensor(grid, int(entries.size()));
  for (std::size_t u = 0; u < entries.size(); ++u) tensor.at(0, int(u)) = entries[u];
  return tensor;
}

TEST(Icosphere, HasOppositePointsHalfThePointsApart) {
  for (const int level : {0, 1, 2, 3}) {
    const Sphere& sphere = icosphere(level);
    const std::size_t n = sphere.points.size();
    EXPECT_EQ(n, std::size_t(10 * (1 << 2 * level) + 2));
    EXPECT_EQ(sphere.triangles.size(), std::size_t(3 * 20 * (1 << 2 * level)));
    for (std::size_t i = 0; i < n / 2; ++i)
      EXPECT_LT(norm(sphere.points[i] + sphere.points[i + n / 2]), 1e-5f);
  }
}

TEST(Icosphere, IsClosedAndTurnedOutwards) {
  const Sphere& sphere = icosphere(3);
  double volume = 0;
  for (std::size_t t = 0; t < sphere.triangles.size(); t += 3) {
    const auto at = [&](std::size_t c) { return sphere.points[std::size_t(sphere.triangles[t + c])]; };
    volume += dot(at(0), cross(at(1), at(2))) / 6.0;
  }
  EXPECT_NEAR(volume, 4.0 / 3.0 * M_PI, 0.05);
}

class LobesOfOrder : public testing::TestWithParam<int> {};

TEST_P(LobesOfOrder, FollowTheFormInEveryDirection) {
  const int order = GetParam();
  const Vec3<double> d = normalized(Vec3<double>{0.3, -0.5, 0.8});
  Surfaces surfaces;
  appendLobes(oneVoxel(powerOf(d, order)), {0}, 3, 1, surfaces);
  ASSERT_EQ(surfaces.points.size(), icosphere(3).points.size() * 3);
  double largest = 0;
  for (const Vec3<float>& g : icosphere(3).points)
    largest = std::max(largest, std::pow(d.x * g.x + d.y * g.y + d.z * g.z, order));
  for (std::size_t i = 0; i < icosphere(3).points.size(); ++i) {
    const Vec3<float> g = icosphere(3).points[i];
    const double radius =
        std::pow(d.x * g.x + d.y * g.y + d.z * g.z, order) / largest;  // spacing 2: reaches 1 mm
    EXPECT_NEAR(surfaces.points[3 * i] - 10, radius * g.x, 2e-5);
    EXPECT_NEAR(surfaces.points[3 * i + 1] - 20, radius * g.y, 2e-5);
    EXPECT_NEAR(surfaces.points[3 * i + 2] - 30, radius * g.z, 2e-5);
  }
}

// A lobe of order 12 is 38° wide; it must not be lost between the points of a coarse sphere, which are up to
// 32° apart.
TEST(Lobes, OfHighOrderHaveTheirLengthAndDirectionOnCoarseMeshesToo) {
  for (const int level : {1, 2, 3})
    for (int i = 0; i < 20; ++i) {
      const Vec3<double> d =
          normalized(Vec3<double>{std::sin(1.7 * i), std::cos(2.9 * i + 1), std::sin(0.6 * i - 2)});
      Surfaces surfaces;
      appendLobes(oneVoxel(powerOf(d, 12)), {0}, level, 1, surfaces);
      double longest = 0, along = 0;
      for (std::size_t p = 0; p < surfaces.points.size(); p += 3) {
        const Vec3<double> tip{surfaces.points[p] - 10.0, surfaces.points[p + 1] - 20.0,
                               surfaces.points[p + 2] - 30.0};
        if (norm(tip) > longest) longest = norm(tip), along = std::abs(dot(tip, d)) / norm(tip);
      }
      EXPECT_NEAR(longest, 1, 1e-5) << "level " << level;
      EXPECT_GT(along, std::cos(6 * M_PI / 180)) << "level " << level;
    }
}

INSTANTIATE_TEST_SUITE_P(All, LobesOfOrder, testing::Values(2, 4, 6, 8));

TEST(Lobes, CutNegativeValuesToNothing) {
  std::vector<float> entries(6);
  entries[0] = 1;  // f = x² − z²
  entries[5] = -1;
  Surfaces surfaces;
  appendLobes(oneVoxel(entries), {0}, 2, 1, surfaces);
  for (std::size_t i = 0; i < surfaces.points.size(); i += 3)
    EXPECT_LE(std::abs(surfaces.points[i + 2] - 30), std::abs(surfaces.points[i] - 10) + 1e-5);
}

TEST(Lobes, LeaveOutVoxelsWithoutAForm) {
  Surfaces surfaces;
  for (const float value : {0.0f, NAN, -1.0f}) {
    std::vector<float> entries(6);
    entries[0] = entries[3] = entries[5] = value;
    appendLobes(oneVoxel(entries), {0}, 2, 1, surfaces);
  }
  appendLobes(oneVoxel(std::vector<float>(7, 1.0f)), {0}, 2, 1, surfaces);  // not of any order
  EXPECT_TRUE(surfaces.points.empty());
}

}  // namespace
}  // namespace sulcus::ui::scene
