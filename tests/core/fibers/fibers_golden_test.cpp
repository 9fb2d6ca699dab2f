#include "core/base/parallel/parallel_for.h"
#include "core/fibers/fibers.h"
#include "tests/core/fibers/fiber_inputs.h"
#include "tests/support/checksum.h"

#include <gtest/gtest.h>

// Checksums of fitted functions and of peaks. A change of these changes every result that users compare with
// older ones, and must be noted in CHANGELOG.md. They hold for the compiler and the C library with which the
// packages are made.
namespace sulcus::fibers {
namespace {

using test::checksum, test::optionsFor;

struct Golden {
  std::uint64_t function, peaks;
};

/// For a fourth of the noisy phantom, with any number of threads.
void expectGolden(const FiberOptions& options, const Golden& golden) {
  FiberInput input = test::inputOf(test::noisyPhantom());
  auto mask = std::make_shared<Mask>(*input.mask);
  for (std::size_t i = 0; i < mask->values.size(); ++i)
    if (i % 4 != 0) mask->values[i] = 0;
  input.mask = mask;
  for (const int threads : {1, 2, 7})
    withThreads(threads, [&] {
      const FiberMaps maps = findFibers(input, options, {});
      EXPECT_EQ(checksum(maps.tensor.values), golden.function) << threads << " threads";
      EXPECT_EQ(checksum(maps.peaks.values), golden.peaks) << threads << " threads";
    });
}

/// From random starts, without a shift, as published.
FiberOptions paper(FiberModel model, int order) {
  FiberOptions options = optionsFor(model, order);
  options.shift = ShiftRule::fixed, options.startSet = StartSet::random;
  return options;
}

TEST(GoldenFibers, ByDefault) { expectGolden({}, {0x58c5f475dd8561d9, 0x20ad2f32568a8b71}); }

TEST(GoldenFibers, AsPublished) {
  expectGolden(paper(FiberModel::adc, 4), {0x3b071a9b6bb457f1, 0xdd01bd0cbb3b47ed});
}

TEST(GoldenFibers, AsPublishedOfOrder6) {
  expectGolden(paper(FiberModel::qball, 6), {0xcb76ece17206646a, 0x30ce7c5ca9a13773});
}

TEST(GoldenFibers, OfConstantSolidAngle) {
  expectGolden(optionsFor(FiberModel::csa, 6), {0xd65d7d7880f5269e, 0x1fc7fcc1aca1f08b});
}

}  // namespace
}  // namespace sulcus::fibers
