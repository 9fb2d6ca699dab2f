#include "core/registration/linear/linear_measure.h"

#include "core/base/parallel/parallel_for.h"
#include "tests/core/registration/deformation/align_levels.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace sulcus::registration {
namespace {

/// All measured numbers in a row.
std::vector<double> numbersOf(const std::vector<OfDirections<DirectionSums>>& measured) {
  std::vector<double> numbers;
  for (const auto& directions : measured)
    for (const DirectionSums& of : directions) {
      numbers.insert(numbers.end(), {of.counted, of.information});
      numbers.insert(numbers.end(), of.slopes.begin(), of.slopes.end());
      numbers.insert(numbers.end(), of.squares.begin(), of.squares.end());
    }
  return numbers;
}

class MeasureBy : public testing::TestWithParam<LinearSimilarity> {};
INSTANTIATE_TEST_SUITE_P(, MeasureBy, testing::ValuesIn(test::kLinearSimilarities), test::similarityName);

TEST_P(MeasureBy, IsTheSameOnAnyNumberOfThreads) {
  test::Rng rng(1);
  const AlignLevel a = test::noisyLevel({31, 28, 33}, 9000, true, rng),
                   b = test::noisyLevel({25, 30, 27}, 5000, false, rng);
  const auto maps = test::mapsBetween(a, b, 5, rng);
  std::vector<double> one, three;
  withThreads(1, [&] { one = numbersOf(measureOf(a, b, GetParam())(maps, true)); });
  withThreads(3, [&] { three = numbersOf(measureOf(a, b, GetParam())(maps, true)); });
  EXPECT_EQ(one, three);
}

TEST_P(MeasureBy, TellsAllOfAnImageFromItself) {
  test::Rng rng(2);
  const AlignLevel a = test::noisyLevel({20, 20, 20}, 6000, false, rng);
  VoxelMap same{};
  for (int i = 0; i < 3; ++i) same.rows[i][i] = 1;
  const auto [there, back] = measureOf(a, a, GetParam())({{same, same}}, false).front();
  EXPECT_EQ(there.counted, double(a.samples.size()));
  EXPECT_EQ(there.information, back.information);
  // Values are spread over four bins: some 28 bins of interpolated noise, minus what the spread hides.
  EXPECT_GT(there.information / there.counted, 1.2);
  EXPECT_LT(there.information / there.counted, std::log(32));
  for (const double square : there.squares) EXPECT_EQ(square, 0) << "nobody asked";
}

/// Σ (x − mean)² of values; the spline adds 1/3 to each.
double spread(const std::vector<double>& values) {
  double sum = 0, squares = 0;
  for (const double x : values) sum += x, squares += x * x;
  return values.empty() ? 0 : squares - sum * sum / double(values.size()) + double(values.size()) / 3;
}

TEST(MeasureOf, ByCorrelationRatioTellsTheShareOfTheVarianceThatClassesExplain) {
  test::Rng rng(4);
  const AlignLevel a = test::noisyLevel({21, 19, 23}, 4000, true, rng),
                   b = test::noisyLevel({22, 20, 20}, 3000, false, rng);
  const auto maps = test::mapsBetween(a, b, 3, rng);
  for (std::size_t m = 0; m < 2; ++m) {
    std::array<std::vector<double>, kBins> classes;
    std::vector<double> all;
    for (const AlignSample& sample : b.samples) {
      const MovedSample moved =
          movedSample(sample, maps[m][0], a.grid.size, a.values.data(), a.compared.data());
      if (!moved.compared) continue;
      const double x =
          std::clamp(double((moved.value - a.range.low) * a.range.binsPerUnit), 0.0, kBins - 3.0);
      classes[sample.bin].push_back(x), all.push_back(x);
    }
    double within = 0;
    for (const auto& values : classes) within += spread(values);
    const DirectionSums sums = measureOf(a, b, LinearSimilarity::cr)({maps[m]}, false)[0][0];
    EXPECT_EQ(sums.counted, double(all.size()));
    EXPECT_NEAR(sums.information, double(all.size()) / 2 * std::log(spread(all) / within), 1e-5 * all.size());
    EXPECT_GT(sums.information, 0);
  }
}

TEST_P(MeasureBy, CountsNothingOfImagesThatDoNotMeet) {
  test::Rng rng(3);
  const AlignLevel a = test::noisyLevel({20, 20, 20}, 3000, false, rng);
  VoxelMap far{};
  for (int i = 0; i < 3; ++i) far.rows[i][i] = 1, far.rows[i][3] = 100;
  const auto both = measureOf(a, a, GetParam())({{far, far}}, true).front();
  for (const DirectionSums& of : both) {
    EXPECT_EQ(of.counted, 0);
    EXPECT_EQ(of.information, 0);
    EXPECT_EQ(std::accumulate(of.squares.begin(), of.squares.end(), 0.0), 0);
  }
  EXPECT_TRUE(measureOf(a, a, GetParam())({}, true).empty());
}

}  // namespace
}  // namespace sulcus::registration
