#include "gpu/surface/surface.h"

#include "core/base/error.h"
#include "core/base/parallel/parallel_for.h"
#include "core/surface/heat_flow.h"
#include "gpu/runtime/buffer.h"
#include "tests/core/surface/surface_inputs.h"
#include "tests/support/expect_error.h"
#include "tests/support/for_each_seed.h"
#include "tests/support/gpu.h"

#include <algorithm>
#include <stop_token>

namespace sulcus::surface {
namespace {

SurfaceInput inputOf(Volume<float> phi) {
  SurfaceInput input;
  input.phi = std::make_shared<Volume<float>>(std::move(phi));
  return input;
}

double largestDifference(const std::vector<float>& a, const std::vector<float>& b) {
  if (a.size() != b.size()) return 1e30;
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::abs(double(a[i]) - b[i]));
  return most;
}

void expectThatOfTheCpu(const SurfaceInput& input, const SurfaceOptions& options) {
  const SurfaceResult gpu = gpu::surface::denoiseSurface(input, options, {}),
                      cpu = denoiseSurface(input, options, {});
  EXPECT_EQ(gpu.search->neighbors.index, cpu.search->neighbors.index);
  EXPECT_EQ(gpu.flow.c1, cpu.flow.c1);
  EXPECT_EQ(gpu.flow.c2, cpu.flow.c2);
  EXPECT_EQ(gpu.notes, cpu.notes);
  ASSERT_EQ(gpu.flow.steps.size(), cpu.flow.steps.size());
  for (std::size_t i = 0; i < cpu.flow.steps.size(); ++i)
    EXPECT_LE(largestDifference(gpu.flow.steps[i], cpu.flow.steps[i]), 1e-5) << "after " << i << " steps";
  ASSERT_EQ(gpu.flow.iterations.size(), cpu.flow.iterations.size());
  for (std::size_t i = 0; i < cpu.flow.iterations.size(); ++i) {
    const SurfaceIteration &a = gpu.flow.iterations[i], &b = cpu.flow.iterations[i];
    EXPECT_EQ(a.pass, b.pass);
    EXPECT_EQ(a.iteration, b.iteration);
    EXPECT_NEAR(a.energy, b.energy, 1e-5 * b.energy);
    EXPECT_NEAR(a.change, b.change, 1e-5 * b.change);
  }
}

class GpuSurface : public test::NeedsGpu {};

TEST_F(GpuSurface, IsThatOfTheCpuForAnyWeights) {
  const SurfaceInput input = inputOf(test::noisyBall(24, 0.4));
  for (const PatchWeights weights : {PatchWeights::symmetric, PatchWeights::paper})
    for (const double c1 : {0.0, 20.0})
      for (const double c2 : {0.0, 15.0}) {
        SCOPED_TRACE(testing::Message() << int(weights) << ", c1 " << c1 << ", c2 " << c2);
        SurfaceOptions options;
        options.weights = weights, options.c1 = c1, options.c2 = c2;
        expectThatOfTheCpu(input, options);
      }
}

TEST_F(GpuSurface, IsThatOfTheCpuForOtherPatchesCountsAndVoxels) {
  SurfaceOptions options;
  options.patch = 3, options.neighbors = 7, options.delta = 1, options.iterations = 3;
  expectThatOfTheCpu(inputOf(test::noisyBall(20, 0.3, {0.5, 1, 1.5})), options);
  options.patch = 7, options.neighbors = 200;
  expectThatOfTheCpu(inputOf(test::noisyBall(20, 0.3)), options);
}

TEST_F(GpuSurface, IsThatOfTheCpuWhereMostPatchesAreAlike) {
  SurfaceOptions options;
  options.patch = 3;
  expectThatOfTheCpu(inputOf(test::block(14 + test::cases(10))), options);
}

TEST_F(GpuSurface, IsThatOfTheCpuWithinAWindow) {
  SurfaceOptions options;
  options.window = 2;
  expectThatOfTheCpu(inputOf(test::noisyBall(20, 0.4)), options);
}

TEST_F(GpuSurface, MakesTheLevelSetADistanceWhenAsked) {
  SurfaceInput input = inputOf(test::noisyBall(20, 0.4));
  input.redistance = [](const Volume<float>& phi, const Progress&) {
    Volume<float> result = phi;
    for (float& value : result.values) value *= 1.25f;
    return result;
  };
  SurfaceOptions options;
  options.redistance = 2, options.passes = 2, options.iterations = 4;
  expectThatOfTheCpu(input, options);
}

TEST_F(GpuSurface, StaysBetweenTheSmallestAndTheLargest) {
  SurfaceOptions options;
  options.iterations = 20;
  const auto symmetric = gpu::surface::denoiseSurface(inputOf(test::noisyBall(24, 0.5)), options, {});
  for (std::size_t i = 1; i < symmetric.flow.iterations.size(); ++i)
    EXPECT_LE(symmetric.flow.iterations[i].energy, symmetric.flow.iterations[i - 1].energy);
  options.weights = PatchWeights::paper;
  const auto result = gpu::surface::denoiseSurface(inputOf(test::noisyBall(24, 0.5)), options, {});
  const auto [low, high] = std::minmax_element(result.flow.steps[0].begin(), result.flow.steps[0].end());
  for (std::size_t i = 1; i < result.flow.steps.size(); ++i)
    for (const float value : result.flow.steps[i]) ASSERT_TRUE(value >= *low && value <= *high);
}

TEST_F(GpuSurface, IsShownAfterEachIteration) {
  SurfaceInput input = inputOf(test::noisyBall(20, 0.4));
  std::vector<Volume<float>> shown;
  input.preview = [&](const Volume<float>& phi) { shown.push_back(phi); };
  SurfaceOptions options;
  options.iterations = 3;
  const SurfaceResult result = gpu::surface::denoiseSurface(input, options, {});
  ASSERT_EQ(shown.size(), 3u);
  EXPECT_EQ(shown.back().values, phiAfter(*result.search, result.flow, 3).values);
}

TEST_F(GpuSurface, CanBeStoppedBetweenIterations) {
  SurfaceInput input = inputOf(test::noisyBall(20, 0.4));
  std::stop_source stop;
  int shown = 0;
  input.preview = [&](const Volume<float>&) { ++shown, stop.request_stop(); };
  EXPECT_THROW(
      gpu::surface::denoiseSurface(input, {}, Progress(stop.get_token(), [](double, std::string_view) {})),
      Cancelled);
  EXPECT_EQ(shown, 1);
}

TEST_F(GpuSurface, TellsHowFarItIsEvenly) {
  std::vector<std::pair<double, std::string>> told;
  const Progress progress(
      {}, [&](double fraction, std::string_view stage) { told.emplace_back(fraction, stage); });
  withThreads(1, [&] { gpu::surface::denoiseSurface(inputOf(test::noisyBall(32, 0.4)), {}, progress); });
  double before = 0, first = 1, last = 0;
  for (const auto& [fraction, stage] : told) {
    EXPECT_GE(fraction, before) << stage;
    if (stage == "Search") first = std::min(first, before), last = fraction;
    before = fraction;
  }
  EXPECT_LE(first, 0.1);
  EXPECT_GE(last, 0.8);
  EXPECT_LE(last, 0.95);
  EXPECT_DOUBLE_EQ(before, 1);
}

TEST_F(GpuSurface, SaysHowMuchMemoryIsMissing) {
  const SurfaceInput input = inputOf(test::noisyBall(64, 0.4));
  const std::int64_t elements = bandOf(quantized(*input.phi, {}), 3, 5).count();
  const gpu::Stream stream;
  SULCUS_CUDA(cudaDeviceSynchronize());  // releases what earlier runs freed
  const auto left = std::int64_t(
      gpu::surface::surfaceDeviceBytes({double(elements), double(input.phi->grid.voxels())}, {}) / 2);
  ASSERT_GT(left, 50 << 20);
  const gpu::Buffer<char> taken(gpu::freeMemory() - left, stream);
  stream.synchronize();
  test::expectError([&] { gpu::surface::denoiseSurface(input, {}, {}); }, {}, ErrorKind::unavailable);
}

}  // namespace
}  // namespace sulcus::surface
