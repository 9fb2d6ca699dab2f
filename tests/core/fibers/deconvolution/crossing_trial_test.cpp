#include "core/fibers/deconvolution/crossing_trial.h"

#include "core/fibers/peaks/starts.h"
#include "core/image/diffusion/spherical_harmonics.h"

#include <cmath>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace sulcus::fibers {
namespace {

const std::vector<double> kResponse{0.844, -0.585, 0.28, -0.0919, 0.0229, -0.0047};  // b = 3000

CrossingTrial tried(double noise, double falsePeaks = 0.001, int directions = 64) {
  const CsdPlan plan = planCsd(10, kResponse, evenDirections(directions), noise);
  return judgeCrossings(tryCrossings(triedModel(plan), noise, {}), falsePeaks);
}

TEST(CrossingTrial, CutsMoreWhereFewerFalsePeaksAreAllowed) {
  const auto few = tried(1 / 15.0), many = tried(1 / 15.0, 0.5);
  EXPECT_LT(few.falsePeaks, 0.01);
  EXPECT_GT(few.cut, 1.2 * many.cut);
  EXPECT_GT(few.flat, many.flat);
  EXPECT_GT(few.mixed, many.mixed);
}

TEST(CrossingTrial, ShowsWhatNoiseLosesFirst) {
  const auto little = tried(1 / 30.0), much = tried(1 / 12.0);
  for (const auto& trial : {little, much}) EXPECT_GT(trial.wide, 0.97);
  for (const double share : {little.three, little.mixed, little.none}) EXPECT_GT(share, 0.97);
  EXPECT_GT(little.narrow, 0.8);
  EXPECT_LT(much.three, 0.95);
  EXPECT_LT(much.mixed, 0.8);
}

TEST(CrossingTrial, TellsFlatSignalsFromThoseOfFibers) {
  const auto many = tried(1 / 20.0), few = tried(1 / 20.0, 0.001, 30);
  EXPECT_GT(many.flat, 1.1);  // noise alone, part of which the fit explains
  EXPECT_LT(many.flat, 1.4);
  EXPECT_GT(few.flat, many.flat);  // and more of it with fewer directions
  EXPECT_GT(many.none, 0.97);
  EXPECT_GT(many.three, 0.95);
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

TEST(NoiseOfRatios, KnowsThatSmallMagnitudesVaryLess) {
  std::mt19937 bits(6);
  std::normal_distribution<double> normal(0, 0.07);
  const auto directions = evenDirections(64);
  for (const double signal : {0.1, 0.15, 0.3}) {
    Eigen::MatrixXf ratios(64, 400);
    for (float& ratio : ratios.reshaped()) ratio = float(std::hypot(signal + normal(bits), normal(bits)));
    EXPECT_NEAR(noiseOfRatios(ratios, directions), 0.07, 0.004) << signal;
  }
}

}  // namespace
}  // namespace sulcus::fibers
