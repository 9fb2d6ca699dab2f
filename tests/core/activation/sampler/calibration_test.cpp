#include "core/activation/sampler/gibbs.h"
#include "core/activation/sampler/hyper_fit.h"
#include "core/math/linear_algebra.h"
#include "tests/core/activation/model/gibbs_problems.h"
#include "tests/core/math/laws.h"
#include "tests/support/for_each_seed.h"

#include <array>
#include <map>

#include <Eigen/LU>
#include <gtest/gtest.h>

namespace sulcus::activation {
namespace {

/// Simulation-based calibration (Talts et al., arXiv 1804.06788): parameters are drawn from the prior and
/// data from the parameters; then the rank of the truth among posterior draws is uniform. Any error of the
/// model, a distribution or the bookkeeping makes the ranks non-uniform.
struct CalibrationCase {
  const char* name;
  bool correlated = false;  ///< each voxel has its own whitening
  bool interwoven = true;
  std::vector<int> block = {};  ///< of V_β
  bool proposed = false;        ///< hyperparameters are proposed
};
std::ostream& operator<<(std::ostream& out, const CalibrationCase& c) { return out << c.name; }
class Calibration : public testing::TestWithParam<CalibrationCase> {};

constexpr int kDraws = 63, kBins = 16;

struct Ranks {
  std::vector<int> bins = std::vector<int>(kBins);
  double sum = 0, count = 0;

