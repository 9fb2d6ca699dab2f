#include "core/activation/sampler/gibbs.h"

#include "core/activation/sampler/beta_from_gamma.h"
#include "core/activation/sampler/diagnostics.h"
#include "core/activation/sampler/gibbs_kernel.h"
#include "core/activation/sampler/gibbs_plan.h"
#include "core/base/error.h"
#include "core/base/parallel/parallel_for.h"
#include "core/math/linear_algebra.h"
#include "tests/core/activation/model/gibbs_problems.h"
#include "tests/core/math/laws.h"
#include "tests/support/same_draws.h"

#include <gtest/gtest.h>

namespace sulcus::activation {
namespace {

using test::expectSameBits;
using test::MeanOfChain;
using test::sameBits;

GibbsOptions fewDraws() {
  GibbsOptions options;
  options.draws = 60;
  options.burnIn = 8;
  options.thinning = 3;
  return options;
}

TEST(Gibbs, GivesTheSameBitsOnAnyNumberOfThreadsAndLanes) {
  for (const auto& [groups, k, q] : {std::tuple{std::vector{1, 15, 17, 300, 33}, 5, 2},
                                     {std::vector{600}, 3, 1},
                                     {std::vector{520, 9}, 9, 3},
                                     {std::vector{-300}, 5, 2},
                                     {std::vector{-40}, 9, 1}}) {
    const auto problem = groups[0] < 0 ? test::simulateCorrelated(-groups[0], k, q, 30, 1).problem
                                       : test::simulate(groups, k, q, 30, 1).problem;
    const auto options = fewDraws();
    const auto one = sampleGibbsOnLanes(1, problem, options, {}, Progress());
    for (const int lanes : {8, 16, 0}) {
#if defined(__x86_64__)
      if (lanes == 16 && !__builtin_cpu_supports("avx512dq")) continue;
#else
      if (lanes == 16) continue;
#endif
      for (const int threads : {1, 2, 3})
        withThreads(threads, [&] {
          SCOPED_TRACE(testing::Message() << lanes << " lanes " << threads);
          expectSameBits(one, sampleGibbsOnLanes(lanes, problem, options, {}, Progress()));
        });
    }
  }
}

TEST(Gibbs, DrawsDifferBetweenSeedsAndChains) {
  const auto problem = test::simulate({40}, 2, 1, 30, 1).problem;
  auto options = fewDraws();
  const auto a = sampleGibbs(problem, options, {}, Progress());
  options.seed = 2;
  const auto b = sampleGibbs(problem, options, {}, Progress());
  EXPECT_FALSE(sameBits(a.hyper, b.hyper));
  const auto draws = replayVoxel(problem, options, b, 3);
  EXPECT_NE(draws[0], draws[draws.size() / 2]);  // the first draws of the two chains
}

TEST(Gibbs, ReplaysAVoxelsDraws) {
  for (const auto& [k, correlated] : {std::pair{1, false}, {4, false}, {5, false}, {10, false}, {5, true}}) {
    const auto problem = correlated ? test::simulateCorrelated(321, k, 2, 40, 3).problem
                                    : test::simulate({21, 300}, k, 2, 40, 3).problem;
    GibbsOptions options = fewDraws();
    options.draws = 210;
    const auto result = sampleGibbs(problem, options, {}, Progress());
    for (const std::int64_t voxel : {0, 20, 21, 250, 320}) {
      const auto draws = replayVoxel(problem, options, result, voxel);
      ASSERT_EQ(draws.size(), std::size_t(k + 1) * options.draws * options.chains);
      // The draws of σ² have the bits of those from which the moments were summed.
      const float center = squaresOf(problem, voxel) * (1 / degreesOfFreedom(problem));
      double mean = 0;
      for (int chain = 0; chain < options.chains; ++chain) {
        float sum = 0;
        for (int t = 0; t < options.draws; ++t)
          if (options.isKept(t)) sum += draws[(chain * options.draws + t + 1) * (k + 1) - 1] - center;
        mean += double(sum) * (1.0 / options.kept()) * (1.0 / options.chains);
      }
      EXPECT_EQ(result.moments.sigma2Mean[voxel], float(center + mean));
      // Split-R̂ of β by its definition.
      const BatchPlan plan(options.kept());
      const int half = plan.perHalf * plan.length;
      for (int j = 0; j < k; ++j) {
        std::vector<double> means;
        double within = 0;
        for (int chain = 0; chain < options.chains; ++chain)
          for (int h = 0; h < 2; ++h) {
            std::vector<double> values;
            for (int t = 0; t < options.draws; ++t)
              if (options.isKept(t) && options.keptBefore(t) / half == h)
                values.push_back(draws[(chain * options.draws + t) * (k + 1) + j]);
            ASSERT_EQ(int(values.size()), half);
            double m = 0;
            for (const double v : values) m += v / half;
            for (const double v : values) within += (v - m) * (v - m) / (half - 1) / (2 * options.chains);
            means.push_back(m);
          }
        double grand = 0, among = 0;
        for (const double m : means) grand += m / double(means.size());
        for (const double m : means) among += (m - grand) * (m - grand) / double(means.size() - 1);
        EXPECT_NEAR(result.moments.rhat[j * problem.voxels + voxel],
                    std::sqrt((half - 1.0) / half + among / within), 1e-4)
            << "k " << k << " voxel " << voxel << " " << j;
      }
    }
  }
}

/// The Gibbs sampler as in the paper, in double and in β: with X and y, and a Cholesky factor for each voxel.
struct Oracle {
  std::vector<std::vector<double>> beta, sigma2, delta, v;  ///< chains of numbers

