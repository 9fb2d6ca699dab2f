#include "core/fibers/peaks/general_tensor.h"

#include "core/base/error.h"
#include "core/math/linear_algebra.h"
#include "tests/core/fibers/peaks/form_oracle.h"

#include <cmath>

#include <gtest/gtest.h>

namespace sulcus::fibers {
namespace {

double residual(const SymmetricTensor& tensor, const Eigenpair& pair) {
  const auto y = formGradient(tensor, pair.x);
  double sum = 0;
  for (std::size_t i = 0; i < y.size(); ++i) sum += std::pow(y[i] - pair.value * pair.x[i], 2);
  return std::sqrt(sum);
}

void expectPair(const std::vector<Eigenpair>& pairs, double value, const std::vector<double>& x) {
  for (const auto& pair : pairs) {
    if (std::abs(pair.value - value) > 6e-5) continue;  // published to four decimals
    double same = 0, opposite = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      same = std::max(same, std::abs(pair.x[i] - x[i]));
      opposite = std::max(opposite, std::abs(pair.x[i] + x[i]));
    }
    if (std::min(same, opposite) < 1.5e-4) return;
  }
  ADD_FAILURE() << "no eigenpair with value " << value;
}

void expectEigenpairs(const SymmetricTensor& tensor, const std::vector<Eigenpair>& pairs) {
  for (const auto& pair : pairs) EXPECT_LT(residual(tensor, pair), 1e-10) << pair.value;
}

std::vector<double> isolatedValues(const std::vector<Eigenpair>& pairs) {
  std::vector<double> values;
  for (const auto& pair : pairs)
    if (pair.kind != EigenpairKind::degenerate) values.push_back(pair.value);
  return values;
}

EigenpairOptions everyKind() {
  EigenpairOptions options;
  options.saddles = true;
  return options;
}

// Kolda & Mayo 2011, Example 3.5 (tensor of Kofidis & Regalia 2002, Example 1).
const SymmetricTensor kOrder4{4,
                              3,
                              {0.2883, -0.0031, 0.1973, -0.2485, -0.2939, 0.3847, 0.2972, 0.1862, 0.0919,
                               -0.3619, 0.1241, -0.3420, 0.2127, 0.2727, -0.3054}};
// Example 3.6.
const SymmetricTensor kOrder3{
    3, 3, {-0.1281, 0.0516, -0.0954, -0.1958, -0.1790, -0.2676, 0.3251, 0.2513, 0.1773, 0.0338}};

TEST(PublishedEigenpairs, OfOrderFourAreFound) {
  const auto pairs = findEigenpairs(kOrder4, everyKind());
  EXPECT_EQ(pairs.size(), 11u);
  expectEigenpairs(kOrder4, pairs);
  expectPair(pairs, 0.8893, {0.6672, 0.2471, -0.7027});
  expectPair(pairs, 0.8169, {0.8412, -0.2635, 0.4722});
  expectPair(pairs, 0.5105, {0.3598, -0.7780, 0.5150});
  expectPair(pairs, 0.3633, {0.2676, 0.6447, 0.7160});
  expectPair(pairs, 0.2682, {0.6099, 0.4362, 0.6616});
  expectPair(pairs, 0.2628, {0.1318, -0.4425, -0.8870});
  expectPair(pairs, 0.2433, {0.9895, 0.0947, -0.1088});
  expectPair(pairs, 0.1735, {0.3357, 0.9073, 0.2531});
  expectPair(pairs, -0.0451, {0.7797, 0.6135, 0.1250});
  expectPair(pairs, -0.5629, {0.1762, -0.1796, 0.9678});
  expectPair(pairs, -1.0954, {0.5915, -0.7467, -0.3043});
}

TEST(PublishedEigenpairs, OfOrderThreeAreFound) {
  const auto pairs = findEigenpairs(kOrder3, everyKind());
  EXPECT_EQ(pairs.size(), 7u);
  expectEigenpairs(kOrder3, pairs);
  expectPair(pairs, 0.8730, {-0.3922, 0.7249, 0.5664});
  expectPair(pairs, 0.4306, {-0.7187, -0.1245, -0.6840});
  expectPair(pairs, 0.2294, {-0.8446, 0.4386, -0.3070});
  expectPair(pairs, 0.0180, {0.7132, 0.5093, -0.4817});
  expectPair(pairs, 0.0033, {0.4477, 0.7740, -0.4478});
  expectPair(pairs, 0.0018, {0.3305, 0.6314, -0.7015});
  expectPair(pairs, 0.0006, {0.2907, 0.7359, -0.6115});
}

TEST(PublishedEigenpairs, OfThePowerMethodAreTheStableOnes) {
  // Kolda & Mayo 2011, Tables 3.1 and 3.2: maxima with a convex shift, minima with a concave one.
  for (const auto shift : {ShiftRule::adaptive, ShiftRule::safe, ShiftRule::fixed}) {
    EigenpairOptions options;
    options.shift = shift;
    options.alpha = 2;
    options.starts = 100;
    const auto values = isolatedValues(findEigenpairs(kOrder4, options));
    ASSERT_EQ(values.size(), 6u);
    const double published[] = {0.8893, 0.8169, 0.3633, -0.0451, -0.5629, -1.0954};
    for (int i = 0; i < 6; ++i) EXPECT_NEAR(values[i], published[i], 6e-5);
  }
}

TEST(PublishedEigenpairs, OfDimensionFiveAreFound) {
  // Cui, Dai & Nie, SIAM J. Matrix Anal. Appl. 35 (2014) 1582: entries sin(i + j + k + l).
  const auto tensor = makeTensor(4, 5, [](std::span<const int> index) {
    double sum = 0;
    for (const int i : index) sum += i;
    return std::sin(sum);
  });
  EigenpairOptions options;
  options.starts = 30;
  const auto pairs = findEigenpairs(tensor, options);
  expectEigenpairs(tensor, pairs);
  const auto values = isolatedValues(pairs);
  ASSERT_EQ(values.size(), 4u);
  const double published[] = {7.2595, 4.6408, -3.9204, -8.8463};
  for (int i = 0; i < 4; ++i) EXPECT_NEAR(values[i], published[i], 6e-5);
}

TEST(PublishedEigenpairs, OfOrderFiveAreFound) {
  // The same authors: entries ln(i₁) + … + ln(i₅), n = 4.
  const auto tensor = makeTensor(5, 4, [](std::span<const int> index) {
    double sum = 0;
    for (const int i : index) sum += std::log(i);
    return sum;
  });
  EigenpairOptions options;
  options.starts = 30;
  const auto pairs = findEigenpairs(tensor, options);
  expectEigenpairs(tensor, pairs);
  const auto values = isolatedValues(pairs);
  ASSERT_EQ(values.size(), 2u);
  EXPECT_NEAR(values[0], 132.3070, 6e-5);
  EXPECT_NEAR(values[1], 0.7074, 6e-5);
}

TEST(PublishedEigenpairs, OfOrderSixAreFound) {
  // Motzkin's form x⁴y² + x²y⁴ + z⁶ − 3x²y²z²: eigenvalues 1, 1/4, 1/64 and 0, known in closed form.
  const auto tensor = makeTensor(6, 3, [](std::span<const int> index) {
    int count[4] = {};
    for (const int i : index) ++count[i];
    if (count[3] == 6) return 1.0;
    if ((count[1] == 4 && count[2] == 2) || (count[1] == 2 && count[2] == 4)) return 1.0 / 15;
    return count[1] == 2 && count[2] == 2 ? -3.0 / 90 : 0.0;
  });
  auto options = everyKind();
  options.starts = 100;
  const auto pairs = findEigenpairs(tensor, options);
  expectEigenpairs(tensor, pairs);
  int ones = 0, quarters = 0, small = 0, zeros = 0;
  for (const double value : isolatedValues(pairs)) {
    ones += std::abs(value - 1) < 1e-9;
    quarters += std::abs(value - 0.25) < 1e-9;
    small += std::abs(value - 1.0 / 64) < 1e-9;
    zeros += std::abs(value) < 1e-9;
  }
  EXPECT_EQ(ones, 1);
  EXPECT_EQ(quarters, 2);
  EXPECT_EQ(small, 8);
  EXPECT_EQ(zeros, 4);  // (±1, ±1, 1)/√3
}

TEST(GeneralTensor, OfOrderTwoHasTheEigenpairsOfTheMatrix) {
  test::forEachSeed(10, [](test::Rng& rng) {
    const int n = rng.integer(2, 6);
    const auto tensor = makeTensor(2, n, [&](std::span<const int>) { return rng.uniform(-1, 1); });
    Eigen::MatrixXd matrix(n, n);
    for (int i = 0, u = 0; i < n; ++i)
      for (int j = i; j < n; ++j) matrix(i, j) = matrix(j, i) = tensor.entries[u++];
    const Eigen::VectorXd truth = symmetricEigenvalues(matrix);
    const auto pairs = findEigenpairs(tensor, everyKind());
    ASSERT_EQ(int(pairs.size()), n);
    for (int i = 0; i < n; ++i) EXPECT_NEAR(pairs[i].value, truth[n - 1 - i], 1e-10);
  });
}

TEST(GeneralTensor, AgreesWithTheCompileTimeForms) {
  test::forEachSeed(20, [](test::Rng& rng) {
    const auto a = test::fiberLikeForm<6>(rng);
    const SymmetricTensor tensor{6, 3, {a.begin(), a.end()}};
    const Vec3<double> d{rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1)};
    const std::vector<double> x{d.x, d.y, d.z};
    const auto y = tensorMatrix<6>(a, d) * d;
    const auto general = formGradient(tensor, x);
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(general[i], y[i], 1e-12);
  });
}

