#include "core/surface/surface.h"

#include "core/base/error.h"
#include "core/base/parallel/parallel_for.h"
#include "core/phantom/surface_phantom.h"
#include "tests/core/surface/surface_inputs.h"
#include "tests/support/expect_error.h"

#include <cmath>
#include <stop_token>

#include <gtest/gtest.h>

namespace sulcus::surface {
namespace {

/// The mean distance to the true surface of the points where φ crosses 0 along the axes, mm.
double distanceToTruth(const Volume<float>& phi, const Volume<float>& truth) {
  double sum = 0;
  std::int64_t count = 0;
  const Vec3<int> n = phi.grid.size;
  for (std::int64_t i = 0; i < phi.grid.voxels(); ++i) {
    const Vec3<int> v = phi.grid.voxel(i);
    for (int axis = 0; axis < 3; ++axis) {
      Vec3<int> w = v;
      if (++w[axis] >= n[axis]) continue;
      const double a = phi(v.x, v.y, v.z), b = phi(w.x, w.y, w.z);
      if ((a < 0) == (b < 0)) continue;
      const double t = a / (a - b), from = truth(v.x, v.y, v.z), to = truth(w.x, w.y, w.z);
      sum += std::abs(from + t * (to - from)), ++count;
    }
  }
  return sum / double(count);
}

/// The signed distance of a phantom's true surface with white noise.
SurfaceInput noisy(phantom::SurfacePhantomKind kind, double noise, Volume<float>* truth = nullptr) {
  phantom::SurfacePhantomOptions options;
  options.kind = kind, options.size = 32;
  const auto phantom = phantom::makeSurfacePhantom(options);
  if (truth) *truth = *phantom.truth;
  Volume<float> phi = *phantom.truth;
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  for (auto& value : phi.values) value += float(noise * normal(random));
  SurfaceInput input;
  input.phi = std::make_shared<const Volume<float>>(std::move(phi));
  return input;
}

TEST(Surface, ComesNearerToTheTruth) {
  for (const auto kind : {phantom::SurfacePhantomKind::blocks, phantom::SurfacePhantomKind::fold}) {
    Volume<float> truth;
    const SurfaceInput input = noisy(kind, 0.5, &truth);
    const auto result = denoiseSurface(input, {}, {});
    const Volume<float> phi = phiAfter(*result.search, result.flow, 100);
    EXPECT_LT(1.6 * distanceToTruth(phi, truth), distanceToTruth(*input.phi, truth));
    for (std::size_t i = 1; i < result.flow.iterations.size(); ++i)
      EXPECT_LT(result.flow.iterations[i].energy, result.flow.iterations[i - 1].energy);
  }
}

TEST(Surface, LeavesWhatIsOutsideTheBandAsItIs) {
  const SurfaceInput input = noisy(phantom::SurfacePhantomKind::blocks, 0.3);
  const auto result = denoiseSurface(input, {}, {});
  const Volume<float> phi = phiAfter(*result.search, result.flow, 100);
  for (std::size_t i = 0; i < phi.values.size(); ++i)
    if (std::abs(input.phi->values[i]) > 3.01 && std::abs(input.phi->values[i]) < 16) {
      ASSERT_NEAR(phi.values[i], input.phi->values[i], 1e-4);
    }
}

TEST(Surface, FlowsOverASearchAsARunWithThoseOptionsWould) {
  const SurfaceInput input = noisy(phantom::SurfacePhantomKind::fold, 0.5);
  const auto searched = denoiseSurface(input, {}, {});
  SurfaceOptions options;
  options.c2 = 9, options.c1 = 200, options.iterations = 4, options.weights = PatchWeights::paper;
  const auto flow = flowOver(*searched.search, input, options, {});
  const auto run = denoiseSurface(input, options, {});
  EXPECT_EQ(flow.steps, run.flow.steps);
  EXPECT_EQ(flow.steps.size(), 5u);
  EXPECT_NE(flow.steps.back(), searched.flow.steps[4]);
}

TEST(Surface, TakesItsIterationsFromWeightsAndInput) {
  EXPECT_EQ(automaticIterations(PatchWeights::symmetric, false), 20);
  EXPECT_EQ(automaticIterations(PatchWeights::paper, false), 5);
  EXPECT_EQ(automaticIterations(PatchWeights::symmetric, true), 5);
  EXPECT_EQ(automaticIterations(PatchWeights::paper, true), 2);
}

TEST(Surface, AsksForDistancesBetweenPassesAndIterations) {
  SurfaceInput input = noisy(phantom::SurfacePhantomKind::blocks, 0.3);
  int asked = 0, shown = 0;
  input.redistance = [&](const Volume<float>& phi, const Progress&) {
    ++asked;
    return phi;
  };
  input.preview = [&](const Volume<float>&) { ++shown; };
  SurfaceOptions options;
  options.patch = 3, options.neighbors = 16, options.iterations = 4, options.redistance = 2,
  options.passes = 2;
  const auto result = denoiseSurface(input, options, {});
  EXPECT_EQ(asked, 3);  // once in each of two passes, and once between them
  EXPECT_EQ(shown, 8);
  EXPECT_EQ(result.flow.iterations.size(), 8u);
  EXPECT_EQ(result.flow.iterations.back().pass, 2);
}

TEST(Surface, SaysWhatIsWrongWithItsInput) {
  const auto problemOf = [](const SurfaceInput& input, const SurfaceOptions& options = {}) {
    return test::errorOf([&] { denoiseSurface(input, options, {}); });
  };
  const auto changed = [](auto change) {
    Volume<float> phi = test::noisyBall(12, 0);
    change(phi);
    SurfaceInput input;
    input.phi = std::make_shared<const Volume<float>>(std::move(phi));
    return input;
  };
  const auto has = [](const std::string& problem, const char* part) {
    return problem.find(part) != std::string::npos;
  };
  EXPECT_TRUE(has(problemOf({}), "No surface was given"));
  EXPECT_TRUE(has(problemOf(changed([](auto& p) { p.values[7] = NAN; })), "too large: 1 not a number"));
  for (const float bad : {INFINITY, -INFINITY, 1e20F})
    EXPECT_TRUE(has(problemOf(changed([bad](auto& p) { p.values[7] = bad; })),
                    "1 values that are not finite or too large"))
        << bad;
  EXPECT_TRUE(
      has(problemOf(changed([](auto& p) { p.values.assign(p.values.size(), 1); })), "Nothing lies inside"));
  EXPECT_TRUE(has(problemOf(changed([](auto& p) { p.values.assign(p.values.size(), -1); })),
                  "Everything lies inside"));
  SurfaceOptions options;
  options.patch = 4;
  EXPECT_TRUE(has(problemOf(changed([](auto&) {}), options), "has no middle"));
  options = {};
  options.passes = 2;
  EXPECT_TRUE(has(problemOf(changed([](auto&) {}), options), "cannot be redistanced"));
}

TEST(Surface, SaysThatNothingIsLeftOfIt) {
  Grid grid;
  grid.size = {15, 15, 15};
  auto phi = std::make_shared<Volume<float>>(grid, 0.f);
  for (std::int64_t i = 0; i < grid.voxels(); ++i) {
    const Vec3<int> v = grid.voxel(i);
    phi->values[std::size_t(i)] = float(norm(Vec3<double>{v.x - 7.0, v.y - 7.0, v.z - 7.0}) - 0.3);
  }
  SurfaceInput input;
  input.phi = phi;
  test::expectError([&] { denoiseSurface(input, {}, {}); }, {"The surface vanishes", "fewer iterations"});
}

TEST(Surface, TellsHowFarItIsEvenly) {
  // The progress never decreases. Most of it is the search, which takes most of the time, and it increases
  // during the search.
  for (const int window : {0, 3}) {
    SurfaceOptions options;
    options.window = window;
    std::vector<std::pair<double, std::string>> told;
    const Progress progress(
        {}, [&](double fraction, std::string_view stage) { told.emplace_back(fraction, stage); });
    withThreads(1, [&] { denoiseSurface(noisy(phantom::SurfacePhantomKind::fold, 0.3), options, progress); });
    double before = 0, first = 1, last = 0, longest = 0;
    for (const auto& [fraction, stage] : told) {
      EXPECT_GE(fraction, before) << stage;
      if (stage == "Search") first = std::min(first, fraction), last = fraction;
      longest = std::max(longest, fraction - before);
      before = fraction;
    }
    EXPECT_LE(first, 0.1);
    EXPECT_GE(last, 0.8);
    EXPECT_LE(last, 0.95);
    EXPECT_LE(longest, 0.1);
    EXPECT_DOUBLE_EQ(before, 1);
  }
}

TEST(Surface, CanBeStopped) {
  std::stop_source stop;
  stop.request_stop();
  EXPECT_THROW(denoiseSurface(noisy(phantom::SurfacePhantomKind::blocks, 0.3), {},
                              Progress(stop.get_token(), [](double, std::string_view) {})),
               Cancelled);
}

}  // namespace
}  // namespace sulcus::surface
