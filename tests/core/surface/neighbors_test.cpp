#include "core/surface/neighbors.h"

#include "core/base/error.h"
#include "core/base/parallel/parallel_for.h"
#include "core/surface/patch_tiles.h"
#include "core/surface/surface_kernel.h"
#include "tests/support/neighbor_cases.h"

#include <algorithm>
#include <stop_token>

#include <gtest/gtest.h>

namespace sulcus::surface {
namespace {

/// The neighbors by a full sort of all pairs, computed in double, by (D, squaredDistance, index).
PatchNeighbors byBruteForce(const Band& band, int count) {
  PatchNeighbors result;
  result.count = int(std::min<std::int64_t>(count, band.count() - 1));
  const Patches patches = patchesOf(band, {});
  const Vec3<double> spacing = band.grid().spacing();
  for (std::int64_t e = 0; e < band.count(); ++e) {
    std::vector<std::tuple<double, double, std::int32_t>> all;
    const Vec3<int> at = band.grid().voxel(band.voxels[std::size_t(e)]);
    for (std::int64_t o = 0; o < band.count(); ++o) {
      if (o == e) continue;
      double patch = 0, squaredDistance = 0;
      for (int i = 0; i < patches.size; ++i) {
        const double d = double(patches.of(e)[i]) - patches.of(o)[i];
        patch += d * d;
      }
      const Vec3<int> there = band.grid().voxel(band.voxels[std::size_t(o)]);
      for (int a = 0; a < 3; ++a) squaredDistance += std::pow(spacing[a] * (at[a] - there[a]), 2);
      all.emplace_back(patch, squaredDistance, std::int32_t(o));
    }
    std::sort(all.begin(), all.end());
    for (int k = 0; k < result.count; ++k) {
      result.index.push_back(std::get<2>(all[std::size_t(k)]));
      result.distance.push_back(float(std::get<0>(all[std::size_t(k)])));
    }
  }
  return result;
}

class NeighborSearch : public testing::TestWithParam<test::NeighborCase> {};

TEST_P(NeighborSearch, FindsWhatEveryPairInDoubleGives) {
  const auto& c = GetParam();
  const Band band = bandOf(quantized(c.phi, {}), 2, c.side);
  test::expectTheSame(findNeighbors(band, c.count, {}), byBruteForce(band, c.count));
}

INSTANTIATE_TEST_SUITE_P(Cases, NeighborSearch, testing::ValuesIn(test::neighborCases()),
                         [](const auto& info) { return info.param.name; });

TEST(NeighborSearch, IsTheSameOnAnyNumberOfThreads) {
  const Band band = bandOf(quantized(test::noisyBall(24, 0.4), {}), 3, 5);
  PatchNeighbors one, three;
  withThreads(1, [&] { one = findNeighbors(band, 96, {}); });
  withThreads(3, [&] { three = findNeighbors(band, 96, {}); });
  test::expectTheSame(one, three);
}

TEST(NeighborSearch, OfASingleElementFindsNothing) {
  Grid grid;
  grid.size = {3, 3, 3};
  Volume<float> phi(grid, 5);
  phi(1, 1, 1) = 0;
  EXPECT_EQ(findNeighbors(bandOf(phi, 1, 3), 96, {}).count, 0);
}

TEST(NeighborSearch, CanBeStopped) {
  const Band band = bandOf(quantized(test::noisyBall(24, 0.4), {}), 3, 5);
  std::stop_source stop;
  stop.request_stop();
  EXPECT_THROW(findNeighbors(band, 96, Progress(stop.get_token(), [](double, std::string_view) {})),
               Cancelled);
}

TEST(NearbySearch, IsThatOfTheWholeBandWhenTheWindowHoldsIt) {
  const Band band = bandOf(quantized(test::noisyBall(16, 0.4), {}), 2, 5);
  test::expectTheSame(findNeighborsNearby(band, 40, 16, {}), findNeighbors(band, 40, {}));
}

TEST(NearbySearch, StaysInItsWindow) {
  const Band band = bandOf(quantized(test::noisyBall(20, 0.4), {}), 2, 5);
  const auto found = findNeighborsNearby(band, 40, 2, {});
  for (std::int64_t e = 0; e < band.count(); ++e)
    for (int k = 0; k < found.count; ++k) {
      const Vec3<int> a = band.grid().voxel(band.voxels[std::size_t(e)]),
                      b = band.grid().voxel(band.voxels[std::size_t(found.of(e)[k])]);
      for (int i = 0; i < 3; ++i) ASSERT_LE(std::abs(a[i] - b[i]), 2);
    }
}

TEST(PatchTiles, BoundEveryDistance) {
  const Band band = bandOf(quantized(test::noisyBall(20, 0.4), {}), 2, 5);
  const Patches patches = patchesOf(band, {});
  const PatchTiles tiles = tilesOf(patches, band.side, {});
  std::vector<int> seen(std::size_t(band.count()), 0);
  for (std::int64_t t = 0; t < tiles.count(); ++t)
    for (int i = 0; i < kTileElements; ++i)
      if (const std::int32_t e = tiles.elements[std::size_t(t * kTileElements + i)]; e >= 0)
        ++seen[std::size_t(e)];
  EXPECT_EQ(std::count(seen.begin(), seen.end(), 1), band.count());
  for (std::int64_t a = 0; a < tiles.count(); a += 3)
    for (std::int64_t b = 0; b < tiles.count(); ++b) {
      double smallest = 1e30;
      for (int i = 0; i < kTileElements; ++i)
        for (int j = 0; j < kTileElements; ++j) {
          const std::int32_t x = tiles.elements[std::size_t(a * kTileElements + i)],
                             y = tiles.elements[std::size_t(b * kTileElements + j)];
          if (x >= 0 && y >= 0)
            smallest = std::min(smallest, patchDistance(patches.of(x), patches.of(y), patches.size));
        }
      const double gap = squaredGap(tiles.boxes[std::size_t(a)], tiles.boxes[std::size_t(b)]);
      ASSERT_LE(gap, 1.000001 * std::pow(std::sqrt(smallest) + tiles.rounding, 2));
    }
}

}  // namespace
}  // namespace sulcus::surface
