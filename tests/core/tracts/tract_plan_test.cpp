#include "core/tracts/tract_plan.h"

#include "tests/core/tracts/tract_fields.h"
#include "tests/support/expect_error.h"

#include <gtest/gtest.h>

namespace sulcus::tracts {
namespace {

TractInput alongX() {
  TractInput input;
  input.peaks = peaksOf(cube(8, 2), [](const Vec3<double>&) { return Vec3<double>{1, 0, 0}; });
  return input;
}

TEST(TractPlan, RefusesWhatDoesNotGoTogether) {
  const auto refused = [](const std::function<void(TractInput&, TractOptions&)>& change,
                          const std::vector<std::string>& words, ErrorKind kind = ErrorKind::badInput) {
    TractInput input = alongX();
    TractOptions options;
    change(input, options);
    test::expectError([&] { planTracts(input, options, {}); }, words, kind);
  };
  refused([](TractInput& i, TractOptions&) { i.peaks = nullptr; }, {"nothing to follow", "--fod"},
          ErrorKind::usage);
  refused([](TractInput& i, TractOptions&) { i.peaks = std::make_shared<Series<float>>(cube(8, 2), 4); },
          {"4 volumes"});
  refused(
      [](TractInput& i, TractOptions&) {
        i.peaks = nullptr, i.functions = std::make_shared<Series<float>>(cube(8, 2), 10);
      },
      {"10 coefficients", "even order"});
  refused([](TractInput&, TractOptions& o) { o.method = TractMethod::probable; }, {"no functions", "--fod"},
          ErrorKind::usage);
  refused(
      [](TractInput& i, TractOptions&) {
        i.include = {{"a", std::make_shared<Mask>(cube(8, 2))}, {"b", std::make_shared<Mask>(cube(9, 2))}};
      },
      {"'b' has a different grid than 'a'"});
  refused([](TractInput& i, TractOptions&) { i.seeds = std::make_shared<Mask>(cube(8, 2)); },
          {"image of seeds has no voxel within the scan"});
  refused([](TractInput&, TractOptions& o) { o.cutoff = 5; }, {"No voxel", "cut-off of 5"});
  refused([](TractInput&, TractOptions& o) { o.minLength = 300; }, {"shortest line (300 mm)"},
          ErrorKind::usage);
  refused([](TractInput&, TractOptions& o) { o.radius = 0.5; }, {"radius of 0.5 mm"}, ErrorKind::usage);
  refused([](TractInput&, TractOptions& o) { o.seedRegions = "sphere:0,0,0,4"; }, {"--seeds or --lines"},
          ErrorKind::usage);
  refused([](TractInput&, TractOptions& o) { o.stopRegions = "1,2,3"; }, {"--stop-regions", "'1,2,3'"},
          ErrorKind::usage);
  refused([](TractInput&, TractOptions& o) { o.endRegions = "box:1,2,3,4,0,4"; },
          {"--end-regions", "not a region"}, ErrorKind::usage);
  refused(
      [](TractInput&, TractOptions& o) {
        for (int n = 0; n < 33; ++n) o.includeRegions += "0,0,0,1;";
      },
      {"more than 32 regions"});
}

TEST(TractPlan, MeansTheSameByARadiusForAnyStep) {
  TractOptions options;
  options.radius = 10;
  for (const double step : {0.5, 1.0, 2.0}) {
    options.step = step;
    const TractPlan plan = planTracts(alongX(), options, {});
    // A circle of radius 10 with chords of one step.
    EXPECT_NEAR(2 * 10 * std::sin(plan.angle * 3.14159265358979 / 360), step, 1e-9);
  }
}

TEST(TractPlan, TakesHalfAVoxelAndAShareOfTheAmplitudeByDefault) {
  const TractPlan plan = planTracts(alongX(), {}, {});
  EXPECT_EQ(plan.step, 1);
  EXPECT_NEAR(plan.cutoff, 0.2, 1e-6);
  EXPECT_EQ(plan.seeds.count, 512);
}

TEST(Seeds, LieInTheirVoxelsSpheresAndBoxes) {
  TractInput input = alongX();
  auto seeds = std::make_shared<Mask>(cube(8, 2));
  seeds->values[std::size_t(seeds->grid.index(3, 4, 5))] = 1;
  input.seeds = seeds;
  TractOptions options;
  options.seedsPerVoxel = 100;
  const TractPlan voxel = planTracts(input, options, {});
  ASSERT_EQ(voxel.seeds.count, 100);
  const Vec3<double> center = seeds->grid.worldFromVoxel.point({3, 4, 5});
  Vec3<double> low = center, high = center;
  for (std::int64_t i = 0; i < 100; ++i)
    for (int axis = 0; axis < 3; ++axis) {
      const double at = voxel.seeds.place(i)[axis];
      EXPECT_LE(std::abs(at - center[axis]), 1.0001);
      low[axis] = std::min(low[axis], at), high[axis] = std::max(high[axis], at);
    }
  for (int axis = 0; axis < 3; ++axis) EXPECT_GT(high[axis] - low[axis], 1.8) << "all over the voxel";

  options.seedRegions = "1,2,3,2", options.seedCount = 200;
  const TractPlan sphere = planTracts(input, options, {});
  double farthest = 0;
  for (std::int64_t i = 0; i < 200; ++i) {
    const Vec3<float> p = sphere.seeds.place(i);
    farthest = std::max(farthest, norm(Vec3<double>{p.x - 1.0, p.y - 2.0, p.z - 3.0}));
  }
  EXPECT_LE(farthest, 2.0001);
  EXPECT_GT(farthest, 1.9);

  options.seedRegions = " box:1,2,3,2,4,6 ;";
  const TractPlan box = planTracts(input, options, {});
  const Vec3<double> half{1, 2, 3};
  for (int axis = 0; axis < 3; ++axis) {
    double reach = 0;
    for (std::int64_t i = 0; i < 200; ++i)
      reach = std::max(reach, std::abs(box.seeds.place(i)[axis] - half[axis]));
    EXPECT_LE(reach, half[axis] + 1e-4);
    EXPECT_GT(reach, 0.95 * half[axis]);
  }
}

}  // namespace
}  // namespace sulcus::tracts