  /// @param whitener  W for each voxel; empty for white noise
  Oracle(const test::Simulated& s, int draws, int burnIn, const std::vector<Eigen::MatrixXd>& whitener = {}) {
    const GibbsProblem& p = s.problem;
    const int k = p.regressors, q = p.covariates, m = int(p.voxels), n = p.scans;
    std::mt19937_64 random(11);
    std::normal_distribution<double> normal;
    const auto normals = [&](int rows, int columns) {
      Eigen::MatrixXd g(rows, columns);
      for (int i = 0; i < g.size(); ++i) g.data()[i] = normal(random);
      return g;
    };
    const Eigen::MatrixXd inverseFactor = inverse(p.factor);
    const Eigen::MatrixXd scale = inverseFactor.transpose() * p.groups[0].priorScale * inverseFactor;
    Eigen::MatrixXd z(m, q), b = Eigen::MatrixXd::Zero(m, k), vBeta = scale / p.nu,
                             d = Eigen::MatrixXd::Zero(q, k);
    for (int i = 0; i < m; ++i)
      for (int c = 0; c < q; ++c) z(i, c) = p.z[c * m + i];
    std::vector<double> s2(p.errorPrior.begin(), p.errorPrior.end());
    std::vector<Eigen::MatrixXd> x(m, s.x);
    std::vector<Eigen::VectorXd> y = s.y;
    for (std::size_t i = 0; i < whitener.size(); ++i) x[i] = whitener[i] * s.x, y[i] = whitener[i] * s.y[i];
    const Eigen::MatrixXd zzA = z.transpose() * z + p.a * Eigen::MatrixXd::Identity(q, q);
    beta.resize(m * k), sigma2.resize(m), delta.resize(q * k), v.resize(k * k);
    for (int t = 0; t < draws; ++t) {
      const Eigen::MatrixXd vInverse = inverse(vBeta);
      for (int i = 0; i < m; ++i) {
        const Eigen::MatrixXd precision = choleskyFactor(x[i].transpose() * x[i] / s2[i] + vInverse);
        const Eigen::VectorXd right =
            x[i].transpose() * y[i] / s2[i] + vInverse * d.transpose() * z.row(i).transpose();
        const Eigen::VectorXd draw =
            solveLowerTransposed(precision, Eigen::VectorXd(solveLower(precision, right) + normals(k, 1)));
        b.row(i) = draw;
        s2[i] = (p.nuE * p.errorPrior[i] + (y[i] - x[i] * draw).squaredNorm()) /
                std::chi_squared_distribution<double>(p.nuE + n)(random);
      }
      const Eigen::MatrixXd mean = solvePositiveDefinite(zzA, Eigen::MatrixXd(z.transpose() * b)),
                            e = b - z * mean;
      vBeta =
          test::inverseWishart(p.nu + m, scale + e.transpose() * e + p.a * mean.transpose() * mean, random);
      const Eigen::MatrixXd root = choleskyFactor(inverse(zzA)), rootV = choleskyFactor(vBeta);
      d = mean + root * normals(q, k) * rootV.transpose();
      if (t < burnIn) continue;
      for (int i = 0; i < m * k; ++i) beta[i].push_back(b(i % m, i / m));
      for (int i = 0; i < m; ++i) sigma2[i].push_back(s2[i]);
      for (int i = 0; i < q * k; ++i) delta[i].push_back(d.data()[i]);
      for (int i = 0; i < k * k; ++i) v[i].push_back(vBeta.data()[i]);
    }
  }
};

void expectTheScheme(const GibbsProblem& p, const Oracle& oracle) {
  const int k = p.regressors, q = p.covariates, m = int(p.voxels);
  GibbsOptions options;
  options.draws = 40000;
  options.burnIn = 1000;
  options.thinning = 1;
  options.chains = 1;
  const auto result = sampleGibbs(p, options, {}, Progress());

  // Allows 5 Monte Carlo errors of both.
  const auto expectSame = [](const auto& ours, const auto& theirs, const std::string& what) {
    const MeanOfChain a(ours), b(theirs);
    EXPECT_NEAR(a.mean, b.mean, 5 * std::hypot(a.error, b.error)) << what;
    EXPECT_LT(std::hypot(a.error, b.error), 0.15 * std::abs(b.mean) + 0.05) << what << ": tells nothing";
  };
  for (int i = 0; i < m; ++i) {
    const auto draws = replayVoxel(p, options, result, i);
    std::vector<std::vector<double>> chain(k + 1), squares(2);
    for (int t = options.burnIn; t < options.draws; ++t)
      for (int j = 0; j <= k; ++j) chain[j].push_back(draws[t * (k + 1) + j]);
    for (int j = 0; j < k; ++j) {
      const auto what = "beta " + std::to_string(j) + " of voxel " + std::to_string(i);
      expectSame(chain[j], oracle.beta[j * m + i], what);
      squares[0].clear(), squares[1].clear();
      const double center = MeanOfChain(chain[j]).mean;
      for (const double x : chain[j]) squares[0].push_back((x - center) * (x - center));
      for (const double x : oracle.beta[j * m + i]) squares[1].push_back((x - center) * (x - center));
      expectSame(squares[0], squares[1], "variance of " + what);
    }
    expectSame(chain[k], oracle.sigma2[i], "sigma2");

    // The moments of the run are those of these draws.
    const Eigen::MatrixXd toBeta = inverse(p.factor).transpose();
    Eigen::VectorXd mean(k);
    Eigen::MatrixXd covariance(k, k);
    for (int a = 0, at = 0; a < k; ++a) {
      mean[a] = result.moments.mean[a * m + i];
      for (int b = 0; b <= a; ++b, ++at)
        covariance(a, b) = covariance(b, a) = result.moments.covariance[at * m + i];
    }
    mean = toBeta * mean;
    covariance = toBeta * covariance * toBeta.transpose();
    for (int j = 0; j < k; ++j) {
      const MeanOfChain found(chain[j]);
      EXPECT_NEAR(mean[j], found.mean, 5 * found.error);
      std::vector<double> square;
      for (const double x : chain[j]) square.push_back((x - found.mean) * (x - found.mean));
      const MeanOfChain variance(square);
      EXPECT_NEAR(covariance(j, j), variance.mean, 5 * variance.error);
      // The error of the mean implied by the effective number of draws equals that from 14 times as many
      // batches.
      const double implied = std::sqrt(covariance(j, j) / result.moments.ess[j * m + i]);
      EXPECT_GT(found.error / implied, 0.5);
      EXPECT_LT(found.error / implied, 1.6);
      EXPECT_NEAR(result.moments.rhat[j * m + i], 1, 0.01);
    }
    const MeanOfChain s2(chain[k]);
    EXPECT_NEAR(result.moments.sigma2Mean[i], s2.mean, 1e-4 * s2.mean);
    double spread = 0;
    for (const double x : chain[k]) spread += (x - s2.mean) * (x - s2.mean) / double(chain[k].size());
    EXPECT_NEAR(result.moments.sigma2Var[i], spread, 1e-3 * spread);
  }
  const auto chainOf = [](const std::vector<double>& all, int size, int i) {
    std::vector<double> chain;
    for (std::size_t at = i; at < all.size(); at += size) chain.push_back(all[at]);
    return chain;
  };
  for (int i = 0; i < q * k; ++i)
    expectSame(chainOf(result.delta, q * k, i), oracle.delta[i], "delta " + std::to_string(i));
  for (int i = 0; i < k * k; ++i)
    expectSame(chainOf(result.vBeta, k * k, i), oracle.v[i], "V " + std::to_string(i));
}

TEST(Gibbs, AgreesWithTheSchemeAsItIsWrittenDown) {
  const auto simulated = test::simulate({9}, 3, 2, 30, 5);
  expectTheScheme(simulated.problem, Oracle(simulated, 15000, 500));
}

TEST(Gibbs, AgreesWithTheSchemeInVoxelsThatAreWhitenedEachByItself) {
  const auto simulated = test::simulateCorrelated(9, 3, 2, 30, 5);
  expectTheScheme(simulated.problem, Oracle(simulated, 15000, 500, simulated.whitener));
}

TEST(Gibbs, DrawsTheSameLawWithAPrecisionThatIsTheIdentity) {
  auto problem = test::simulate({400}, 4, 2, 40, 8).problem;
  const auto options = fewDraws();
  const auto plain = sampleGibbs(problem, options, {}, Progress());
  problem.correlated = true;
  for (int a = 0; a < 4; ++a)
    for (int b = 0; b <= a; ++b) problem.precision.insert(problem.precision.end(), 400, a == b ? 1.0f : 0.0f);
  const auto same = sampleGibbs(problem, options, {}, Progress());
  // The noise of a draw has other axes: the distribution is the same, not the numbers.
  for (int i = 0; i < 400; ++i)
    for (int j = 0; j < 4; ++j) {
      const double sd = std::sqrt(plain.moments.covariance[(j * (j + 1) / 2 + j) * 400 + i]);
      EXPECT_NEAR(same.moments.mean[j * 400 + i], plain.moments.mean[j * 400 + i], 0.5 * sd);
    }
}

/// If the priors nearly fix σ² and V, the posterior is normal: Δ has the precision V⁻¹a + Σ (V + σ_i²)⁻¹, and
/// each voxel is shrunk towards it.
TEST(Gibbs, FindsTheNormalPosteriorWhenVariancesAreKnown) {
  for (const int k : {1, 3, 10}) {
    auto problem = test::simulate({12}, k, 1, 60, 7).problem;
    const int m = 12;
    problem.nuE = 1e5;
    problem.nu = 1e6;
    const Eigen::MatrixXd v = 0.09 * problem.factor.transpose() * problem.factor;
    problem.groups[0].priorScale = problem.nu * v;
    GibbsOptions options;
    options.draws = 6000;
    options.burnIn = 200;
    options.thinning = 2;
    const auto result = sampleGibbs(problem, options, {}, Progress());

    const auto estimate = [&](int i) {
      Eigen::VectorXd g(k);
      for (int j = 0; j < k; ++j) g[j] = problem.estimate[j * m + i];
      return g;
    };
    Eigen::MatrixXd precision = problem.a * inverse(v);
    Eigen::VectorXd right = Eigen::VectorXd::Zero(k);
    for (int i = 0; i < m; ++i) {
      const Eigen::MatrixXd w = inverse(v + problem.errorPrior[i] * Eigen::MatrixXd::Identity(k, k));
      precision += w;
      right += w * estimate(i);
    }
    const Eigen::MatrixXd covarianceOfDelta = inverse(precision);
    const Eigen::VectorXd delta = covarianceOfDelta * right;
    for (int i = 0; i < m; ++i) {
      const double s2 = problem.errorPrior[i];
      const Eigen::MatrixXd keep = v * inverse(v + s2 * Eigen::MatrixXd::Identity(k, k));
      const Eigen::MatrixXd lose = Eigen::MatrixXd::Identity(k, k) - keep;
      const Eigen::VectorXd mean = keep * estimate(i) + lose * delta;
      const Eigen::MatrixXd covariance = s2 * keep + lose * covarianceOfDelta * lose.transpose();
      for (int a = 0, at = 0; a < k; ++a) {
        // Only Δ's part of a conditional mean is random, so this error is far below that of the draws.
        const double sd = std::sqrt(covariance(a, a));
        EXPECT_NEAR(result.moments.mean[a * m + i], mean[a], 0.04 * sd) << k << " voxel " << i;
        for (int b = 0; b <= a; ++b, ++at)
          EXPECT_NEAR(result.moments.covariance[at * m + i], covariance(a, b),
                      0.03 * sd * std::sqrt(covariance(b, b)));
      }
      EXPECT_NEAR(result.moments.sigma2Mean[i], s2, 0.002 * s2);
    }
  }
}

/// With a weak prior, σ² is (ν_e s² + RSS) / χ²(ν_e + n − k): its mean must not be lost in rounding when RSS
/// is 10⁻⁷ of what the regressors explain.
TEST(Gibbs, ResidualsAreHonestWhenTheFitIsAlmostExact) {
  const int k = 4, n = 50, m = 30;
  auto problem = test::simulate({m}, k, 1, n, 9, 1e-8).problem;
  double explained = 0;
  for (int j = 0; j < k; ++j) explained += double(problem.estimate[j * m]) * problem.estimate[j * m];
  ASSERT_LT(problem.residual[0], 1e-6 * explained);
  GibbsOptions options;
  options.draws = 4000;
  options.burnIn = 100;
  options.thinning = 1;
  const auto result = sampleGibbs(problem, options, {}, Progress());
  for (int i = 0; i < m; ++i) {
    const double squares = problem.nuE * double(problem.errorPrior[i]) + problem.residual[i];
    const double freedom = problem.nuE + n - k, mean = squares / (freedom - 2);
    const double error = mean * std::sqrt(2 / (freedom - 4) / (options.kept() * options.chains));
    EXPECT_NEAR(result.moments.sigma2Mean[i], mean, 7 * error);  // draws are slightly correlated
    for (int j = 0; j < k; ++j) {
      EXPECT_NEAR(result.moments.mean[j * m + i], problem.estimate[j * m + i],
                  0.05 * std::sqrt(mean) + 2e-6 * std::sqrt(explained));
      EXPECT_NEAR(result.moments.covariance[(j * (j + 1) / 2 + j) * m + i], mean, 0.1 * mean);
    }
  }
}

TEST(Gibbs, GroupsDoNotKnowOfEachOther) {
  // The draws of the first group are the same, alone and together with another group.
  const auto both = test::simulate({40, 60}, 3, 1, 30, 4).problem;
  auto alone = test::simulate({40}, 3, 1, 30, 4).problem;
  const auto options = fewDraws();
  const auto a = sampleGibbs(alone, options, {}, Progress());
  const auto b = sampleGibbs(both, options, {}, Progress());
  for (int i = 0; i < 40; ++i) EXPECT_EQ(a.moments.mean[i], b.moments.mean[i]);
}

TEST(Gibbs, CancelsAtOnceInBothWaysOfSharingTheWork) {
  for (const int chains : {1, 8}) {
    const auto problem = test::simulate({1500}, 4, 1, 30, 4).problem;
    GibbsOptions options;
    options.chains = chains;
    options.draws = 200'000;  // minutes
    options.thinning = 10'000;
    std::stop_source stop;
    const Progress progress(stop.get_token(), [&](double, std::string_view) { stop.request_stop(); });
    EXPECT_THROW(withThreads(2, [&] { sampleGibbs(problem, options, {}, progress); }), Cancelled);
    const Progress stopped(stop.get_token(), {});
    EXPECT_THROW(sampleGibbs(problem, options, {}, stopped), Cancelled);
  }
}

TEST(Gibbs, ShowsWhatItHasSoFar) {
  const auto problem = test::simulate({300}, 2, 1, 30, 4).problem;
  GibbsOptions options;
  options.draws = 500'000;
  options.thinning = 100;
  options.burnIn = 100;
  std::stop_source stop;
  int shown = 0;
  const auto preview = [&](const GibbsMoments& moments, double done) {
    ++shown;
    EXPECT_GT(done, 0);
    EXPECT_LT(done, 1);
    ASSERT_EQ(moments.mean.size(), std::size_t(2 * problem.voxels));
    for (int i = 0; i < 300; ++i) EXPECT_LT(std::abs(moments.mean[i] - problem.estimate[i]), 5);
    EXPECT_TRUE(std::isnan(moments.rhat[0]) && std::isnan(moments.ess[0]));
    stop.request_stop();
  };
  EXPECT_THROW(sampleGibbs(problem, options, preview, Progress(stop.get_token(), {})), Cancelled);
  EXPECT_EQ(shown, 1);
}

TEST(Gibbs, RefusesToKeepNothing) {
  const auto problem = test::simulate({5}, 2, 1, 30, 4).problem;
  GibbsOptions options;
  options.draws = options.burnIn = 100;
  EXPECT_THROW(sampleGibbs(problem, options, {}, Progress()), Error);
}

TEST(Jacobi, FindsTheEigenvectorsOfAnySize) {
  std::mt19937_64 random(3);
  std::normal_distribution<double> normal;
  for (int k = 1; k <= 12; ++k)
    for (int repeat = 0; repeat < 20; ++repeat) {
      RowMajor root(k, k);
      for (int i = 0; i < k * k; ++i) root.data()[i] = normal(random) * std::pow(10.0, i % k % 4);
      const RowMajor matrix = root.transpose() * root;
      RowMajor diagonal = matrix, vectors(k, k);
      std::vector<double> turn(2 * k);
      jacobi(k, {diagonal.data(), vectors.data(), turn.data()}, OneThread());
      EXPECT_LT((vectors * vectors.transpose() - RowMajor::Identity(k, k)).norm(), 1e-13 * k);
      const Eigen::VectorXd values = diagonal.diagonal();
      // Rotations end when the off-diagonal elements are below the precision of float, the type of the
      // results.
      EXPECT_LT((vectors * values.asDiagonal() * vectors.transpose() - matrix).norm(), 1e-8 * matrix.norm());
      std::vector<double> ours(values.data(), values.data() + k);
      std::sort(ours.begin(), ours.end());
      const Eigen::VectorXd theirs = symmetricEigenvalues(matrix);
      for (int i = 0; i < k; ++i) EXPECT_NEAR(ours[i], theirs[i], 1e-9 * theirs[k - 1]);
    }
}

/// The draws of V and Δ given the voxels have the means and covariances of their distributions. The
/// hyperparameters are drawn repeatedly from the same sums.
struct DrawnHyper {
  int k, q;
  std::vector<double> work = std::vector<double>(std::size_t(hyperWork(k, q)));
  std::vector<double> delta = std::vector<double>(std::size_t(q * k));
  std::vector<double> variance = std::vector<double>(std::size_t(k * k));
  std::vector<float> out = std::vector<float>(std::size_t(k * k + k + k * q));
  HyperParameters next = {out.data(), out.data() + k* k, out.data() + k* k + k};

