#pragma once

#include "core/activation/sampler/gibbs.h"
#include "core/math/linear_algebra.h"

#include <cmath>
#include <random>
#include <vector>

// Problems for the sampler with known true parameters.

namespace sulcus::test {

struct Simulated {
  activation::GibbsProblem problem;
  Eigen::MatrixXd x;               ///< n × k
  std::vector<Eigen::VectorXd> y;  ///< for each voxel, n
};

/// A problem with known autocorrelation of the noise: W of each voxel whitens its series; y and X apply to
/// these.
struct SimulatedCorrelated : Simulated {
  std::vector<Eigen::MatrixXd> whitener;  ///< W for each voxel, n × n
};

/// A problem with groups of the given sizes: β_j has mean 0.1 j + 0.2 z_1 and s.d. 0.3, the noise a variance
/// of about 1.
inline Simulated simulate(const std::vector<int>& groups, int k, int q, int n, unsigned seed,
                          double noise = 1) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  Simulated s;
  s.x.resize(n, k);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < k; ++j) s.x(i, j) = j == 0 ? 1 : normal(random) + 0.3 * s.x(i, j - 1);
  activation::GibbsProblem& p = s.problem;
  p.regressors = k;
  p.covariates = q;
  p.scans = n;
  p.factor = choleskyFactor(s.x.transpose() * s.x);
  for (const int size : groups) p.voxels += size;
  p.estimate.resize(p.voxels * k);
  p.z.resize(p.voxels * q);
  p.nu = p.nuE + k;
  std::int64_t voxel = 0;
  for (const int size : groups) {
    activation::GibbsGroup group;
    group.begin = voxel;
    group.end = voxel + size;
    group.priorScale = p.nu * 0.09 * p.factor.transpose() * p.factor;
    Eigen::MatrixXd zz = Eigen::MatrixXd::Zero(q, q);
    for (; voxel < group.end; ++voxel) {
      Eigen::VectorXd z(q), beta(k), y(n);
      for (int c = 0; c < q; ++c) z[c] = c == 0 ? 1 : float(normal(random));
      zz += z * z.transpose();
      for (int j = 0; j < k; ++j) beta[j] = 0.1 * j + 0.3 * normal(random) + (q > 1 ? 0.2 * z[1] : 0);
      const double sd = std::sqrt(noise * (0.5 + 0.5 * std::abs(normal(random))));
      y = s.x * beta;
      for (int i = 0; i < n; ++i) y[i] += sd * normal(random);
      const Eigen::VectorXd l = solveLower(p.factor, Eigen::VectorXd(s.x.transpose() * y));
      const double rss = (y - s.x * solveLowerTransposed(p.factor, l)).squaredNorm();
      for (int j = 0; j < k; ++j) p.estimate[j * p.voxels + voxel] = float(l[j]);
      for (int c = 0; c < q; ++c) p.z[c * p.voxels + voxel] = float(z[c]);
      p.residual.push_back(float(rss));
      p.errorPrior.push_back(float(rss / (n - k)));
      p.voxelId.push_back(std::uint32_t(1000 + 7 * voxel));
      s.y.push_back(y);
    }
    group.zz.assign(zz.data(), zz.data() + zz.size());
    p.groups.push_back(group);
  }
  return s;
}

/// simulate() with one group, and AR(1) noise with a different ρ in each voxel.
inline SimulatedCorrelated simulateCorrelated(int voxels, int k, int q, int n, unsigned seed) {
  SimulatedCorrelated s{simulate({voxels}, k, q, n, seed), {}};
  activation::GibbsProblem& p = s.problem;
  p.correlated = true;
  p.precision.resize(std::size_t(voxels) * k * (k + 1) / 2);
  std::mt19937_64 random(seed + 100);
  for (int i = 0; i < voxels; ++i) {
    const double rho = std::uniform_real_distribution<double>(-0.3, 0.7)(random);
    Eigen::MatrixXd correlation(n, n);
    for (int a = 0; a < n; ++a)
      for (int b = 0; b < n; ++b) correlation(a, b) = std::pow(rho, std::abs(a - b));
    const Eigen::MatrixXd root = choleskyFactor(correlation);
    s.whitener.push_back(inverse(root));
    // The noise of simulate() is the residual of the series around its fit; it gets the correlation.
    Eigen::VectorXd gamma(k);
    for (int j = 0; j < k; ++j) gamma[j] = p.estimate[j * voxels + i];
    const Eigen::MatrixXd toBeta = inverse(p.factor.transpose());
    const Eigen::VectorXd fit = s.x * (toBeta * gamma);
    s.y[i] = fit + root * (s.y[i] - fit);
    const Eigen::MatrixXd wx = s.whitener[i] * s.x * toBeta;  // for γ
    const Eigen::VectorXd wy = s.whitener[i] * s.y[i];
    const Eigen::MatrixXd h = wx.transpose() * wx;
    const Eigen::VectorXd estimate = solvePositiveDefinite(h, Eigen::VectorXd(wx.transpose() * wy));
    p.residual[i] = float((wy - wx * estimate).squaredNorm());
    p.errorPrior[i] = p.residual[i] / float(n - k);
    for (int j = 0; j < k; ++j) p.estimate[j * voxels + i] = float(estimate[j]);
    for (int a = 0, at = 0; a < k; ++a)
      for (int b = 0; b <= a; ++b, ++at) p.precision[at * voxels + i] = float(h(a, b));
  }
  return s;
}

/// A random matrix of the distribution IW(freedom, scale), by Bartlett's decomposition.
inline Eigen::MatrixXd inverseWishart(double freedom, const Eigen::MatrixXd& scale, std::mt19937_64& random) {
  const int k = int(scale.rows());
  std::normal_distribution<double> normal;
  Eigen::MatrixXd b = Eigen::MatrixXd::Zero(k, k);
  for (int i = 0; i < k; ++i) {
    b(i, i) = std::sqrt(std::chi_squared_distribution<double>(freedom - i)(random));
    for (int j = 0; j < i; ++j) b(i, j) = normal(random);
  }
  const Eigen::MatrixXd root = choleskyFactor(inverse(scale));
  const Eigen::MatrixXd w = root * b;
  return inverse(w * w.transpose());
}

/// The mean of a chain, and its Monte Carlo error from 30 batches.
struct MeanOfChain {
  double mean = 0, error = 0;

  template <class Chain>
  explicit MeanOfChain(const Chain& chain) {
    constexpr int kBatches = 30;
    const std::size_t length = chain.size() / kBatches;
    std::vector<double> means(kBatches);
    for (int b = 0; b < kBatches; ++b)
      for (std::size_t i = 0; i < length; ++i) means[b] += chain[b * length + i] / double(length);
    for (const double m : means) mean += m / kBatches;
    for (const double m : means) error += (m - mean) * (m - mean);
    error = std::sqrt(error / (kBatches - 1) / kBatches);
  }
};

}  // namespace sulcus::test
