#include "core/fibers/models/missing_values.h"

#include "tests/core/fibers/fiber_inputs.h"
#include "tests/support/crossing_fibers.h"
#include "tests/support/crossing_score.h"

#include <gmock/gmock.h>

namespace sulcus::fibers {
namespace {

using testing::Contains;
using testing::HasSubstr;

/// Sets volumes to 0 in every voxel from `begin` on.
FiberInput withZeros(FiberInput input, std::initializer_list<int> volumes, std::int64_t begin = 0) {
  auto dwi = std::make_shared<Series<float>>(*input.dwi);
  for (const int v : volumes)
    for (std::int64_t i = begin; i < dwi->grid.voxels(); ++i) dwi->at(i, v) = 0;
  input.dwi = dwi;
  return input;
}

TEST(MissingValues, HardlyChangeWhatTheOthersSay) {
  test::CrossingOptions crossing;
  crossing.b = 2000, crossing.directions = 60, crossing.single = 200, crossing.crossing = 200;
  crossing.smallest = 60, crossing.largest = 90, crossing.largestShare = 0.5;
  const auto scan = test::crossingFibers(crossing);
  const auto whole = findFibers(scan.input, {}, {}),
             lost = findFibers(withZeros(scan.input, {14, 29, 44, 2}), {}, {});
  for (const auto& [begin, end] : {std::pair{0, 200}, {200, 400}}) {
    const auto before = test::scoreOf(whole.peaks, scan.truth, begin, end),
               after = test::scoreOf(lost.peaks, scan.truth, begin, end);
    EXPECT_LT(after.error, 1.5 * before.error);
    EXPECT_GT(after.right, before.right - 0.03);
  }
  EXPECT_THAT(lost.notes,
              Contains(HasSubstr("400 voxels with signal are exactly 0 in some volumes (1600 values)")));
}

TEST(MissingValues, OfAGridAreFoundByAllVolumes) {
  test::CrossingOptions crossing;
  crossing.single = 50, crossing.crossing = 0, crossing.snr = 0;
  crossing.table.rows.resize(2);
  for (const double b : {500, 1000, 1500, 2000, 2500, 3000, 3500, 4000, 4500, 5000})
    for (int i = 0; i < 5; ++i)
      crossing.table.rows.push_back({b, evenDirections(50)[std::size_t(b / 100 - 5 + i)]});
  const auto input = test::crossingFibers(crossing).input;
  const auto zeros = withZeros(input, {10, 20, 30});
  std::vector<std::int64_t> voxels(50);
  for (int i = 0; i < 50; ++i) voxels[std::size_t(i)] = i;
  const std::vector<int> unweighted{0, 1};
  const auto filled =
      fillMissing(*zeros.dwi, input.gradients, unweighted, shells(input.gradients), voxels, {});
  ASSERT_TRUE(filled.dwi);
  for (const int v : {10, 20, 30})
    for (int i = 0; i < 50; ++i) EXPECT_NEAR(filled.dwi->at(i, v), input.dwi->at(i, v), 60) << v;
}

TEST(MissingValues, AreNoneInAWholeScanAndInTheDark) {
  test::CrossingOptions crossing;
  crossing.single = 20, crossing.crossing = 0;
  auto input = test::crossingFibers(crossing).input;
  std::vector<std::int64_t> voxels(20);
  for (int i = 0; i < 20; ++i) voxels[std::size_t(i)] = i;
  const auto unweighted = unweightedVolumes(input.gradients);
  const auto found = shells(input.gradients);
  const auto whole = fillMissing(*input.dwi, input.gradients, unweighted, found, voxels, {});
  EXPECT_FALSE(whole.dwi);
  EXPECT_EQ(whole.note, "");
  auto dark = std::make_shared<Series<float>>(*input.dwi);
  for (int v = 6; v < 60; ++v) dark->at(3, v) = 0;
  const auto kept = fillMissing(*dark, input.gradients, unweighted, found, voxels, {});
  EXPECT_FALSE(kept.dwi);
  EXPECT_THAT(kept.note, HasSubstr("1 voxels are exactly 0 in more than half"));
}

}  // namespace
}  // namespace sulcus::fibers
