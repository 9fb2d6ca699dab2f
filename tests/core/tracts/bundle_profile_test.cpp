#include "core/tracts/bundle_profile.h"

#include "core/base/parallel/parallel_for.h"
#include "tests/core/tracts/tract_fields.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include <gtest/gtest.h>

namespace sulcus::tracts {
namespace {

/// Quarter circles with radii of 18 … 22 mm, every other one reversed, with unevenly spaced points.
Tracts arcs() {
  Tracts tracts;
  for (int line = 0; line < 41; ++line) {
    const double radius = 18 + 0.1 * line;
    std::vector<Vec3<float>> points;
    for (double f = 0; f <= 1.0001; f += line % 3 ? 0.02 : 0.04) {
      const double angle = std::min(f * (0.5 + 0.5 * f), 1.0) * 1.5707963;
      points.push_back({float(radius * std::cos(angle)), float(radius * std::sin(angle)), 0});
    }
    if (line % 2) std::reverse(points.begin(), points.end());
    tracts.points.insert(tracts.points.end(), points.begin(), points.end());
    tracts.first.push_back(tracts.points.size());
  }
  return tracts;
}

/// An image with a function of the position.
Volume<float> imageOf(const std::function<double(const Vec3<double>&)>& value) {
  Volume<float> image(cube(60, 1));
  for (std::int64_t v = 0; v < image.grid.voxels(); ++v) {
    const Vec3<int> at = image.grid.voxel(v);
    image.values[std::size_t(v)] =
        float(value(image.grid.worldFromVoxel.point({double(at.x), double(at.y), double(at.z)})));
  }
  return image;
}

TEST(BundleProfile, IsTheImageAlongTheCore) {
  // A linear image is interpolated exactly.
  const BundleProfile profile =
      profileAlong(arcs(), imageOf([](const Vec3<double>& p) { return 100 + p.x - 2 * p.y; }));
  ASSERT_EQ(profile.core.size(), std::size_t(kProfilePlaces));
  for (int n = 0; n < kProfilePlaces; ++n) {
    const double angle = 1.5707963 * n / (kProfilePlaces - 1);
    const Vec3<double> expected{20 * std::cos(angle), 20 * std::sin(angle), 0};
    EXPECT_LT(norm(profile.core[std::size_t(n)] - expected), 0.05) << "chords are shorter than arcs";
    EXPECT_NEAR(profile.mean[std::size_t(n)], 100 + expected.x - 2 * expected.y, 0.15);
  }
}

TEST(BundleProfile, WeighsLinesByTheirDistanceFromTheCore) {
  // The squared distance from the core: 1.4 mm² on average, less where near lines count more.
  const auto value = [](const Vec3<double>& p) { return std::pow(std::hypot(p.x, p.y) - 20, 2); };
  const BundleProfile profile = profileAlong(arcs(), imageOf(value));
  double plain = 0;
  for (int line = 0; line < 41; ++line) plain += std::pow(0.1 * line - 2, 2) / 41;
  // With normal weights of that spread, plus a quarter for the interpolation of a parabola.
  EXPECT_LT(profile.mean[50], plain - 0.2);
  EXPECT_NEAR(profile.mean[50], 0.85, 0.25);
}

TEST(BundleProfile, LeavesOutWhatIsNotThere) {
  Volume<float> image = imageOf([](const Vec3<double>& p) { return p.y < 10 ? 3.0 : NAN; });
  Tracts tracts = arcs();
  tracts.points.push_back({1, 1, 1});  // a line of one point
  tracts.first.push_back(tracts.points.size());
  const BundleProfile profile = profileAlong(tracts, image);
  EXPECT_NEAR(profile.mean[10], 3, 1e-6);
  EXPECT_TRUE(std::isnan(profile.mean[90]));
  EXPECT_TRUE(profileAlong(Tracts{}, image).core.empty());
}

TEST(BundleProfile, HasTheSameBitsForAnyNumberOfThreads) {
  const Volume<float> image = imageOf([](const Vec3<double>& p) { return std::sin(p.x) + p.y; });
  BundleProfile one, three;
  withThreads(1, [&] { one = profileAlong(arcs(), image); });
  withThreads(3, [&] { three = profileAlong(arcs(), image); });
  EXPECT_EQ(one.mean, three.mean);
  EXPECT_EQ(one.deviation, three.deviation);
}

}  // namespace
}  // namespace sulcus::tracts
