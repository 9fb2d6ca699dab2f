#include "core/activation/model/common_noise.h"

#include "core/activation/results/mixture_fdr.h"
#include "core/activation/results/posterior.h"
#include "tests/core/activation/activation_inputs.h"

#include <gmock/gmock.h>

namespace sulcus::activation {
namespace {

using test::normal, test::Rng;
using ::testing::Contains, ::testing::HasSubstr, ::testing::Not;

constexpr double kEffect = 0.8;  // s.d. of the noise

/// 800 voxels around 1000 with noise of s.d. 10, part of whose variance is one series in all voxels, and
/// blocks or single events, to which every tenth voxel responds if `active`.
ActivationInput sharedNoise(std::uint64_t seed, double share, bool blocks, bool active = false) {
  constexpr int kScans = 120;
  Rng rng(seed);
  Grid grid;
  grid.size = {10, 10, 8};
  ActivationInput input;
  input.design.names = {"intercept", "task"};
  input.design.matrix = Eigen::MatrixXd::Ones(kScans, 2);
  input.design.confounds.resize(kScans, 0);
  for (int t = 0; t < kScans; ++t) input.design.matrix(t, 1) = blocks ? t / 10 % 2 : rng.uniform() < 0.15;
  std::vector<double> common;
  for (int t = 0; t < kScans; ++t) common.push_back(normal(rng));
  auto bold = std::make_shared<Series<float>>(grid, kScans);
  for (std::int64_t i = 0; i < grid.voxels(); ++i)
    for (int t = 0; t < kScans; ++t)
      bold->at(i, t) =
          float(1000 + 10 * (std::sqrt(share) * common[std::size_t(t)] + std::sqrt(1 - share) * normal(rng) +
                             (active && i % 10 == 0 ? kEffect * input.design.matrix(t, 1) : 0)));
  input.bold = bold;
  input.mask = std::make_shared<const Mask>(grid, std::uint8_t(1));
  return input;
}

ActivationOptions quick(bool commonNoise = true) {
  ActivationOptions options;
  options.draws = 400, options.noise = Noise::white, options.commonNoise = commonNoise;
  return options;
}

double shareBeyond(const std::vector<float>& p, double limit, bool above) {
  return double(std::count_if(p.begin(), p.end(), [&](float x) { return above ? x >= limit : x <= limit; })) /
         double(p.size());
}

TEST(CommonNoise, MakesNoVoxelActive) {
  double without = 0;
  for (const bool blocks : {true, false})
    for (const double share : {0.0, 0.1, 0.3})
      for (std::uint64_t seed = 1; seed <= 6; ++seed) {
        const auto input = sharedNoise(seed, share, blocks);
        const auto p = exceedance(analyzeActivation(input, quick(), {}), std::array{0.0, 1.0}, 0);
        EXPECT_LE(shareBeyond(p, 0.95, true), 0.06) << blocks << " " << share << " " << seed;
        EXPECT_LE(shareBeyond(p, 0.05, false), 0.06) << blocks << " " << share << " " << seed;
        const auto paper = exceedance(analyzeActivation(input, quick(false), {}), std::array{0.0, 1.0}, 0);
        without = std::max({without, shareBeyond(paper, 0.95, true), shareBeyond(paper, 0.05, false)});
      }
  EXPECT_GT(without, 0.9);  // as voxels count as independent
}

TEST(CommonNoise, LeavesEffectsWhereTheyAre) {
  const std::vector<double> task{0, 1};
  for (const double share : {0.1, 0.3}) {
    double hits = 0, wrong = 0, shown = 0;
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
      const auto result = analyzeActivation(sharedNoise(seed, share, true, true), quick(), {});
      const auto p = exceedance(result, task, 0);
      const auto grouped = groupedEstimates(result, task);
      auto found = localFalseShare(grouped->estimates, *grouped->groups, 0);
      for (float& x : found) x = 1 - x;
      const double threshold = fdrThreshold(found, 0.05);
      for (std::size_t i = 0; i < p.size(); ++i) {
        const bool active = i % 10 == 0;
        hits += active && p[i] >= 0.95f;
        if (found[i] >= float(threshold)) ++shown, wrong += !active;
      }
    }
    EXPECT_GT(hits / (6 * 80), 0.9) << share;
    EXPECT_GT(shown, 6 * 80 * 0.6) << share;
    EXPECT_LT(wrong / shown, 0.1) << share;
  }
}

TEST(CommonNoise, MakesDeltaAsUnsureAsTheMeanSeries) {
  const auto input = sharedNoise(2, 0.3, true, true);
  const auto result = analyzeActivation(input,
                                        optionsFrom<ActivationOptions>({{"response", std::string("percent")},
                                                                        {"noise", std::string("white")},
                                                                        {"draws", std::int64_t(3000)}}),
                                        {});
  ASSERT_EQ(result.samples->delta.size() % 2, 0u);
  double sum = 0, squares = 0, count = 0;
  for (std::size_t i = 1; i < result.samples->delta.size(); i += 2, ++count)
    sum += result.samples->delta[i], squares += result.samples->delta[i] * result.samples->delta[i];
  const double sd = std::sqrt(squares / count - sum / count * (sum / count));
  const CommonError& common = result.problem->groups[0].common;
  ASSERT_EQ(common.mean.size(), 2);
  // The s.e. of a mean series of s.d. √0.3 %; it may be smaller, since the effects differ little.
  const double error = std::sqrt(0.3) / std::sqrt(120 * 0.25);
  EXPECT_GT(sd, 0.3 * error);
  EXPECT_LT(sd, 1.3 * error);
  EXPECT_THAT(result.notes, Contains(HasSubstr("Common noise: ")));
}

TEST(CommonNoise, IsTakenOffDrawsAsItIsOffMaps) {
  auto options = quick();
  options.draws = 4000, options.thinning = 1;
  const auto result = analyzeActivation(sharedNoise(4, 0.3, false, true), options, {});
  const auto draws = replayVoxel(*result.problem, result.sampling, *result.samples, 10);
  double mean = 0, square = 0, count = 0;
  for (int chain = 0; chain < 2; ++chain)
    for (int t = result.sampling.burnIn; t < result.sampling.draws; ++t, ++count) {
      const double beta = draws[std::size_t(chain * result.sampling.draws + t) * 3 + 1];
      mean += beta, square += beta * beta;
    }
  mean /= count;
  const auto moments = contrastMoments(result, std::array{0.0, 1.0});
  EXPECT_NEAR(mean, moments.mean[10], 0.1 * moments.sd[10]);
  EXPECT_NEAR(std::sqrt(square / count - mean * mean), moments.sd[10], 0.1 * moments.sd[10]);
}

TEST(CommonNoise, IsExcludedAndReportedAsInThePaper) {
  const auto paper =
      analyzeActivation(sharedNoise(1, 0.3, true), optionsFrom<ActivationOptions>(paperActivation()), {});
  for (const GibbsGroup& group : paper.problem->groups) EXPECT_EQ(group.common.mean.size(), 0);
  EXPECT_THAT(paper.notes, Contains(HasSubstr("are treated as independent (the paper's model)")));
  EXPECT_TRUE(paper.samples->commonErrors.empty());
}

}  // namespace
}  // namespace sulcus::activation