TEST(GeneralTensor, FindsAllThatTheOracleFinds) {
  test::forEachSeed(10, [](test::Rng& rng) {
    const auto a = test::fiberLikeForm<4>(rng, 0.2);
    const auto truth = test::criticalPoints<4>(a);
    ASSERT_EQ(test::eulerCharacteristic(truth), 1);
    auto options = everyKind();
    options.starts = 400;
    const auto pairs = findEigenpairs({4, 3, {a.begin(), a.end()}}, options);
    EXPECT_EQ(pairs.size(), truth.size());
    for (const auto& point : truth) expectPair(pairs, point.value, {point.x.x, point.x.y, point.x.z});
  });
}

TEST(GeneralTensor, CountsDistinctEntries) {
  EXPECT_EQ(symmetricEntries(4, 3), 15);
  EXPECT_EQ(symmetricEntries(8, 3), 45);
  EXPECT_EQ(symmetricEntries(3, 5), 35);
}

TEST(GeneralTensor, WithTheWrongNumberOfEntriesIsRefused) {
  EXPECT_THROW(findEigenpairs({4, 3, std::vector<double>(14)}), Error);
  EXPECT_THROW(findEigenpairs({1, 3, std::vector<double>(3)}), Error);
  EXPECT_THROW(findEigenpairs({17, 2, std::vector<double>(18)}), Error);
}

