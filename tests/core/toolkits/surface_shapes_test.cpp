// Small and thin shapes, clean and noisy, keep their volumes and pieces at default settings.
#include "core/image/display/layer_kinds.h"
#include "core/levelset/mesh_measures.h"
#include "core/surface/surface.h"
#include "core/toolkits/contour.h"
#include "core/toolkits/level_sets.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <random>

#include <gtest/gtest.h>

namespace sulcus::toolkits {
namespace {

using Distance = std::function<double(const Vec3<double>&)>;  // to a shape, mm, negative inside

struct Shape {
  const char* name;
  Vec3<int> size;
  Distance distance;
  double noise = 0;  ///< s.d. of the distances, mm
  Vec3<double> spacing{1, 1, 1};
};
void PrintTo(const Shape& shape, std::ostream* out) { *out << shape.name; }

Mask maskOf(const Shape& shape) {
  Grid grid;
  grid.size = shape.size;
  for (int i = 0; i < 3; ++i) grid.worldFromVoxel.m[i][i] = shape.spacing[i];
  Mask mask(grid);
  std::mt19937 random(5);
  std::normal_distribution<double> normal;
  for (std::int64_t i = 0; i < grid.voxels(); ++i) {
    const Vec3<int> v = grid.voxel(i);
    const Vec3<double> p = grid.worldFromVoxel.point({double(v.x), double(v.y), double(v.z)});
    mask.values[std::size_t(i)] =
        shape.distance(p) + (shape.noise > 0 ? shape.noise * normal(random) : 0) < 0;
  }
  return mask;
}

struct Outcome {
  levelset::MeshMeasures before, after;
  Notes warnings;
};

Outcome denoised(const Volume<float>& phi, bool gray, const surface::SurfaceOptions& options = {}) {
  surface::SurfaceInput input;
  input.phi = std::make_shared<const Volume<float>>(phi);
  input.gray = gray, input.mask = !gray;
  const auto result = surface::denoiseSurface(input, options, {});
  Outcome outcome{levelset::measuresOf(contourOf(phi, {})),
                  levelset::measuresOf(contourOf(
                      surface::phiAfter(*result.search, result.flow, result.flow.steps.size() - 1), {})),
                  {}};
  outcome.warnings = warningsIn(result.notes);
  return outcome;
}

Distance sphereAbout(const Vec3<double>& middle, double radius) {
  return [=](const Vec3<double>& p) { return norm(p - middle) - radius; };
}
Distance both(const Distance& a, const Distance& b) {
  return [=](const Vec3<double>& p) { return std::min(a(p), b(p)); };
}
double wave(const Vec3<double>& p) {
  return 11 + 2 * std::sin(2 * std::numbers::pi * p.x / 16) * std::cos(2 * std::numbers::pi * p.y / 21);
}
double sheet(const Vec3<double>& p) {
  return std::max({std::abs(p.z - wave(p)) - 0.5, std::abs(p.x - 16) - 11.5, std::abs(p.y - 16) - 11.5});
}
double tube(const Vec3<double>& p) {
  return std::max(std::hypot(p.y - 13 - 5 * std::sin(p.x / 6), p.z - 10 - 2 * std::cos(p.x / 5)) - 1,
                  std::abs(p.x - 21) - 16);
}
double shellAndBall(const Vec3<double>& p) {
  const double r = norm(p - Vec3<double>{15.1, 14.8, 15});
  return std::min(std::max(r - 10, 8 - r), r - 4);
}
double block(const Vec3<double>& p) {
  return std::max({std::abs(p.x - 8), std::abs(p.y - 8), std::abs(p.z - 8)}) - 2.5;
}

class CleanShapes : public testing::TestWithParam<Shape> {};

TEST_P(CleanShapes, KeepTheirVolumesAndPieces) {
  const Outcome made = denoised(signedDistanceOfMask(maskOf(GetParam()), {}), false);
  EXPECT_NEAR(made.after.volume / made.before.volume, 1, 0.02);
  EXPECT_EQ(made.after.components, made.before.components);
  EXPECT_EQ(made.after.cavities, made.before.cavities);
  EXPECT_EQ(made.after.handles, made.before.handles);
  EXPECT_TRUE(made.warnings.empty()) << made.warnings.front();
}

INSTANTIATE_TEST_SUITE_P(
    Clean, CleanShapes,
    testing::Values(Shape{"Ball4", {20, 20, 20}, sphereAbout({9.7, 9.8, 9.6}, 4)},
                    Shape{"Ball5", {22, 22, 22}, sphereAbout({10.7, 10.8, 10.6}, 5)},
                    Shape{"Ball7", {26, 26, 26}, sphereAbout({12.7, 12.8, 12.6}, 7)},
                    Shape{"TwoBallsAVoxelApart",
                          {38, 22, 22},
                          both(sphereAbout({12.2, 11, 11}, 5), sphereAbout({23.3, 11, 11}, 5))},
                    Shape{"WavySheet", {33, 33, 22}, sheet}, Shape{"Tube", {43, 26, 20}, tube},
                    Shape{"ShellAndBall", {31, 31, 31}, shellAndBall}, Shape{"Block", {17, 17, 17}, block},
                    Shape{"ThickSlices", {26, 26, 12}, sphereAbout({13.1, 12.8, 14}, 6), 0, {1, 1, 2.5}}),
    [](const auto& info) { return info.param.name; });

// The surface half-way between voxels cuts off corners, 5 % of the smallest ball: that is not counted.
TEST(SmallBalls, AreNearTheirTrueVolumeOrDoubtIsTold) {
  for (const double noise : {0.0, 0.6})
    for (const double radius : {4.0, 5.0, 7.0, 10.0}) {
      const int size = int(2 * radius + 14);
      const Outcome made = denoised(
          signedDistanceOfMask(maskOf({"",
                                       {size, size, size},
                                       sphereAbout({size / 2 - 0.3, size / 2 - 0.2, size / 2 - 0.4}, radius),
                                       noise}),
                               {}),
          false);
      const double truth = 4 * std::numbers::pi / 3 * std::pow(radius, 3);
      EXPECT_TRUE(std::abs(made.after.volume / truth - 1) < 0.05 || !made.warnings.empty())
          << "radius " << radius << ", noise " << noise << ": " << made.after.volume << " of " << truth;
      EXPECT_EQ(made.after.components, 1);
      EXPECT_EQ(made.after.cavities + made.after.handles, 0);
      if (radius >= 5) {
        EXPECT_TRUE(made.warnings.empty()) << made.warnings.front();
      }
    }
}

TEST(GrayBalls, KeepTheirVolume) {
  Shape shape{"", {22, 22, 22}, sphereAbout({10.7, 10.8, 10.6}, 4)};
  Volume<float> image(maskOf(shape).grid);
  for (std::int64_t i = 0; i < image.grid.voxels(); ++i) {
    const Vec3<int> v = image.grid.voxel(i);
    image.values[std::size_t(i)] = float(
        0.5 * std::erfc(shape.distance({double(v.x), double(v.y), double(v.z)}) / 0.8 / std::sqrt(2.0)));
  }
  const Outcome made = denoised(signedDistanceOfImage(image, 0.5F, {}), true);
  EXPECT_NEAR(made.after.volume / made.before.volume, 1, 0.005);
  EXPECT_TRUE(made.warnings.empty());
}

TEST(PublishedWeights, SayWhatTheyLose) {
  surface::SurfaceOptions paper;
  paper.weights = surface::PatchWeights::paper, paper.iterations = 5;
  const Outcome made = denoised(
      signedDistanceOfMask(maskOf({"", {22, 22, 22}, sphereAbout({10.7, 10.8, 10.6}, 5)}), {}), false, paper);
  EXPECT_LT(made.after.volume, 0.9 * made.before.volume);
  EXPECT_FALSE(made.warnings.empty());
}

}  // namespace
}  // namespace sulcus::toolkits
