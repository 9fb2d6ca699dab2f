#include "core/surface/surface_memory.h"

#include "core/base/error.h"
#include "tests/core/surface/surface_inputs.h"
#include "tests/support/expect_error.h"
#include "tests/support/heap.h"

#include <string>

#include <gtest/gtest.h>

namespace sulcus::surface {
namespace {

/// The search with this much memory; where it fits, the Error "searched" instead.
void expectRefused(double memoryLimit, const SurfaceOptions& options, const std::vector<std::string>& words) {
  SurfaceInput input;
  input.phi = std::make_shared<const Volume<float>>(test::noisyBall(24, 0.4));
  input.memoryLimit = memoryLimit;
  const auto notReached = [](const Band&, int, const Progress&) -> PatchNeighbors {
    throw Error("searched", "", "");
  };
  static FindNeighbors* const find = +notReached;
  test::expectError([&] { denoiseSurfaceWith(*find, flowOver, input, options, {}); }, words);
}

std::int64_t ballVoxels() { return bandOf(quantized(test::noisyBall(24, 0.4), {}), 3, 5).count(); }

TEST(SurfaceMemory, RefusesABandThatNeedsMoreThanIsFreeBeforeItIsSearched) {
  const SurfaceOptions options;
  const double needed = bandHostBytes(ballVoxels(), options);
  expectRefused(0, options, {"searched"});
  expectRefused(needed, options, {"searched"});
  expectRefused(0.5 * needed, options,
                {std::to_string(ballVoxels()), "are needed", "are free", "narrower band"});
}

TEST(SurfaceMemory, IsWhatARunAllocates) {
  SurfaceInput input;
  input.phi = std::make_shared<const Volume<float>>(test::noisyBall(32, 0.4));
  for (const auto weights : {PatchWeights::paper, PatchWeights::symmetric}) {
    SurfaceOptions options;
    options.weights = weights;
    BandEstimate band;
    band.gridVoxels = double(input.phi->grid.voxels());
    const double allocated = test::mostAllocated([&](const Progress& progress) {
      auto result = denoiseSurface(input, options, progress);
      band.voxels = double(result.search->band.count());
      return result;
    });
    if (allocated == 0) GTEST_SKIP() << "another allocator counts here";
    const double promised = surfaceHostBytes(band, options);
    EXPECT_LE(allocated, 1.05 * promised);
    EXPECT_GE(allocated, 0.7 * promised);
  }
}

TEST(SurfaceMemory, SaysHowManyVoxelsWouldFit) {
  const SurfaceOptions options;
  const std::int64_t many = 40'000'000;
  const double each = bandHostBytes(1, options);
  test::expectError([&] { requireBandFits(many, options, 1'234'567 * each); }, {"about 1200000 voxels"});
  EXPECT_NO_THROW(requireBandFits(1'200'000, options, 1'234'567 * each));
}

TEST(SurfaceMemory, RefusesMoreNeighborsThanCanBeNumbered) {
  SurfaceOptions options;
  options.neighbors = 1024;
  EXPECT_NO_THROW(requireBandFits(2'097'151, options, 0));
  EXPECT_THROW(requireBandFits(2'097'153, options, 0), Error);
}

TEST(SurfaceMemory, GrowsWithThePatchAndTheNeighbors) {
  SurfaceOptions small, large;
  small.patch = 3, small.neighbors = 8;
  large.patch = 7, large.neighbors = 200;
  // This counts only the patches and the lists of neighbors.
  EXPECT_GE(bandHostBytes(1000, small), 1000.0 * (4 * 27 + 8 * 8));
  EXPECT_GE(bandHostBytes(1000, large), 1000.0 * (4 * 343 + 8 * 200));
  EXPECT_GT(bandHostBytes(1000, large), bandHostBytes(1000, small));
}

}  // namespace
}  // namespace sulcus::surface
