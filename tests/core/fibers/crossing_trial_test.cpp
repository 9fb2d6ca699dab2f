#include "core/fibers/crossing_trial.h"

#include "core/fibers/starts.h"
#include "core/image/spherical_harmonics.h"

#include <random>

#include <gtest/gtest.h>

namespace sulcus::fibers {
namespace {

const std::vector<double> kResponse{0.844, -0.585, 0.28, -0.0919, 0.0229, -0.0047};  // b = 3000

CrossingTrial tried(int order, double noise, double falsePeaks = 0.005) {
  const auto directions = evenDirections(64);
  const CsdPlan plan = planCsd(order, {kResponse.begin(), kResponse.begin() + order / 2 + 1}, directions);
  return judgeCrossings(tryCrossings(triedModel(plan), noise, {}), falsePeaks);
}

TEST(CrossingTrial, AllowsAsManyFalsePeaksAsAskedFor) {
  const auto few = tried(8, 1 / 15.0, 0.005), many = tried(8, 1 / 15.0, 0.2);
  EXPECT_NEAR(few.falsePeaks, 0.005, 0.001);
  EXPECT_NEAR(many.falsePeaks, 0.2, 0.002);
  EXPECT_GT(few.cut, 1.2 * many.cut);
  EXPECT_GT(few.wide, many.wide);
}

TEST(CrossingTrial, FindsTheCutThatNoiseOfAnyStrengthNeeds) {
  // The cut is relative to the residual, which grows with the noise.
  EXPECT_NEAR(tried(8, 1 / 15.0).cut / tried(8, 1 / 25.0).cut, 1, 0.2);
}

TEST(CrossingTrial, TellsWhereAHigherOrderIsCarried) {
  const auto usual = tried(8, 1 / 30.0), fine = tried(10, 1 / 30.0);
  EXPECT_GT(fine.narrow, usual.narrow + 0.1);
  EXPECT_GT(fine.wide, 0.99);
  EXPECT_LT(tried(10, 1 / 12.0).wide, 0.98);
}

TEST(NoiseOfRatios, IsTheStandardDeviationThatWasAdded) {
  std::mt19937 bits(5);
  std::normal_distribution<float> normal(0, 0.04f);
  for (const int count : {64, 45, 32}) {
    const auto directions = evenDirections(count);
    Eigen::VectorXd function = Eigen::VectorXd::Zero(tensorEntries(4));
    function[0] = 2, function[3] = 0.4, function[9] = -0.2;
    const Eigen::VectorXf signal = (shMatrix(4, directions) * function).cast<float>();
    Eigen::MatrixXf ratios(count, 500);
    for (Eigen::Index j = 0; j < ratios.cols(); ++j)
      for (Eigen::Index i = 0; i < count; ++i) ratios(i, j) = signal[i] + normal(bits);
    EXPECT_NEAR(noiseOfRatios(ratios, directions), 0.04, 0.002) << count;
  }
  EXPECT_EQ(noiseOfRatios(Eigen::MatrixXf::Ones(12, 5), evenDirections(12)), 0);
}

}  // namespace
}  // namespace sulcus::fibers
