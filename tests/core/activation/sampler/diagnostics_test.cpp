#include "core/activation/sampler/diagnostics.h"

#include "tests/core/activation/activation_inputs.h"

#include <random>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace sulcus::activation {
namespace {

using test::normal, test::phantomResult, test::Rng;
using ::testing::HasSubstr;

TEST(Convergence, OfFourNumbersIsWhatTheFormulaGives) {
  // Ranks 1 2 | 3 4 of 4 have the probabilities 5/34, 13/34, 21/34, 29/34 and the normal numbers ∓a, ∓b with
  // a = 1.049, b = 0.299. Halves (−a, −b) and (b, a): W = (a − b)²/2, the means differ by a + b, so B/N = (a
  // + b)²/2 and R̂² = 1/2 + ((a + b)/(a − b))². The distances 3 1 | 1 5 from the median give a smaller value.
  const double a = 1.0491313979639716, b = 0.29930691046566693;
  const std::vector<double> draws{1, 3, 5, 9};
  EXPECT_NEAR(convergence(draws, 1).rhat, std::sqrt(0.5 + std::pow((a + b) / (a - b), 2)), 1e-10);
}

/// Φ⁻¹ by bisection.
double normalNumber(double probability) {
  double low = -10, high = 10;
  for (int i = 0; i < 100; ++i) {
    const double middle = (low + high) / 2;
    (std::erfc(-middle / std::sqrt(2.0)) / 2 < probability ? low : high) = middle;
  }
  return low;
}

/// Split-R̂ of scores from the number of smaller and equal ones; `chains` of even length.
double rhatByCounting(const std::vector<double>& draws, int chains) {
  const std::size_t n = draws.size() / std::size_t(2 * chains);
  std::vector<double> scores;
  for (const double x : draws) {
    double smaller = 0, equal = 0;
    for (const double other : draws) smaller += other < x, equal += other == x;
    scores.push_back(normalNumber((smaller + (equal + 1) / 2 - 0.375) / (double(draws.size()) + 0.25)));
  }
  double within = 0, sum = 0, squares = 0;
  const double m = 2.0 * chains, size = double(n);
  for (std::size_t half = 0; half < scores.size(); half += n) {
    double mean = 0;
    for (std::size_t i = half; i < half + n; ++i) mean += scores[i] / size;
    for (std::size_t i = half; i < half + n; ++i) within += std::pow(scores[i] - mean, 2) / (size - 1) / m;
    sum += mean, squares += mean * mean;
  }
  const double between = (squares - sum * sum / m) / (m - 1);
  return std::sqrt((size - 1) / size + between / within);
}

TEST(Convergence, IsThatOfRanksAndOfDistancesFromTheMedian) {
  Rng rng(11);
  for (const int chains : {1, 2, 3})
    for (const bool areWide : {false, true}) {
      std::vector<double> draws;
      for (int chain = 0; chain < chains; ++chain)
        for (int t = 0; t < 20; ++t)  // in steps, so that some values are equal
          draws.push_back(std::round(4 * normal(rng) * (areWide && chain == 0 && t < 10 ? 5 : 1) + chain) /
                          4);
      std::vector<double> ordered = draws, distances;
      std::sort(ordered.begin(), ordered.end());
      const double median = (ordered[draws.size() / 2 - 1] + ordered[draws.size() / 2]) / 2;
      for (const double x : draws) distances.push_back(std::abs(x - median));
      EXPECT_NEAR(convergence(draws, chains).rhat,
                  std::max(rhatByCounting(draws, chains), rhatByCounting(distances, chains)), 1e-9)
          << chains << " chains";
    }
}

TEST(Convergence, SeesChainsOfDifferentWidthsAndHeavyTails) {
  Rng rng(12);
  std::vector<double> widths, cauchy, shifted;
  for (int chain = 0; chain < 2; ++chain)
    for (int t = 0; t < 2000; ++t) {
      widths.push_back(normal(rng) * (1 + 2 * chain));
      cauchy.push_back(normal(rng) / normal(rng));
      shifted.push_back(normal(rng) / normal(rng) + 2 * chain);
    }
  EXPECT_GT(convergence(widths, 2).rhat, 1.1);
  EXPECT_NEAR(convergence(cauchy, 2).rhat, 1, 0.005);
  EXPECT_GT(convergence(cauchy, 2).ess, 3000);
  EXPECT_GT(convergence(shifted, 2).rhat, 1.05) << "whose variances are infinite";
}

TEST(Convergence, IsWorthAsManyDrawsOnAnyScale) {
  Rng rng(13);
  std::vector<double> draws, powers;
  for (int t = 0; t < 400; ++t) draws.push_back(normal(rng) + (t < 100 ? 1 : 0));
  for (const double x : draws) powers.push_back(std::exp(5 * x));
  EXPECT_NEAR(convergence(powers, 2).ess, convergence(draws, 2).ess, 1e-9);
}

TEST(Convergence, OfIndependentDrawsIsTheirNumber) {
  Rng rng(1);
  std::vector<double> draws(4 * 5000);
  for (double& x : draws) x = normal(rng);
  const auto found = convergence(draws, 4);
  EXPECT_NEAR(found.rhat, 1, 1e-3);
  EXPECT_NEAR(found.ess, 20000, 1200);
}

TEST(Convergence, OfAnAutoregressiveChainIsThatOfTheTextbook) {
  // ρ_t = φᵗ: ESS = N (1 − φ)/(1 + φ).
  for (const double phi : {-0.3, 0.3, 0.7, 0.9}) {
    Rng rng(2);
    const int length = 20000;
    std::vector<double> draws;
    for (int chain = 0; chain < 4; ++chain) {
      double x = normal(rng) / std::sqrt(1 - phi * phi);
      for (int t = 0; t < length; ++t) draws.push_back(x = phi * x + normal(rng));
    }
    const auto found = convergence(draws, 4);
    const double expected = 4 * length * (1 - phi) / (1 + phi);
    EXPECT_NEAR(found.ess / expected, 1, 0.08) << phi;
    EXPECT_NEAR(found.rhat, 1, 0.003) << phi;
  }
}

TEST(Convergence, SeesChainsWithDifferentMeans) {
  Rng rng(3);
  std::vector<double> draws;
  const double shift = 0.5;
  for (int chain = 0; chain < 2; ++chain)
    for (int t = 0; t < 20000; ++t) draws.push_back(normal(rng) + (chain ? shift : -shift));
  // Four halves with means ± shift: B/N = 4/3 shift², W = 1.
  const auto found = convergence(draws, 2);
  EXPECT_NEAR(found.rhat, std::sqrt(1 + 4 / 3.0 * shift * shift), 0.01);
  EXPECT_LT(found.ess, 20);
}

TEST(Convergence, SeesAChainThatDrifts) {
  Rng rng(4);
  std::vector<double> draws;
  for (int t = 0; t < 4000; ++t) draws.push_back(normal(rng) + t / 1000.0);
  EXPECT_GT(convergence(draws, 1).rhat, 1.5);
}

TEST(Convergence, OfFewDrawsIsWorthSome) {
  for (const int kept : {4, 6, 9, 14})
    for (std::uint64_t seed = 1; seed <= 50; ++seed) {
      Rng rng(seed);
      std::vector<double> draws(std::size_t(2 * kept));
      for (double& draw : draws) draw = normal(rng);
      const Convergence found = convergence(draws, 2);
      EXPECT_GT(found.ess, 0) << kept << " " << seed;
      EXPECT_LE(found.ess, 2 * kept * std::log10(2 * kept) + 1e-9);
    }
}

TEST(Convergence, OfWhatNeverChangesIsUnknown) {
  EXPECT_TRUE(std::isnan(convergence(std::vector<double>(100, 2.5), 2).rhat));
  EXPECT_EQ(convergence(std::vector<double>(100, 2.5), 2).ess, 0);
  EXPECT_TRUE(std::isnan(convergence(std::vector<double>{1, 2, 3}, 1).rhat));
  EXPECT_TRUE(std::isnan(convergence(std::vector<double>{1, 2, NAN, 4}, 1).rhat));
  std::vector<double> twoValues;  // at equal distance from their median
  for (int t = 0; t < 100; ++t) twoValues.push_back(t % 2);
  EXPECT_NEAR(convergence(twoValues, 2).rhat, 1, 0.02);
}

TEST(Diagnostics, CoverEveryHyperParameterAndFindTheWorstVoxel) {
  auto result = *phantomResult();
  auto samples = *result.samples;
  samples.moments.rhat[100] = 1.5f;
  samples.moments.rhat[std::size_t(result.count()) + 7] = 1.7f;
  samples.moments.ess[33] = 12;
  result.samples = std::make_shared<const GibbsResult>(samples);
  const auto found = diagnose(result);
  EXPECT_EQ(found.hyper.size(), 4u * 3 + 6);  // Δ of 4 covariates and 3 regressors, V of 3 × 3
  EXPECT_EQ(found.hyper[1].name, "Δ[csf, intercept]");
  EXPECT_EQ(found.hyper[13].name, "V[visual, intercept]");
  EXPECT_NEAR(found.worstRhat, 1.7, 1e-6);
  EXPECT_EQ(found.worstVoxel, result.voxels[7]);
  EXPECT_GE(found.aboveLimit, 2);
  EXPECT_EQ(found.smallestEss, 12);
  EXPECT_GT(found.medianEss, 100);
}

TEST(Diagnostics, AgreeWithTheTruthOfThePhantom) {
  const auto found = diagnose(*phantomResult());
  const auto& phantom = test::modelPhantom();
  for (int j = 0; j < 3; ++j)
    for (int c = 0; c < 4; ++c) {
      const auto& delta = found.hyper[std::size_t(j * 4 + c)];
      EXPECT_NEAR(delta.mean, phantom.delta(c, j), 4 * delta.sd) << delta.name;
    }
}

TEST(Diagnostics, WarnOfChainsThatHaveNotConverged) {
  const auto good = diagnose(*phantomResult());
  EXPECT_FALSE(convergenceWarning(*phantomResult(), {}).has_value());
  auto bad = good;
  bad.hyper[2].convergence.rhat = 1.2;
  const auto warning = convergenceWarning(*phantomResult(), bad);
  ASSERT_TRUE(warning.has_value());
  EXPECT_THAT(*warning, HasSubstr("Δ[gm, intercept] of volume: R̂ 1.2"));
  EXPECT_THAT(*warning, HasSubstr("Make more draws, about "));
  auto voxels = ActivationDiagnostics();
  voxels.aboveLimit = phantomResult()->count() / 10, voxels.worstRhat = 1.3;
  EXPECT_THAT(convergenceWarning(*phantomResult(), voxels).value_or(""), HasSubstr("% of the voxels"));
}

/// For chains that agree, the largest R̂ of many quantities exceeds the limit in at most one of 20 runs,
/// whereas it would exceed that of a single quantity, 1.01, in most of them.
TEST(RhatLimit, IsPassedByChanceInAtMostOneOfTwentyRuns) {
  std::mt19937_64 random(8);
  std::normal_distribution<double> normal;
  constexpr int kRuns = 400, kQuantities = 20, kChains = 2, kLength = 100;
  int beyond = 0, aboveOne = 0;
  std::vector<double> draws(kChains * kLength);
  for (int run = 0; run < kRuns; ++run) {
    bool any = false, anyOne = false;
    for (int quantity = 0; quantity < kQuantities; ++quantity) {
      for (double& x : draws) x = normal(random);
      const auto [rhat, ess] = convergence(draws, kChains);
      any = any || rhat > rhatLimit(kChains, kLength, ess, kQuantities);
      anyOne = anyOne || rhat > kLargestRhat;
    }
    beyond += any, aboveOne += anyOne;
  }
  EXPECT_GT(aboveOne, kRuns / 2);
  EXPECT_LE(beyond, kRuns / 20);
}

TEST(RhatLimit, IsThatOfOneQuantityWhereChainsAreLong) {
  EXPECT_EQ(rhatLimit(2, 10000, 10000, 20), kLargestRhat);
  EXPECT_GT(rhatLimit(2, 2700, 400, 20), 1.02);
}

TEST(Diagnostics, AskForMoreDrawsWhereTheyAreTooFew) {
  auto found = diagnose(*phantomResult());
  for (auto& hyper : found.hyper) hyper.convergence = {1.001, 800};
  EXPECT_EQ(furtherDraws(*phantomResult(), found), 1);
  found.hyper[3].convergence = {1.001, 100};
  EXPECT_NEAR(furtherDraws(*phantomResult(), found), 4, 1e-9);
  EXPECT_THAT(convergenceWarning(*phantomResult(), found).value_or(""),
              HasSubstr("worth 100 independent draws of 400"));
  found.hyper[3].convergence = {1.06, 1000};
  EXPECT_GT(furtherDraws(*phantomResult(), found), 4);
}

TEST(Diagnostics, AreWrittenAsJson) {
  auto result = *phantomResult();
  result.notes = {"a \"quoted\" \\ note\n"};
  auto found = diagnose(result);
  found.hyper[0].convergence.rhat = NAN;
  const TableLayer shown{{"contrast", "voxels", "null_share"}, {{"a \"b\"", "12", "n/a"}, {"c", "0", "0.9"}}};
  const auto json = nlohmann::json::parse(diagnosticsJson(result, found, shown));
  EXPECT_EQ(json["voxels"], result.count());
  EXPECT_EQ(json["regressors"][1], "visual");
  EXPECT_EQ(json["kept"], result.sampling.kept());
  EXPECT_TRUE(json["hyper_parameters"][0]["rhat"].is_null());
  EXPECT_NEAR(json["hyper_parameters"][5]["ess"].get<double>(), found.hyper[5].convergence.ess, 1e-3);
  EXPECT_EQ(json["shown"][0]["contrast"], "a \"b\"");
  EXPECT_EQ(json["shown"][0]["voxels"], 12);
  EXPECT_TRUE(json["shown"][0]["null_share"].is_null());
  EXPECT_EQ(json["shown"][1]["null_share"], 0.9);
  EXPECT_EQ(json["notes"][0], "a \"quoted\" \\ note ");
}

}  // namespace
}  // namespace sulcus::activation
