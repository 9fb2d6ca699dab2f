#include "core/phantom/activation_phantom.h"

#include "core/base/error.h"
#include "core/math/linear_algebra.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

namespace sulcus::phantom {
namespace {

using Options = ActivationPhantomOptions;

std::vector<std::int64_t> voxelsOf(const ActivationPhantom& phantom) {
  std::vector<std::int64_t> voxels;
  for (std::int64_t i = 0; i < phantom.mask->grid.voxels(); ++i)
    if (phantom.mask->values[std::size_t(i)]) voxels.push_back(i);
  return voxels;
}

/// The true coefficients, a row for each voxel of the mask.
Eigen::MatrixXd betaOf(const ActivationPhantom& phantom) {
  const auto voxels = voxelsOf(phantom);
  Eigen::MatrixXd beta(Eigen::Index(voxels.size()), phantom.beta->count);
  for (std::size_t i = 0; i < voxels.size(); ++i)
    for (int j = 0; j < phantom.beta->count; ++j) beta(Eigen::Index(i), j) = phantom.beta->at(voxels[i], j);
  return beta;
}

Eigen::MatrixXd covariatesOf(const ActivationPhantom& phantom) {
  const auto voxels = voxelsOf(phantom);
  Eigen::MatrixXd z = Eigen::MatrixXd::Ones(Eigen::Index(voxels.size()), 4);
  for (int t = 0; t < 3; ++t) {
    for (std::size_t i = 0; i < voxels.size(); ++i)
      z(Eigen::Index(i), t + 1) = phantom.tissue->at(voxels[i], t);
    z.col(t + 1).array() -= z.col(t + 1).mean();
  }
  return z;
}

Eigen::VectorXd seriesAt(const ActivationPhantom& phantom, std::int64_t voxel) {
  Eigen::VectorXd y(phantom.bold->count);
  for (int scan = 0; scan < phantom.bold->count; ++scan) y[scan] = phantom.bold->at(voxel, scan);
  return y;
}

ActivationPhantom modelPhantom(int seed = 1) {
  Options options;
  options.pattern = Options::Pattern::model;
  options.seed = seed;
  return makeActivationPhantom(options);
}

TEST(ActivationPhantom, OfABrainRespondsInTheCorticesForSeeingAndHearing) {
  Grid grid;
  grid.size = {31, 31, 5};
  for (int i = 0; i < 3; ++i) grid.worldFromVoxel.m[i][i] = 6;
  grid.worldFromVoxel.t = {-90, -120, -8};
  Series<float> tissue(grid, 3);
  for (std::int64_t voxel = 0; voxel < grid.voxels(); ++voxel)
    tissue.at(voxel, 1) = voxel % 31 == 0 ? 0.0f : 1.0f;  // a plane of air at the left
  const auto phantom = makeActivationPhantom({}, tissue);
  EXPECT_EQ(phantom.mask->values[0], 0);
  EXPECT_EQ(phantom.mask->values[1], 1);
  const auto at = [&](double x, double y, double z, int regressor) {
    const auto voxel = grid.index(int(std::lround((x + 90) / 6)), int(std::lround((y + 120) / 6)),
                                  int(std::lround((z + 8) / 6)));
    return phantom.beta->at(voxel, regressor);
  };
  EXPECT_GT(at(10, -84, 4, 1), 2.2);
  EXPECT_GT(at(-10, -84, 4, 1), 2.2);
  EXPECT_GT(at(56, -22, 8, 2), 2.2);
  EXPECT_GT(at(-56, -22, 8, 2), 2.2);
  EXPECT_LT(std::abs(at(56, -22, 8, 1)), 0.5);
  EXPECT_LT(std::abs(at(10, -84, 4, 2)), 0.5);
  EXPECT_THROW(makeActivationPhantom({}, Series<float>(grid, 2)), Error);
}

TEST(ActivationPhantom, HasTheDesignOfItsBlocks) {
  const auto phantom = makeActivationPhantom({});
  EXPECT_EQ(phantom.bold->count, 60);
  EXPECT_EQ(phantom.secondsPerVolume, 3);
  EXPECT_EQ(phantom.design.names, (std::vector<std::string>{"intercept", "visual", "auditory"}));
  EXPECT_NO_THROW(activation::checkDesign(phantom.design, 60));
  EXPECT_NEAR(phantom.design.matrix(5, 1), 0, 1e-12) << "rest";
  EXPECT_NEAR(phantom.design.matrix(18, 1), 1, 0.25) << "pictures since 25 s";
  EXPECT_GT(phantom.design.matrix(28, 2), 0.8) << "sound since 40 s";
}

TEST(ActivationPhantom, HasTissueThatIsAProbability) {
  const auto phantom = makeActivationPhantom({});
  const auto voxels = voxelsOf(phantom);
  EXPECT_GT(voxels.size(), 4000u);
  EXPECT_LT(voxels.size(), 9000u);
  std::array<int, 3> mostly{};
  for (std::int64_t i = 0; i < phantom.mask->grid.voxels(); ++i) {
    double sum = 0;
    for (int t = 0; t < 3; ++t) {
      const double share = phantom.tissue->at(i, t);
      ASSERT_GE(share, 0);
      sum += share;
      mostly[std::size_t(t)] += share > 0.5;
    }
    ASSERT_LE(sum, 1 + 1e-6);
  }
  for (const int count : mostly) EXPECT_GT(count, 300);
  const auto z = covariatesOf(phantom);
  const Eigen::VectorXd singular = singularValues(z);
  EXPECT_GT(singular[3] / singular[0], 0.02)
      << "the maps do not add up to one, so that each has its own effect";
}

TEST(ActivationPhantom, DrawsCoefficientsFromTheModel) {
  const auto phantom = modelPhantom();
  const auto beta = betaOf(phantom), z = covariatesOf(phantom);
  const Eigen::MatrixXd estimate = solveLeastSquares(z, beta).solution;
  const Eigen::MatrixXd rest = beta - z * estimate;
  const Eigen::MatrixXd v = rest.transpose() * rest / double(beta.rows() - 4),
                        covariance = inverse(z.transpose() * z);
  for (int j = 0; j < 3; ++j)
    for (int q = 0; q < 4; ++q)
      EXPECT_NEAR(estimate(q, j), phantom.delta(q, j), 4 * std::sqrt(covariance(q, q) * v(j, j)))
          << q << " " << j;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      const double sd = std::sqrt(2 * v(i, i) * v(j, j) / double(beta.rows()));
      EXPECT_NEAR(v(i, j), phantom.vBeta(i, j), 4 * sd) << i << " " << j;
    }
}

TEST(ActivationPhantom, HasNoiseOfTheTrueVariance) {
  const auto phantom = modelPhantom();
  double sum = 0, sumOfSquares = 0, belowMedian = 0;
  const auto voxels = voxelsOf(phantom);
  const auto beta = betaOf(phantom);
  const int n = phantom.bold->count;
  for (std::size_t i = 0; i < voxels.size(); ++i) {
    const Eigen::VectorXd rest =
        seriesAt(phantom, voxels[i]) - phantom.design.matrix * beta.row(Eigen::Index(i)).transpose();
    const double sigma2 = phantom.sigma2->values[std::size_t(voxels[i])];
    const double chiSquare = rest.squaredNorm() / sigma2;
    sum += chiSquare, sumOfSquares += chiSquare * chiSquare;
    belowMedian += 3 / sigma2 < 2.365974;  // the median of χ²(3), s = 1
  }
  const double count = double(voxels.size()), mean = sum / count;
  EXPECT_NEAR(mean, n, 4 * std::sqrt(2 * n / count));
  EXPECT_NEAR(sumOfSquares / count - mean * mean, 2 * n, 0.08 * 2 * n);
  EXPECT_NEAR(belowMedian / count, 0.5, 2 / std::sqrt(count));
}

TEST(ActivationPhantom, RespondsInVisualAndAuditoryCortex) {
  const auto phantom = makeActivationPhantom({});
  const auto beta = betaOf(phantom);
  const auto voxels = voxelsOf(phantom);
  Eigen::Index visual = 0, auditory = 0;
  EXPECT_GT(beta.col(1).maxCoeff(&visual), 2);
  EXPECT_GT(beta.col(2).maxCoeff(&auditory), 2);
  const Grid& grid = phantom.mask->grid;
  const auto place = [&](Eigen::Index i) {
    const auto v = grid.voxel(voxels[std::size_t(i)]);
    return grid.worldFromVoxel.point({double(v.x), double(v.y), double(v.z)});
  };
  EXPECT_LT(place(visual).y, -25) << "at the back";
  EXPECT_GT(std::abs(place(auditory).x), 24) << "at a side";
  EXPECT_GT(phantom.tissue->at(voxels[std::size_t(visual)], 1), 0.5);
  EXPECT_LT(double((beta.col(1).array() > 0.5).count()) / double(beta.rows()), 0.2);
  // The truth of the second level is the regression of the true coefficients.
  const auto z = covariatesOf(phantom);
  EXPECT_NEAR((z.transpose() * (beta - z * phantom.delta)).cwiseAbs().maxCoeff(), 0, 1e-2);
  EXPECT_GT(symmetricEigenvalues(phantom.vBeta)[0], 0);
}

TEST(ActivationPhantom, RespondsOnlyToWhatIsActive) {
  Options options;
  options.active = Options::Active::auditory;
  for (const auto pattern : {Options::Pattern::model, Options::Pattern::blobs}) {
    options.pattern = pattern;
    const auto beta = betaOf(makeActivationPhantom(options));
    EXPECT_EQ(beta.col(1).cwiseAbs().maxCoeff(), 0);
    EXPECT_GT(beta.col(2).maxCoeff(), 1);
  }
}

TEST(ActivationPhantom, IsTheSameForASeedAndScalesWithItsOptions) {
  const auto one = modelPhantom(), again = modelPhantom(), other = modelPhantom(2);
  EXPECT_EQ(one.bold->values, again.bold->values);
  EXPECT_NE(one.bold->values, other.bold->values);
  Options options;
  options.pattern = Options::Pattern::model;
  options.noise = 2, options.contrast = 3;
  const auto loud = makeActivationPhantom(options);
  const auto beta = betaOf(one), larger = betaOf(loud);
  EXPECT_NEAR((larger.col(1) - 3 * beta.col(1)).cwiseAbs().maxCoeff(), 0, 1e-4);
  EXPECT_EQ(larger.col(0), beta.col(0));
  const auto voxel = std::size_t(voxelsOf(one).front());
  EXPECT_FLOAT_EQ(loud.sigma2->values[voxel], 4 * one.sigma2->values[voxel]);
}

}  // namespace
}  // namespace sulcus::phantom
