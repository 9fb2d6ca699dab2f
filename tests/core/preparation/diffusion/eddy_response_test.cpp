#include "core/preparation/diffusion/eddy_response.h"

#include "core/preparation/diffusion/volume_prediction.h"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

namespace sulcus::preparation {
namespace {

constexpr int kOfShell = 40;

/// A shell whose terms are a function of the direction, as they are found with noise.
template <class Terms>
EddyShell shellOf(double b, const Terms& termsOf, double noise, unsigned seed) {
  EddyShell shell;
  std::mt19937 words(seed);
  std::normal_distribution<double> normal;
  Eigen::MatrixXd truth(kOfShell, kEddyTerms);
  for (int v = 0; v < kOfShell; ++v) {
    const double z = 1 - 2 * (v + 0.5) / kOfShell, phi = v * 2.399963229728653, r = std::sqrt(1 - z * z);
    const Vec3<double> direction{r * std::cos(phi), r * std::sin(phi), z};
    shell.directions.push_back(direction);
    shell.gradients.push_back(std::sqrt(b / 3000) * direction);
    for (int k = 0; k < kEddyTerms; ++k) truth(v, k) = termsOf(shell.gradients.back(), k);
  }
  shell.others = predictionByOthers(shell.directions, b).cast<double>();
  shell.taken = Eigen::MatrixXd::Constant(kOfShell, kEddyTerms, 0.2);
  shell.found = truth - shell.others * (truth - shell.taken);
  for (double& one : shell.found.reshaped()) one += noise * normal(words);
  shell.precision = 9 / (noise * noise) * Eigen::MatrixXd::Identity(kEddyTerms, kEddyTerms);
  return shell;
}

TEST(EddyResponseTest, FindsWhatIsProportionalToTheGradient) {
  const auto truth = [](const Vec3<double>& g, int k) {
    return (1 + 0.2 * k) * g.x - 0.5 * g.y + 0.3 * k * g.z;
  };
  const std::vector<EddyShell> shells{shellOf(1000, truth, 0.2, 1), shellOf(3000, truth, 0.4, 2)};
  const auto terms = eddyResponse(shells);
  ASSERT_EQ(terms.size(), 2u);
  for (std::size_t s = 0; s < 2; ++s)
    for (int v = 0; v < kOfShell; ++v)
      for (int k = 0; k < kEddyTerms; ++k)
        EXPECT_NEAR(terms[s](v, k), truth(shells[s].gradients[std::size_t(v)], k), 0.25);
}

TEST(EddyResponseTest, IsZeroForNoiseAndForWhatIsTheSameForOppositeDirections) {
  int found = 0;
  for (unsigned seed = 1; seed <= 100; ++seed) {
    const EddyShell noise = shellOf(
        1000, [](const Vec3<double>&, int) { return 0.0; }, 0.3, seed);
    const Eigen::MatrixXd terms = eddyResponse(std::vector{noise})[0];
    found += !terms.isZero();
    EXPECT_LT(terms.cwiseAbs().maxCoeff(), 0.3);
  }
  EXPECT_LE(found, 3);
  const EddyShell form = shellOf(
      3000, [](const Vec3<double>& g, int) { return 2 * g.x * g.y - g.z * g.z; }, 0.1, 1);
  EXPECT_TRUE(eddyResponse(std::vector{form})[0].isZero());
}

TEST(EddyResponseTest, FindsLinearTermsAlone) {
  const auto truth = [](const Vec3<double>& g, int k) { return k == 1 ? 2 * g.y : 0.0; };
  const EddyShell shell = shellOf(3000, truth, 0.3, 4);
  const auto terms = eddyResponse(std::vector{shell})[0];
  EXPECT_TRUE(terms.rightCols(kEddyTerms - kLinearEddyTerms).isZero());
  for (int v = 0; v < kOfShell; ++v) EXPECT_NEAR(terms(v, 1), 2 * shell.gradients[std::size_t(v)].y, 0.3);
}

TEST(EddyResponseTest, FindsLargeTermsOfSingleVolumes) {
  std::mt19937 words(3);
  std::uniform_real_distribution<double> uniform(-2, 2);
  Eigen::MatrixXd truth(kOfShell, kEddyTerms);
  for (double& one : truth.reshaped()) one = uniform(words);
  EddyShell shell = shellOf(
      1000, [](const Vec3<double>&, int) { return 0.0; }, 0.1, 1);
  Eigen::MatrixXd noise = shell.found - shell.others * shell.taken;
  shell.taken.setZero();
  for (int round = 0; round < 5; ++round) {
    shell.found = truth - shell.others * (truth - shell.taken) + noise;
    shell.taken = eddyResponse(std::vector{shell})[0];
  }
  const Eigen::MatrixXd centered = truth.rowwise() - truth.colwise().mean();
  EXPECT_LT((shell.taken - centered).cwiseAbs().mean(), 0.25);
}

}  // namespace
}  // namespace sulcus::preparation
