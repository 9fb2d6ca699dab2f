#include "core/tracts/tracts.h"

#include "core/base/parallel/parallel_for.h"
#include "core/phantom/tracts_phantom.h"
#include "core/tracts/tract_maps.h"
#include "core/tracts/tract_report.h"
#include "tests/core/tracts/tract_fields.h"

#include <cmath>
#include <stop_token>

#include <gtest/gtest.h>

namespace sulcus::tracts {
namespace {

TractOptions options(TractMethod method) {
  TractOptions options;
  options.method = method;
  options.minLength = 5;
  return options;
}

TractInput alongPeaks(const DirectionAt& direction, int size = 32) {
  TractInput input;
  input.peaks = peaksOf(cube(size, 2), direction);
  return input;
}
TractInput alongFunctions(const DirectionAt& direction, int size = 32) {
  TractInput input;
  input.functions = functionsAlong(cube(size, 2), direction);
  return input;
}

double largestOff(const Tracts& tracts, const std::function<double(const Vec3<double>&)>& off) {
  double largest = 0;
  for (const Vec3<float>& p : tracts.points) largest = std::max(largest, off({p.x, p.y, p.z}));
  return largest;
}

struct MethodAndInput {
  TractMethod method;
  TractInput (*input)(const DirectionAt&, int);
};
const MethodAndInput kDeterministic[] = {{TractMethod::peaks, alongPeaks},
                                         {TractMethod::fod, alongFunctions}};

TEST(Tracts, FollowCircles) {
  for (const auto& [method, input] : kDeterministic) {
    TractInput circles = input(aroundZ, 32);
    circles.seedPoints = {{20, 0, 0}, {0, -14, 3}};
    TractOptions two = options(method);
    two.maxLength = 400;
    const TractResult result = findTracts(circles, two, {});
    ASSERT_EQ(result.tracts->lines(), 2u);
    for (std::size_t i = 0; i < 2; ++i) {
      const double radius = i == 0 ? 20 : 14;
      for (const Vec3<float>& p : result.tracts->line(i))
        ASSERT_NEAR(std::hypot(p.x, p.y), radius, 0.5) << "three to five times around, 2 mm voxels";
      EXPECT_NEAR(lengthOf(*result.tracts, i), 400, 1.5);
    }
    EXPECT_EQ(result.counts.endings[std::size_t(Ending::longest)], 4);
  }
}

TEST(Tracts, FollowHelicesToTheBorderOfTheImage) {
  for (const auto& [method, input] : kDeterministic) {
    TractInput helices = input(upAroundZ, 32);
    helices.seedPoints = {{16, 0, 0}};
    const TractResult result = findTracts(helices, options(method), {});
    ASSERT_EQ(result.tracts->lines(), 1u);
    const double off = largestOff(*result.tracts, [](const Vec3<double>& p) {
      const double turn = p.z / 12;
      return norm(p - Vec3<double>{16 * std::cos(turn), 16 * std::sin(turn), p.z});
    });
    EXPECT_LT(off, 0.25);
    EXPECT_EQ(result.counts.endings[std::size_t(Ending::outside)], 2);
    // From z = −32 to 32, rising 12 mm in 20 mm of length.
    EXPECT_NEAR(lengthOf(*result.tracts, 0), 64 * 20 / 12., 2.5);
  }
}

TEST(Tracts, FanOutInStraightLines) {
  for (const auto& [method, input] : kDeterministic) {
    TractInput fans = input(fan, 32);
    fans.seedPoints = {{5, 3, 0}, {-12, 8, -10}, {0, 0, 4}};
    const TractResult result = findTracts(fans, options(method), {});
    ASSERT_EQ(result.tracts->lines(), 3u);
    for (std::size_t i = 0; i < 3; ++i) {
      const Vec3<float> seed = fans.seedPoints[i];
      const Vec3<double> way = fan({seed.x, seed.y, seed.z});
      for (const Vec3<float>& p : result.tracts->line(i)) {
        const Vec3<double> from{p.x, p.y, p.z + 50.0};
        EXPECT_LT(norm(cross(from, way)), 0.1);
      }
    }
  }
}

/// The same field on a grid whose axes are exchanged and reversed, or rotated.
Grid changed(const Grid& grid, double turn) {
  Grid other = grid;
  const double c = std::cos(turn), s = std::sin(turn);
  Affine rotation;
  rotation.m = {{{c, -s, 0}, {s, c, 0}, {0, 0, 1}}};
  other.worldFromVoxel = rotation * grid.worldFromVoxel;
  return other;
}
Grid exchanged(const Grid& grid) {
  Grid other = grid;
  // Voxel axes become z, −x, y of the world.
  const double spacing = grid.worldFromVoxel.m[0][0], first = grid.worldFromVoxel.t.x;
  other.worldFromVoxel.m = {{{0, -spacing, 0}, {0, 0, spacing}, {spacing, 0, 0}}};
  other.worldFromVoxel.t = {-first, first, first};
  return other;
}

TEST(Tracts, DoNotDependOnTheAxesOfTheImage) {
  const Grid grid = cube(32, 2);
  const auto lineIn = [&](const Grid& in, TractMethod method) {
    TractInput input;
    if (method == TractMethod::peaks)
      input.peaks = peaksOf(in, upAroundZ);
    else
      input.functions = functionsAlong(in, upAroundZ);
    input.seedPoints = {{16, 0, 0}};
    TractOptions some = options(method);
    some.maxLength = 60;
    return findTracts(input, some, {}).tracts;
  };
  for (const TractMethod method : {TractMethod::peaks, TractMethod::fod}) {
    const auto straight = lineIn(grid, method), axes = lineIn(exchanged(grid), method),
               turned = lineIn(changed(grid, 0.5), method);
    ASSERT_EQ(straight->points.size(), axes->points.size());
    ASSERT_EQ(straight->points.size(), turned->points.size());
    for (std::size_t n = 0; n < straight->points.size(); ++n) {
      const auto off = [&](const Tracts& other) {
        const Vec3<float> d = straight->points[n] - other.points[n];
        return std::sqrt(dotOf(d, d));
      };
      EXPECT_LT(off(*axes), 1e-3) << "but for rounding the same";
      EXPECT_LT(off(*turned), 0.2) << "other voxels, interpolated";
    }
  }
}

TEST(Tracts, OfPointsDoNotDependOnTheirOrder) {
  TractInput input = alongPeaks(upAroundZ, 24);
  input.seedPoints = {{16, 0, 0}, {0, 9, 4}, {-8, -8, -3}};
  const auto lines = findTracts(input, options(TractMethod::peaks), {}).tracts;
  std::reverse(input.seedPoints.begin(), input.seedPoints.end());
  const auto reversed = findTracts(input, options(TractMethod::peaks), {}).tracts;
  ASSERT_EQ(lines->lines(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    const auto a = lines->line(i), b = reversed->line(2 - i);
    EXPECT_TRUE(std::equal(a.begin(), a.end(), b.begin(), b.end())) << i;
  }
}

TractInput phantomInput() {
  const auto phantom = phantom::makeTractsPhantom({});
  TractInput input;
  input.functions = phantom.functions;
  input.seeds = phantom.bundles;
  return input;
}

TEST(Tracts, HaveTheSameBitsForAnyNumberOfThreads) {
  for (const TractMethod method : {TractMethod::fod, TractMethod::probable, TractMethod::transport}) {
    std::shared_ptr<const Tracts> one, three;
    const auto find = [&] { return findTracts(phantomInput(), options(method), {}).tracts; };
    withThreads(1, [&] { one = find(); });
    withThreads(3, [&] { three = find(); });
    EXPECT_GT(one->lines(), 100u);
    EXPECT_EQ(one->first, three->first);
    EXPECT_EQ(one->points, three->points);
  }
}

TEST(Tracts, OfTransportAreNowhereMoreBentThanTheyMayBe) {
  TractOptions smooth = options(TractMethod::transport);
  smooth.radius = 10;
  const TractResult result = findTracts(phantomInput(), smooth, {});
  EXPECT_NEAR(result.step, 0.5, 1e-9) << "a quarter of a voxel";
  EXPECT_GT(result.tracts->lines(), 100u);
  double sharpest = 0;
  for (std::size_t i = 0; i < result.tracts->lines(); ++i) {
    const auto line = result.tracts->line(i);
    for (std::size_t n = 1; n + 1 < line.size(); ++n) {
      const Vec3<float> a = line[n] - line[n - 1], b = line[n + 1] - line[n];
      ASSERT_NEAR(norm(b), 0.5, 1e-3);
      const Vec3<float> turn = unitOf(b) - unitOf(a);
      sharpest = std::max(sharpest, double(norm(turn)));
    }
  }
  EXPECT_LT(sharpest, 0.5 / 10 * 1.01) << "radians in a step";
  EXPECT_GT(sharpest, 0.5 / 10 * 0.8);
}

TEST(Tracts, ThatAreWantedAreTheFirstOfMore) {
  const auto find = [&](std::int64_t wanted) {
    TractOptions some = options(TractMethod::probable);
    some.lines = wanted;
    return findTracts(phantomInput(), some, {});
  };
  const TractResult few = find(50), more = find(90);
  ASSERT_EQ(few.tracts->lines(), 50u);
  ASSERT_EQ(more.tracts->lines(), 90u);
  EXPECT_EQ(few.counts.kept(), 50);
  std::int64_t tried = 0;
  for (const auto count : few.counts.verdicts) tried += count;
  EXPECT_EQ(tried, few.counts.seeds) << "those behind the last line are not counted";
  EXPECT_TRUE(std::equal(few.tracts->points.begin(), few.tracts->points.end(), more.tracts->points.begin()));
}

/// The share of lines whose ends are the two ends of one bundle.
double rightShare(const TractResult& result, std::size_t& bundles) {
  const auto connected = connectomeOf(*result.tracts, *phantom::makeTractsPhantom({}).ends, 4);
  double right = 0;
  std::vector<int> found(4);
  for (const auto& [a, b] : connected.pairOf)
    if (a >= 0 && a % 2 == 0 && b == a + 1) right += 1, found[std::size_t(a)] = 1;
  bundles = std::size_t(found[0] + found[2]);
  return right / double(result.tracts->lines());
}

TEST(Tracts, CrossWhereBundlesCross) {
  for (const TractMethod method : {TractMethod::fod, TractMethod::probable, TractMethod::transport}) {
    TractOptions some = options(method);
    some.minLength = 40;
    std::size_t bundles = 0;
    EXPECT_GT(rightShare(findTracts(phantomInput(), some, {}), bundles),
              method == TractMethod::fod ? 0.95 : 0.75);
    EXPECT_EQ(bundles, 2u);
  }
}

/// How many lines of the phantom satisfy the rules.
TractCounts countsWith(const std::function<void(TractInput&, TractOptions&)>& change) {
  TractInput input = phantomInput();
  TractOptions some = options(TractMethod::fod);
  some.minLength = 40;
  change(input, some);
  return findTracts(input, some, {}).counts;
}

TEST(Rules, DropAndEndLines) {
  const auto all = countsWith([](TractInput&, TractOptions&) {});
  const auto through = countsWith([](TractInput&, TractOptions& o) { o.includeRegions = "0,-25,4,8"; });
  const auto avoided = countsWith([](TractInput&, TractOptions& o) { o.excludeRegions = "0,-25,4,8"; });
  EXPECT_GT(through.kept(), 50);
  EXPECT_GT(avoided.kept(), 50);
  EXPECT_EQ(through.kept() + avoided.kept(), all.kept()) << "a line enters the sphere or it does not";
  EXPECT_EQ(through.verdicts[std::size_t(Verdict::missed)], avoided.kept());
  EXPECT_GE(avoided.verdicts[std::size_t(Verdict::excluded)], through.kept());

  const auto stopped =
      countsWith([](TractInput&, TractOptions& o) { o.stopRegions = "0,0,4,9", o.minLength = 10; });
  EXPECT_GT(stopped.endings[std::size_t(Ending::stop)], 100);
  const auto between =
      countsWith([](TractInput&, TractOptions& o) { o.endRegions = "0,-35,4,10;0,35,4,10"; });
  const auto both = countsWith(
      [](TractInput&, TractOptions& o) { o.endRegions = "0,-35,4,10;0,35,4,10", o.bothEnds = true; });
  EXPECT_GT(between.kept(), 50);
  EXPECT_EQ(between.kept(), both.kept()) << "no line turns back";
  EXPECT_EQ(between.kept() + between.verdicts[std::size_t(Verdict::endsElsewhere)], all.kept());
}

TEST(Rules, KeepLinesInTheMask) {
  const auto phantom = phantom::makeTractsPhantom({});
  auto half = std::make_shared<Mask>(*phantom.bundles);
  for (std::int64_t v = 0; v < half->grid.voxels(); ++v)
    if (half->grid.voxel(v).y >= half->grid.size.y / 2) half->values[std::size_t(v)] = 0;
  TractInput input = phantomInput();
  input.mask = {{"half", half}};
  const TractResult result = findTracts(input, options(TractMethod::fod), {});
  EXPECT_GT(result.counts.endings[std::size_t(Ending::mask)], 100);
  EXPECT_LT(largestOff(*result.tracts, [](const Vec3<double>& p) { return p.y; }), 1e-5);
}

TEST(Tissues, EndLinesAtTheBorderOfTheCortex) {
  const auto along = [](const Vec3<double>&) { return Vec3<double>{1, 0, 0}; };
  for (const TractMethod method : {TractMethod::fod, TractMethod::probable, TractMethod::transport}) {
    TractInput input = alongFunctions(along, 20);
    input.tissues = tissuesOfSlab(cube(20, 2));
    TractOptions some = options(method);
    some.minLength = 15;
    some.angle = 15;
    some.seedsAtCortex = true;
    const TractResult result = findTracts(input, some, {});
    EXPECT_GT(result.tracts->lines(), 200u);
    EXPECT_EQ(result.counts.endings[std::size_t(Ending::cortex)], 2 * result.counts.kept()) << "nowhere else";
    for (std::size_t i = 0; i < result.tracts->lines(); ++i)
      for (const Vec3<float>& end : {result.tracts->line(i).front(), result.tracts->line(i).back()}) {
        ASSERT_NEAR(std::abs(end.x), 10, 0.05) << "half of the way from the voxel at 9 to that at 11";
        ASSERT_LT(end.y, 11);
      }
  }
}

TEST(Tissues, LetRandomWaysGoBack) {
  // The field ends within white matter at x > 5 for y > 0: lines that come there go back and take another
  // path.
  const auto field = [](const Vec3<double>& p) {
    return p.x > 5 && p.y > 0 ? Vec3<double>{} : normalized(Vec3<double>{1, -0.15, 0});
  };
  TractInput input = alongFunctions(field, 20);
  TractOptions some = options(TractMethod::probable);
  some.seedCount = 4000, some.minLength = 10, some.seedRegions = "0,0,0,6";
  const auto reached = [&] {
    const auto lines = findTracts(input, some, {}).tracts;
    int count = 0;
    for (std::size_t i = 0; i < lines->lines(); ++i) {
      const auto line = lines->line(i);
      count +=
          std::max(line.front().x, line.back().x) > 9.9f && std::min(line.front().x, line.back().x) < -9.9f;
    }
    return count;
  };
  const int without = reached();
  input.tissues = tissuesOfSlab(cube(20, 2));
  EXPECT_GT(reached(), without);
}

TEST(Tracts, TakeWhatIsNotFiniteForNothing) {
  Series<float> peaks = *peaksOf(cube(16, 2), [](const Vec3<double>&) { return Vec3<double>{1, 0, 0}; });
  for (std::int64_t v = 0; v < peaks.grid.voxels(); v += 7) peaks.at(v, 1) = INFINITY;
  TractInput input;
  input.peaks = std::make_shared<const Series<float>>(std::move(peaks));
  const TractResult result = findTracts(input, options(TractMethod::peaks), {});
  EXPECT_GT(result.tracts->lines(), 1000u);
  for (const Vec3<float>& p : result.tracts->points) ASSERT_TRUE(std::isfinite(p.x + p.y + p.z));
}

TEST(Tracts, AreHandedOverWhenTheyAreTooManyToBeHeld) {
  const TractResult held = findTracts(phantomInput(), options(TractMethod::fod), {});
  TractInput input = phantomInput();
  Tracts taken;
  int parts = 0;
  input.overflow = {held.tracts->points.size() / 3, [&](const Tracts& part) {
                      ++parts;
                      for (std::size_t i = 0; i < part.lines(); ++i) {
                        const auto line = part.line(i);
                        taken.points.insert(taken.points.end(), line.begin(), line.end());
                        taken.first.push_back(taken.points.size());
                      }
                    }};
  const TractResult result = findTracts(input, options(TractMethod::fod), {});
  EXPECT_EQ(result.tracts, nullptr);
  EXPECT_GE(parts, 2);
  EXPECT_EQ(result.counts.kept(), held.counts.kept());
  EXPECT_EQ(taken.first, held.tracts->first);
  EXPECT_EQ(taken.points, held.tracts->points);
  input.overflow.points = held.tracts->points.size();
  EXPECT_NE(findTracts(input, options(TractMethod::fod), {}).tracts, nullptr);
}

TEST(Tracts, CanBeCancelled) {
  std::stop_source stop;
  stop.request_stop();
  EXPECT_THROW(findTracts(phantomInput(), options(TractMethod::probable), Progress(stop.get_token(), {})),
               Cancelled);
}

}  // namespace
}  // namespace sulcus::tracts