  void draw(const HyperPrior& prior, const HyperParameters& last, std::vector<double>& sums, int t) {
    const HyperStream stream{PhiloxKey(5), std::uint32_t(t), 0, 0};
    drawHyper(
        k, q,
        HyperDraw{prior, last, next, sums.data(), stream, false, delta.data(), variance.data(), work.data()},
        OneThread());
  }
};

TEST(HyperDraw, HasTheMomentsOfItsLaw) {
  const int k = 3, q = 2, m = 25, draws = 20000;
  std::mt19937_64 random(2);
  std::normal_distribution<double> normal;
  RowMajor z(m, q), gamma(m, k), delta0(q, k);
  for (int i = 0; i < m; ++i) {
    z(i, 0) = 1, z(i, 1) = normal(random);
    for (int j = 0; j < k; ++j) gamma(i, j) = j + normal(random) * (1 + j) + z(i, 1);
  }
  GibbsProblem problem;
  problem.regressors = k;
  problem.covariates = q;
  problem.factor = Eigen::MatrixXd::Identity(k, k);
  problem.nu = 6;
  problem.a = 0.5;
  GibbsGroup group;
  group.end = m;
  group.priorScale = 6 * Eigen::MatrixXd::Identity(k, k) + 2 * Eigen::MatrixXd::Ones(k, k);
  const Eigen::MatrixXd zz = z.transpose() * z;
  group.zz.assign(zz.data(), zz.data() + zz.size());
  const GroupPrior prior = groupPrior(problem, group);

  // The sums of an iteration with arbitrary axes and an arbitrary Δ.
  const Eigen::MatrixXd turned = thinQr(gamma.topRows(k)).q;
  std::vector<float> record(k * k + k + k * q);
  const HyperParameters last{record.data(), record.data() + k * k, record.data() + k * k + k};
  RowMajor axes(k, k), means(k, q);
  for (int i = 0; i < k * k; ++i) axes.data()[i] = last.axes[i] = float(turned(i / k, i % k));
  for (int i = 0; i < k * q; ++i) means.data()[i] = last.means[i] = float(normal(random));
  const RowMajor d = gamma * inverse(axes).transpose() - z * means.transpose();  // rows: in the axes
  std::vector<double> sums;
  for (int i = 0; i < k; ++i)
    for (int j = 0; j <= i; ++j) sums.push_back(d.col(i).dot(d.col(j)));
  for (int c = 0; c < q; ++c)
    for (int j = 0; j < k; ++j) sums.push_back(z.col(c).dot(d.col(j)));

  const Eigen::MatrixXd a = problem.a * Eigen::MatrixXd::Identity(q, q);
  const Eigen::MatrixXd mean = inverse(zz + a) * z.transpose() * gamma;
  const Eigen::MatrixXd e = gamma - z * mean;
  const Eigen::MatrixXd scale = group.priorScale + e.transpose() * e + mean.transpose() * a * mean;
  const double freedom = problem.nu + m;

  std::vector<double> v[k * k], delta[q * k], spread[q * k];
  DrawnHyper drawn{k, q};
  const Eigen::MatrixXd meanV = scale / (freedom - k - 1), zzInverse = inverse(zz + a);
  for (int t = 0; t < draws; ++t) {
    drawn.draw(prior.view(), last, sums, t);
    for (int i = 0; i < k * k; ++i) v[i].push_back(drawn.variance[i]);
    for (int i = 0; i < q * k; ++i) {
      delta[i].push_back(drawn.delta[i]);
      const double off = drawn.delta[i] - mean(i / k, i % k);
      spread[i].push_back(off * off);
    }
    // The parameters of the voxels represent the same V and Δ.
    if (t > 100) continue;
    for (int i = 0; i < k; ++i)
      for (int j = 0; j < k; ++j) {
        double sum = 0;
        for (int l = 0; l < k; ++l)
          sum += double(drawn.out[i * k + l]) * drawn.out[k * k + l] * drawn.out[j * k + l];
        EXPECT_NEAR(sum, drawn.variance[i * k + j], 1e-5 * (meanV(i, i) + meanV(j, j)));
      }
    for (int c = 0; c < q; ++c)
      for (int i = 0; i < k; ++i) {
        double sum = 0;
        for (int j = 0; j < k; ++j) sum += double(drawn.out[i * k + j]) * drawn.next.means[j * q + c];
        EXPECT_NEAR(sum, drawn.delta[c * k + i], 1e-5);
      }
  }
  for (int i = 0; i < k * k; ++i) test::expectMean(v[i], meanV(i / k, i % k), "V");
  for (int i = 0; i < q * k; ++i) {
    test::expectMean(delta[i], mean(i / k, i % k), "delta");
    test::expectMean(spread[i], zzInverse(i / k, i / k) * meanV(i % k, i % k), "variance of delta");
  }
  // The variance of the diagonal of an inverse Wishart matrix is 2 S_ii² / ((f − k − 1)² (f − k − 3)).
  std::vector<double> squares;
  for (const double x : v[0]) squares.push_back((x - meanV(0, 0)) * (x - meanV(0, 0)));
  test::expectMean(squares, 2 * meanV(0, 0) * meanV(0, 0) / (freedom - k - 3), "variance of V");
}

/// With blocks, V_β is 0 between them, and each block has the posterior that it would have alone, under the
/// marginal prior of the whole matrix.
TEST(HyperDraw, OfBlocksHasTheLawOfEachBlockByItself) {
  const int k = 3, m = 20, draws = 20000;
  GibbsProblem problem;
  problem.regressors = k, problem.covariates = 1, problem.nu = 7, problem.a = 0.5;
  problem.factor = Eigen::Matrix3d{{2, 0, 0}, {0.5, 1.5, 0}, {-0.7, 0.4, 3}};
  problem.block = {0, 1, 0};
  const Eigen::Matrix3d scale{{4, 0, 1}, {0, 5, 0}, {1, 0, 3}};  // of β
  GibbsGroup group;
  group.end = m;
  group.priorScale = problem.factor.transpose() * scale * problem.factor;
  group.zz = {double(m)};
  problem.groups = {group};
  const GroupPrior prior = groupPrior(problem, group);
  std::mt19937_64 random(5);
  std::normal_distribution<double> normal;
  RowMajor beta(m, k);
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < k; ++j) beta(i, j) = j + normal(random) * (1 + j) + (j > 0 ? beta(i, 0) : 0);
  const RowMajor gamma = beta * problem.factor;
  std::vector<float> record(k * k + 2 * k);
  const HyperParameters last{record.data(), record.data() + k * k, record.data() + k * k + k};
  for (int i = 0; i < k; ++i) last.axes[i * k + i] = 1;
  std::vector<double> sums;
  for (int i = 0; i < k; ++i)
    for (int j = 0; j <= i; ++j) sums.push_back(gamma.col(i).dot(gamma.col(j)));
  for (int j = 0; j < k; ++j) sums.push_back(gamma.col(j).sum());

