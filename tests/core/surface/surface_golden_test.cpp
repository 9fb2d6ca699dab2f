#include "core/base/parallel/parallel_for.h"
#include "core/surface/surface.h"
#include "tests/support/checksum.h"

#include <gtest/gtest.h>

// Checksums of level sets. A change of these changes every result that users compare with older ones, and
// must be noted in CHANGELOG.md. They hold for the compiler and the C library with which the packages are
// made.
namespace sulcus::surface {
namespace {

/// A box with rounded edges and a rough surface, in quarters of a millimeter.
std::shared_ptr<const Volume<float>> roughBox() {
  Grid grid;
  grid.size = {26, 24, 22};
  auto phi = std::make_shared<Volume<float>>(grid);
  for (std::int64_t i = 0; i < grid.voxels(); ++i) {
    const Vec3<int> v = grid.voxel(i);
    int largest = -100, others = 0;
    for (int axis = 0; axis < 3; ++axis) {
      const int beyond = std::abs(2 * v[axis] - grid.size[axis]) - grid.size[axis] / 2;
      largest = std::max(largest, beyond), others += std::max(beyond, 0);
    }
    phi->values[std::size_t(i)] = float(2 * largest + others + int(i * 7919 % 5) - 2) / 4;
  }
  return phi;
}

void expectGolden(const SurfaceOptions& options, std::uint64_t golden) {
  SurfaceInput input;
  input.phi = roughBox();
  for (const int threads : {1, 2, 7})
    withThreads(threads, [&] {
      const SurfaceResult result = denoiseSurface(input, options, {});
      const auto last = phiAfter(*result.search, result.flow, result.flow.iterations.size());
      EXPECT_EQ(test::checksum(last.values), golden) << threads << " threads";
    });
}

TEST(GoldenSurface, ByDefault) { expectGolden({}, 0xb56ad59a05d007b7); }

TEST(GoldenSurface, AsPublished) {
  SurfaceOptions options;
  options.weights = PatchWeights::paper, options.iterations = 5;
  expectGolden(options, 0x6c38299d38ba88d3);
}

TEST(GoldenSurface, OfNearPatchesAlone) {
  SurfaceOptions options;
  options.window = 8, options.patch = 3, options.c1 = 100;
  expectGolden(options, 0xc140964f4c74f42a);
}

}  // namespace
}  // namespace sulcus::surface