TEST(GeneralTensor, OfZerosHasNoEigenpairToReport) {
  EXPECT_TRUE(findEigenpairs({4, 3, std::vector<double>(15)}).empty());
}

TEST(TensorOfNumbers, TakesSortedIndicesOrAllEntries) {
  const std::vector<double> sorted{1, 2, 3, 4};  // 111, 112, 122, 222
  EXPECT_EQ(tensorOf(3, 2, sorted).entries, sorted);
  EXPECT_EQ(tensorOf(3, 2, std::vector<double>{1, 2, 2, 3, 2, 3, 3, 4}).entries, sorted);
  EXPECT_THROW(tensorOf(3, 2, std::vector<double>{1, 2, 2, 3, 5, 3, 3, 4}), Error) << "not symmetric";
  EXPECT_THROW(tensorOf(3, 2, std::vector<double>(5)), Error);
  EXPECT_THROW(tensorOf(3, 2, std::vector<double>{1, 2, NAN, 4}), Error);
  EXPECT_THROW(tensorOf(17, 2, std::vector<double>(18)), Error);
  EXPECT_THROW(tensorOf(16, 40, {}), Error) << "too many entries";
}

TEST(Eigenpairs, KnowHowManyThereMayBeAndHowFarTheyAreFromIt) {
  EXPECT_EQ(mostEigenpairs(2, 5), 5);
  EXPECT_EQ(mostEigenpairs(4, 3), 13);
  EXPECT_EQ(mostEigenpairs(3, 3), 7);
  const SymmetricTensor matrix{2, 2, {2, 1, 2}};
  EXPECT_NEAR(residualOf(matrix, {3, {std::sqrt(0.5), std::sqrt(0.5)}, EigenpairKind::maximum}), 0, 1e-15);
  EXPECT_NEAR(residualOf(matrix, {2, {std::sqrt(0.5), std::sqrt(0.5)}, EigenpairKind::maximum}), 1, 1e-15);
}

}  // namespace
}  // namespace sulcus::fibers