  const Eigen::RowVectorXd mean = beta.colwise().sum() / (m + problem.a);
  const Eigen::MatrixXd e = beta.rowwise() - mean;
  const Eigen::MatrixXd s = scale + e.transpose() * e + problem.a * mean.transpose() * mean;
  std::vector<double> v[k * k], delta[k];
  std::vector<double> inBeta(k * k), means(k);
  DrawnHyper drawn{k, 1};
  for (int t = 0; t < draws; ++t) {
    drawn.draw(prior.view(), last, sums, t);
    drawInBeta(betaFromGamma(problem), 1, drawn.delta.data(), drawn.variance.data(), means.data(),
               inBeta.data());
    for (int i = 0; i < k * k; ++i) v[i].push_back(inBeta[i]);
    for (int i = 0; i < k; ++i) delta[i].push_back(means[i]);
  }
  // Degrees of freedom: ν + M − 1 for the block of two, ν + M − 2 for the single one.
  const double ofTwo = problem.nu + m - 1 - 2 - 1, ofOne = problem.nu + m - 2 - 1 - 1;
  for (const int i : {0, 2})
    for (const int j : {0, 2}) test::expectMean(v[i * k + j], s(i, j) / ofTwo, "V of two");
  test::expectMean(v[4], s(1, 1) / ofOne, "V of one");
  for (const int i : {1, 3, 5, 7})
    for (const double x : v[i]) ASSERT_NEAR(x, 0, 1e-9);
  for (int i = 0; i < k; ++i) test::expectMean(delta[i], mean(i), "delta");
}

/// If series contain little information on the coefficients, plain Gibbs draws of Δ and V_β mix very slowly.
TEST(Gibbs, DrawsFewAlikeWhenInterwoven) {
  for (const bool correlated : {false, true}) {
    auto problem = correlated ? test::simulateCorrelated(400, 3, 1, 12, 3).problem
                              : test::simulate({400}, 3, 1, 12, 3, 30).problem;
    if (correlated)
      for (float& h : problem.precision) h *= 0.03f;
    GibbsOptions options;
    options.draws = 4000, options.burnIn = 400, options.thinning = 1;
    double worst[2];
    for (const bool interwoven : {false, true}) {
      options.interwoven = interwoven;
      const auto result = sampleGibbs(problem, options, {}, Progress());
      worst[interwoven] = 1e9;
      for (int i = 0; i < 9; ++i) {
        std::vector<double> draws;
        for (std::size_t at = std::size_t(i); at < result.vBeta.size(); at += 9)
          draws.push_back(result.vBeta[at]);
        worst[interwoven] = std::min(worst[interwoven], convergence(draws, options.chains).ess);
      }
    }
    EXPECT_GT(worst[1], 2.5 * worst[0]) << worst[0] << (correlated ? " of whitened series" : "");
  }
}

}  // namespace
}  // namespace sulcus::activation