  void add(double truth, const std::vector<double>& draws) {
    int below = 0;
    for (const double d : draws) below += d < truth;
    ++bins[below * kBins / (kDraws + 1)];
    sum += (below + 0.5) / (kDraws + 1);
    ++count;
  }
  /// The distance of the mean rank from the middle, in standard errors.
  double bias() const { return (sum / count - 0.5) * std::sqrt(12 * count); }
  double chiSquare() const {
    double squares = 0;
    for (const int b : bins) squares += (b - count / kBins) * (b - count / kBins) / (count / kBins);
    return squares;
  }
};

TEST_P(Calibration, RanksOfTheTruthAreUniform) {
  const int k = 2, q = 2, m = GetParam().proposed ? 20 : 5, n = 12, simulations = test::cases(1000);
  std::mt19937_64 random(20);
  std::normal_distribution<double> normal;
  const auto normals = [&](int rows, int columns) {
    Eigen::MatrixXd g(rows, columns);
    for (int i = 0; i < g.size(); ++i) g.data()[i] = normal(random);
    return g;
  };

  GibbsProblem p;
  p.regressors = k, p.covariates = q, p.scans = n, p.voxels = m;
  p.factor = Eigen::Matrix2d{{3, 0}, {1, 2}};
  p.nuE = 5, p.nu = 6, p.a = 0.7;
  p.block = GetParam().block;
  const double covariance = p.block.empty() ? 0.6 : 0;
  const Eigen::Matrix2d scale{{2, covariance}, {covariance, 1}};  // of V_β
  // A block of one coefficient has the marginal prior of a matrix of two.
  const auto drawV = [&]() -> Eigen::MatrixXd {
    if (p.block.empty()) return test::inverseWishart(p.nu, scale, random);
    Eigen::MatrixXd v = Eigen::MatrixXd::Zero(k, k);
    for (int j = 0; j < k; ++j)
      v(j, j) = scale(j, j) / std::chi_squared_distribution<double>(p.nu - 1)(random);
    return v;
  };
  GibbsGroup group;
  group.end = m;
  group.priorScale = p.factor.transpose() * scale * p.factor;
  Eigen::MatrixXd z = normals(m, q);
  z.col(0).setOnes();
  const Eigen::MatrixXd zz = z.transpose() * z;
  group.zz.assign(zz.data(), zz.data() + zz.size());
  p.groups = {group};
  for (int i = 0; i < m; ++i)
    p.errorPrior.push_back(std::array{0.5f, 1.0f, 2.0f, 1.0f, 3.0f}[std::size_t(i % 5)]);
  p.residual.resize(m);
  p.estimate.resize(k * m);
  p.z.resize(q * m);
  for (int i = 0; i < q * m; ++i) p.z[i] = float(z.data()[i]);
  for (int i = 0; i < m; ++i) p.voxelId.push_back(std::uint32_t(i));

  GibbsOptions options;
  options.burnIn = 200;
  options.thinning = 12;
  options.draws = options.burnIn + options.thinning * kDraws;
  options.chains = 1;
  options.interwoven = GetParam().interwoven;
  std::vector<Eigen::MatrixXd> errorRoot(m, Eigen::MatrixXd::Identity(k, k));  // of H⁻¹
  p.correlated = GetParam().correlated;
  if (p.correlated) {
    p.precision.resize(3 * m);
    for (int i = 0; i < m; ++i) {
      const int j = i % 5;
      const Eigen::Matrix2d h{{0.4 + j, 0.5 - 0.3 * j}, {0.5 - 0.3 * j, 2.0}};
      errorRoot[i] = choleskyFactor(inverse(h));
      for (int at = 0; at < 3; ++at) p.precision[at * m + i] = float(h(at > 0, at == 2));
    }
  }

  std::map<std::string, Ranks> ranks;
  for (int simulation = 0; simulation < simulations; ++simulation) {
    const Eigen::MatrixXd v = drawV(), rootV = choleskyFactor(v);
    const Eigen::MatrixXd delta = normals(q, k) * rootV.transpose() / std::sqrt(p.a);
    const Eigen::MatrixXd beta = z * delta + normals(m, k) * rootV.transpose();
    std::vector<double> sigma2(m);
    for (int i = 0; i < m; ++i) {
      sigma2[i] = p.nuE * p.errorPrior[i] / std::chi_squared_distribution<double>(p.nuE)(random);
      const Eigen::VectorXd gamma = p.factor.transpose() * beta.row(i).transpose();
      const Eigen::VectorXd error = errorRoot[i] * normals(k, 1);
      for (int j = 0; j < k; ++j) p.estimate[j * m + i] = float(gamma[j] + std::sqrt(sigma2[i]) * error[j]);
      p.residual[i] = float(sigma2[i] * std::chi_squared_distribution<double>(n - k)(random));
    }
    options.seed = std::uint64_t(simulation);
    if (GetParam().proposed) {
      p.fits = fitHyper(p, options.seed, {});
      ASSERT_EQ(p.fits.size(), 1u);
    }
    const auto result = sampleGibbs(p, options, {}, Progress());

    for (const int voxel : {0, 4}) {
      const auto all = replayVoxel(p, options, result, voxel);
      for (int j = 0; j <= k; ++j) {
        std::vector<double> draws;
        for (int t = 0; t < options.draws; ++t)
          if (options.isKept(t)) draws.push_back(all[t * (k + 1) + j]);
        ranks[(j < k ? "beta " + std::to_string(j) : "sigma2") + " of voxel " + std::to_string(voxel)].add(
            j < k ? beta(voxel, j) : sigma2[voxel], draws);
      }
    }
    const auto draw = [](const std::vector<double>& values, int size, int i) {
      std::vector<double> draws;
      for (int t = 0; t < kDraws; ++t) draws.push_back(values[t * size + i]);
      return draws;
    };
    for (int i = 0; i < q * k; ++i)
      ranks["delta " + std::to_string(i)].add(delta.data()[i], draw(result.delta, q * k, i));
    for (const int i : p.block.empty() ? std::vector{0, 1, 3} : std::vector{0, 3})
      ranks["V " + std::to_string(i)].add(v.data()[i], draw(result.vBeta, k * k, i));
    std::vector<double> determinants;
    for (int t = 0; t < kDraws; ++t)
      determinants.push_back(Eigen::Map<const Eigen::Matrix2d>(&result.vBeta[t * k * k]).determinant());
    ranks["determinant of V"].add(Eigen::Matrix2d(v).determinant(), determinants);
  }
  // χ² with 15 degrees of freedom exceeds 44.3, and a normal number 3.9, with probability 1e-4: with 14
  // quantities one of 350 seeds gives a false alarm.
  EXPECT_EQ(ranks.size(), p.block.empty() ? 14u : 13u);
  for (const auto& [name, rank] : ranks) {
    EXPECT_LT(rank.chiSquare(), 44.3) << name << ": " << testing::PrintToString(rank.bins);
    EXPECT_LT(std::abs(rank.bias()), 3.9) << name << ": " << testing::PrintToString(rank.bins);
  }
}

INSTANTIATE_TEST_SUITE_P(OfModels, Calibration,
                         testing::Values(CalibrationCase{"Philox"}, CalibrationCase{"Whitened", true},
                                         CalibrationCase{"PlainGibbs", false, false},
                                         CalibrationCase{"DiagonalV", false, true, {0, 1}},
                                         CalibrationCase{"DiagonalVWhitened", true, true, {0, 1}},
                                         CalibrationCase{"Proposed", false, true, {}, true},
                                         CalibrationCase{"ProposedWhitened", true, true, {}, true},
                                         CalibrationCase{"ProposedDiagonalV", true, true, {0, 1}, true},
                                         CalibrationCase{"DiagonalVPlainGibbs", true, false, {0, 1}}),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace sulcus::activation
