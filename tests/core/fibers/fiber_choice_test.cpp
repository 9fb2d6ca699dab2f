#include "core/fibers/fiber_choice.h"

#include "tests/core/fibers/fiber_inputs.h"
#include "tests/support/crossing_fibers.h"
#include "tests/support/crossing_score.h"
#include "tests/support/expect_error.h"
#include "tests/support/grid.h"
#include "tests/support/tissue_phantom.h"

#include <gmock/gmock.h>

// The volumes and the model that are chosen, and the result with them.

namespace sulcus::fibers {
namespace {

using test::optionsFor;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

void addShell(GradientTable& table, double b, int directions) {
  for (const auto& g : evenDirections(directions)) table.rows.push_back({b, g});
}

GradientTable shellTable(std::initializer_list<std::pair<double, int>> shells, int unweighted = 5) {
  GradientTable table;
  table.rows.resize(std::size_t(unweighted));
  for (const auto& [b, directions] : shells) addShell(table, b, directions);
  return table;
}

/// Half of the points (i, j, k) of a grid with i² + j² + k² up to `largest`, as b-values up to bMax.
GradientTable gridTable(int largest, double bMax) {
  GradientTable table;
  table.rows.resize(1);
  const int edge = int(std::sqrt(double(largest)));
  for (int i = -edge; i <= edge; ++i)
    for (int j = -edge; j <= edge; ++j)
      for (int k = 0; k <= edge; ++k) {
        const int square = i * i + j * j + k * k;
        const bool isHalf = k > 0 || j > 0 || (j == 0 && i > 0);
        if (square == 0 || square > largest || !isHalf) continue;
        table.rows.push_back({bMax * square / largest, normalized(Vec3<double>{1.0 * i, 1.0 * j, 1.0 * k})});
      }
  return table;
}

test::CrossingOptions crossingsIn(GradientTable table, std::uint64_t seed) {
  test::CrossingOptions crossing;
  crossing.table = std::move(table), crossing.seed = seed;
  crossing.smallest = 55, crossing.largest = 90, crossing.largestShare = 0.5;
  crossing.single = 200, crossing.crossing = 200;
  crossing.radial = 0.3e-3;
  return crossing;
}

struct Found {
  FiberMaps maps;
  test::CrossingScore one, two;
};

Found found(const test::CrossingOptions& crossing, const FiberOptions& options = {}) {
  const auto scan = test::crossingFibers(crossing);
  auto maps = findFibers(scan.input, options, {});
  const auto one = test::scoreOf(maps.peaks, scan.truth, 0, crossing.single),
             two = test::scoreOf(maps.peaks, scan.truth, crossing.single, maps.peaks.grid.voxels());
  return {std::move(maps), one, two};
}

TEST(FiberChoice, TakesTheShellThatCarriesTheOrder) {
  for (const int few : {6, 12}) {
    SCOPED_TRACE(few);
    auto crossing = crossingsIn(shellTable({{1000, 64}, {2500, few}}), 7);
    for (const FiberModel model : {FiberModel::automatic, FiberModel::csd, FiberModel::qball}) {
      const FiberChoice choice = chooseFibers(test::crossingFibers(crossing).input, optionsFor(model));
      EXPECT_EQ(choice.shell, 0u);
      EXPECT_EQ(choice.order, model == FiberModel::csd ? 10 : 8);
    }
    const Found csd = found(crossing, optionsFor(FiberModel::csd)), all = found(crossing);
    EXPECT_GE(csd.two.right, 0.8);
    EXPECT_LT(csd.one.error, 3);
    EXPECT_GE(all.two.right, 0.8);
    EXPECT_LT(all.one.error, 3);
  }
}

TEST(FiberChoice, TakesTheHighestOfShellsThatCarryTheSameOrder) {
  const auto input =
      test::crossingFibers(crossingsIn(shellTable({{1000, 60}, {2000, 60}, {3000, 60}}), 1)).input;
  const FiberChoice choice = chooseFibers(input, optionsFor(FiberModel::csd));
  EXPECT_EQ(choice.shell, 2u);
  EXPECT_EQ(choice.weighted.size(), 60u);
}

TEST(FiberChoice, WarnsOfFewDirections) {
  auto options = optionsFor(FiberModel::csd);
  options.shells = "2500";
  const auto input = test::crossingFibers(crossingsIn(shellTable({{1000, 64}, {2500, 12}}), 1)).input;
  const FiberChoice choice = chooseFibers(input, options);
  EXPECT_EQ(choice.weighted.size(), 12u);
  EXPECT_THAT(choice.notes, Contains(HasSubstr("Warning: 12 directions are too few for csd")));
}

TEST(FiberChoice, FindsCrossingsInQSpaceByAllVolumes) {
  // 101 points as in DSI; five b-values of 20 directions, none of which alone suffices for a crossing.
  auto five = shellTable({{0, 100}});
  for (std::size_t v = 5; v < five.rows.size(); ++v) five.rows[v].b = 600 + 600 * double(v % 5);
  for (const auto& table : {gridTable(13, 5000), five})
    for (const FiberModel model : {FiberModel::automatic, FiberModel::csd}) {
      SCOPED_TRACE(testing::Message() << table.rows.size() << " volumes, model " << int(model));
      auto crossing = crossingsIn(table, 3);
      const Found both = found(crossing, optionsFor(model));
      EXPECT_EQ(both.maps.model, FiberModel::msmt);
      EXPECT_GE(both.two.right, 0.8);
      EXPECT_LT(both.two.error, 10);
      EXPECT_LT(both.one.error, 3);
    }
  const auto input = test::crossingFibers(crossingsIn(gridTable(13, 5000), 3)).input;
  EXPECT_THAT(validateFibers(input, {}), HasSubstr("grid (DSI)"));
}

TEST(FiberChoice, KnowsTwoTissuesOfOneShell) {
  auto phantom = test::tissuePhantom(test::gridOf({24, 12, 8}, {2, 2, 2}), 30, 7, {0, 0, 60});
  const FiberMaps maps = findFibers(phantom.input, optionsFor(FiberModel::msmt), {});
  ASSERT_EQ(maps.tissueResponses.size(), 3u);
  EXPECT_TRUE(maps.tissueResponses[1].empty());
  double fibers = 0, missed = 0, csf = 0, error = 0;
  for (std::size_t i = 0; i < phantom.volumes.size(); ++i) {
    const auto& volumes = phantom.volumes[i];
    EXPECT_EQ(maps.volumes.at(std::int64_t(i), 1), 0);
    if (volumes[2] == 1) ++csf, error += std::abs(maps.volumes.at(std::int64_t(i), 2) - 1);
    if (volumes[0] == 1) ++fibers, missed += std::abs(maps.volumes.at(std::int64_t(i), 0) - 1);
  }
  EXPECT_LT(error / csf, 0.1);
  EXPECT_LT(missed / fibers, 0.15);

  test::giveTrueResponses(phantom.input);
  for (auto* rows : {&phantom.input.response, &phantom.input.responseCsf})
    *rows = {rows->front(), rows->back()};
  phantom.input.responseGm.clear();
  EXPECT_EQ(findFibers(phantom.input, {}, {}).model, FiberModel::msmt);
}

TEST(FiberChoice, UnderstandsBaselinesThatAreNotZero) {
  auto table = shellTable({{1000, 60}}, 0);
  for (const double b : {55, 60, 65}) table.rows.push_back({b, {1, 0, 0}});
  auto crossing = crossingsIn(table, 5);
  auto options = optionsFor(FiberModel::adc, 2);
  const FiberMaps maps = found(crossing, options).maps;
  EXPECT_NEAR(maps.b, 1000, 1e-6);
  double mean = 0;  // of the diffusivity; b − 60 gives the correct value
  const std::vector<float> trace{1, 0, 0, 1, 0, 1};
  for (int u = 0; u < 6; ++u)
    for (int i = 0; i < 200; ++i) mean += double(trace[std::size_t(u)] * maps.tensor.at(i, u)) / 600;
  EXPECT_NEAR(mean, (1.7e-3 + 2 * 0.3e-3) / 3, 0.02e-3);

  for (auto& row : table.rows)
    if (row.b < 100) row.b = 150;
  crossing.table = table;
  const auto input = test::crossingFibers(crossing).input;
  EXPECT_THAT(test::errorOf([&] { chooseFibers(input, {}); }), HasSubstr("the smallest is 150"));
  options.b0Threshold = 200;
  EXPECT_EQ(chooseFibers(input, options).scan.unweighted.size(), 3u);
}

}  // namespace
}  // namespace sulcus::fibers
