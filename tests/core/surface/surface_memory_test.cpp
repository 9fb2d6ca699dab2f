#include "core/surface/surface_memory.h"

#include "core/base/error.h"
#include "tests/core/surface/surface_inputs.h"

#include <string>

#include <gtest/gtest.h>

namespace sulcus {
namespace {

/// What the Error of a search that cannot be made says, "" when it can.
std::string refusal(double memoryLimit, const SurfaceOptions& options) {
  SurfaceInput input;
  input.phi = std::make_shared<const Volume<float>>(test::noisyBall(24, 0.4));
  input.memoryLimit = memoryLimit;
  const auto notReached = [](const Band&, int, const Progress&) -> PatchNeighbours {
    throw Error("searched", "", "");
  };
  static FindNeighbours* const find = +notReached;
  try {
    denoiseSurfaceBy(*find, flowOver, input, options, {});
  } catch (const Error& fault) {
    EXPECT_EQ(fault.kind(), ErrorKind::badInput);
    return fault.what();
  }
  return "";
}

std::int64_t ballVoxels() { return bandOf(onSteps(test::noisyBall(24, 0.4), {}), 3, 5, {}).count(); }

TEST(SurfaceMemory, RefusesABandThatNeedsMoreThanIsFreeBeforeItIsSearched) {
  const SurfaceOptions options;
  const double needed = surfaceHostBytes(ballVoxels(), options);
  EXPECT_EQ(refusal(0, options).rfind("searched", 0), 0u);
  EXPECT_EQ(refusal(needed, options).rfind("searched", 0), 0u);
  const std::string text = refusal(0.5 * needed, options);
  for (const std::string& word : {std::to_string(ballVoxels()), std::string("are needed"),
                                  std::string("are free"), std::string("narrower band")})
    EXPECT_NE(text.find(word), std::string::npos) << text;
}

TEST(SurfaceMemory, SaysHowManyVoxelsWouldFit) {
  const SurfaceOptions options;
  const std::int64_t many = 40'000'000;
  const double each = surfaceHostBytes(1, options);
  try {
    requireBandFits(many, options, 1'234'567 * each);
    FAIL();
  } catch (const Error& fault) {
    EXPECT_NE(std::string(fault.what()).find("about 1200000 voxels"), std::string::npos) << fault.what();
  }
  EXPECT_NO_THROW(requireBandFits(1'200'000, options, 1'234'567 * each));
}

TEST(SurfaceMemory, RefusesMoreNeighboursThanCanBeNumbered) {
  SurfaceOptions options;
  options.neighbours = 1024;
  EXPECT_NO_THROW(requireBandFits(2'097'151, options, 0));
  EXPECT_THROW(requireBandFits(2'097'153, options, 0), Error);
}

TEST(SurfaceMemory, GrowsWithThePatchAndTheNeighbours) {
  SurfaceOptions small, large;
  small.patch = 3, small.neighbours = 8;
  large.patch = 7, large.neighbours = 200;
  // The patches and the lists of neighbours alone.
  EXPECT_GE(surfaceHostBytes(1000, small), 1000.0 * (4 * 27 + 8 * 8));
  EXPECT_GE(surfaceHostBytes(1000, large), 1000.0 * (4 * 343 + 8 * 200));
  EXPECT_GT(surfaceHostBytes(1000, large), surfaceHostBytes(1000, small));
}

}  // namespace
}  // namespace sulcus
