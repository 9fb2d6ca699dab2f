#include "core/activation/model/noise.h"

#include "core/activation/model/neighbor_means.h"
#include "core/base/parallel/parallel_for.h"
#include "core/math/distributions.h"
#include "core/math/linear_algebra.h"
#include "core/math/philox.h"

#include <algorithm>
#include <cmath>

#include <Eigen/LU>

namespace sulcus::activation {
namespace {

constexpr double kLargestPartial = 0.95;  // beyond this, a series is hardly noise around a mean
constexpr std::int64_t kNoiseBlock = 1024;

/// Autoregressive coefficients φ_1 … φ_3; entry 0 is not used.
using Coefficients = std::array<double, kNoiseLags + 1>;

/// Converts the coefficients of order m − 1 to those of order m, whose last one is the partial
/// autocorrelation `kappa` (Durbin's recursion).
void raiseOrder(Coefficients& phi, std::size_t m, double kappa) {
  const Coefficients last = phi;
  for (std::size_t i = 1; i < m; ++i) phi[i] = last[i] - kappa * last[m - i];
  phi[m] = kappa;
}

/// Partial autocorrelations of autocovariances 0 … 3 (Levinson–Durbin).
Partials partialsOf(const Eigen::Vector4d& covariance) {
  Partials partials{};
  Coefficients phi{};
  if (!(covariance(0) > 0)) return partials;
  double rest = 1;
  for (int j = 1; j <= kNoiseLags; ++j) {
    double sum = covariance(j) / covariance(0);
    for (int i = 1; i < j; ++i) sum -= phi[i] * covariance(j - i) / covariance(0);
    const double kappa = std::clamp(sum / rest, -kLargestPartial, kLargestPartial);
    raiseOrder(phi, std::size_t(j), kappa);
    partials[j - 1] = kappa;
    rest *= 1 - kappa * kappa;
  }
  return partials;
}

/// Q delayed by `lag` rows within the runs, or advanced if `lag` is negative: rows from beyond a run are
/// zero.
Eigen::MatrixXd delayed(const Eigen::MatrixXd& q, const std::vector<Run>& runs, int lag) {
  Eigen::MatrixXd to = Eigen::MatrixXd::Zero(q.rows(), q.cols());
  for (const Run& run : runs) {
    const int rows = run.scans() - std::abs(lag);
    to.middleRows(run.begin + std::max(lag, 0), rows) = q.middleRows(run.begin + std::max(-lag, 0), rows);
  }
  return to;
}

/// Σ_t x_t x_{t−l} within the runs, l = 0 … 3.
Eigen::Vector4d lagSumsOf(const Eigen::VectorXd& x, const std::vector<Run>& runs) {
  Eigen::Vector4d sums = Eigen::Vector4d::Zero();
  for (const Run& run : runs)
    for (int l = 0; l <= kNoiseLags; ++l)
      sums(l) += x.segment(run.begin + l, run.scans() - l).dot(x.segment(run.begin, run.scans() - l));
  return sums;
}

/// The penalty that AICc adds to −2 times the log likelihood.
double penalty(int order, double scans) { return 2 * (order + 1) * scans / (scans - order - 2); }

/// The orders of the voxels of a group.
class Orders {
 public:
  Orders(Noise noise, double scans, std::size_t voxels)
      : fixed_(int(noise) - int(Noise::white)), scans_(scans) {
    best_.assign(voxels, fixed_);
    if (noise != Noise::automatic) return;
    best_.assign(voxels, 0);
    criterion_.assign(voxels, penalty(0, scans));
    deviance_.assign(voxels, 0);
  }
  /// Adds 2 ln cosh z at the next lag, averaged over the neighbors, given its mean for white noise, for which
  /// twice the log likelihood gains one.
  void add(int lag, const std::vector<float>& gain, double ofWhite) {
    for (std::size_t i = 0; i < deviance_.size(); ++i) {
      deviance_[i] -= gain[i] / ofWhite;
      const double next = deviance_[i] + penalty(lag, scans_);
      if (!(next < criterion_[i])) continue;
      criterion_[i] = next;
      best_[i] = lag;
    }
  }
  int of(std::size_t voxel) const { return best_[voxel]; }

 private:
  int fixed_;
  double scans_;
  std::vector<int> best_;
  std::vector<double> criterion_, deviance_;
};

NoiseFilter filterAt(Partials fisher) {
  for (double& z : fisher) z = std::tanh(z);
  return NoiseFilter(fisher);
}

/// Sets H and its derivatives, by central differences, at the nodes.
void setNodes(const Eigen::MatrixXd& q, const std::vector<Run>& runs, NoiseModel& model) {
  constexpr double kStep = 1e-3;
  const FilteredSquares squares(q, runs);
  for (int i = 0; i < NoiseModel::kNodes; ++i) {
    Partials at = model.typical;
    at[0] = NoiseModel::kFirstNode + i * NoiseModel::kNodeStep;
    NoiseModel::Node node{squares(filterAt(at)), {}};
    for (std::size_t j = 0; j < kNoiseLags; ++j) {
      Partials above = at, below = at;
      above[j] += kStep;
      below[j] -= kStep;
      node.slopes[j] = (squares(filterAt(above)) - squares(filterAt(below))) / (2 * kStep);
    }
    model.nodes.push_back(std::move(node));
  }
}

/// The variance of a voxel's estimate of atanh κ, given that for white noise.
double fisherError(double fisher, double variance) {
  return std::cosh(fisher) * std::cosh(fisher) * variance;
}

/// 1/ν at a node, see effectiveFreedom().
double unknownAt(const NoiseModel& noise, std::size_t node, const Eigen::VectorXd& inGamma, double freedom) {
  const auto& [precision, slopes] = noise.nodes[node];
  Eigen::VectorXd weights = Eigen::VectorXd::Zero(precision.rows());
  weights.tail(inGamma.size()) = inGamma;
  const Eigen::VectorXd solved = solvePositiveDefinite(precision, weights);
  const double variance = weights.dot(solved);
  Partials at = noise.typical;
  at[0] = NoiseModel::kFirstNode + double(node) * NoiseModel::kNodeStep;
  double unknown = 1 / freedom;
  for (std::size_t j = 0; j < kNoiseLags; ++j) {
    // Of c'H⁻¹c, and of the residual variance, which is proportional to the determinant of the correlation
    // matrix to the power −1/n, Π (1 − κ_j²)⁻¹.
    const double slope = -solved.dot(slopes[j] * solved) / variance + 2 * std::tanh(at[j]);
    unknown += slope * slope * noise.own[j] * fisherError(at[j], noise.variance[j]) / 2;
  }
  return unknown;
}

}  // namespace

NoiseFilter::NoiseFilter(const Partials& partials) {
  Coefficients phi{};
  double variance = 1;
  at[0][0] = 1;
  for (std::size_t m = 1; m <= kNoiseLags; ++m) {
    const double kappa = partials[m - 1];
    raiseOrder(phi, m, kappa);
    variance *= 1 - kappa * kappa;
    at[m][0] = 1 / std::sqrt(variance);
    for (std::size_t i = 1; i <= m; ++i) at[m][i] = -phi[i] * at[m][0];
  }
}

Eigen::VectorXd NoiseFilter::whitened(const Eigen::VectorXd& x, const std::vector<Run>& runs) const {
  Eigen::VectorXd to = Eigen::VectorXd::Zero(x.size());
  for (const Run& run : runs)
    for (Eigen::Index t = run.begin; t < run.end; ++t) {
      const auto m = std::min<Eigen::Index>(t - run.begin, kNoiseLags);
      for (Eigen::Index j = 0; j <= m; ++j) to(t) += at[m][j] * x(t - j);
    }
  return to;
}

FilteredSquares::FilteredSquares(const Eigen::MatrixXd& q, const std::vector<Run>& runs) {
  for (const Run& run : runs) first_.push_back(q.middleRows(run.begin, kNoiseLags));
  for (int i = 0; i <= kNoiseLags; ++i)
    for (int j = 0; j <= i; ++j) {
      Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(q.cols(), q.cols());
      for (const Run& run : runs) {
        const Eigen::Index first = run.begin + kNoiseLags, rows = run.scans() - kNoiseLags;
        sum += q.middleRows(first - i, rows).transpose() * q.middleRows(first - j, rows);
      }
      lagged_[i][j] = i == j ? sum : Eigen::MatrixXd(sum + sum.transpose());
    }
}

Eigen::MatrixXd FilteredSquares::operator()(const NoiseFilter& filter) const {
  const Eigen::Index k = lagged_[0][0].rows();
  Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(k, k);
  const auto& a = filter.at[kNoiseLags];
  for (std::size_t i = 0; i <= kNoiseLags; ++i)
    for (std::size_t j = 0; j <= i; ++j) sum += a[i] * a[j] * lagged_[i][j];
  for (const Eigen::MatrixXd& first : first_)
    for (Eigen::Index t = 0; t < kNoiseLags; ++t) {
      Eigen::RowVectorXd row = Eigen::RowVectorXd::Zero(k);
      for (Eigen::Index j = 0; j <= t; ++j) row += filter.at[t][j] * first.row(t - j);
      sum += row.transpose() * row;
    }
  return sum;
}

Eigen::Matrix4d residualLagSums(const Eigen::MatrixXd& q, const std::vector<Run>& runs) {
  // tr(R S_l R D_j) with R = I − QQ', S_l the delay by l, and D_j = S_j + S_j' (D_0 = I), without an n × n
  // matrix.
  const auto n = double(q.rows());
  Eigen::Matrix4d sums;
  for (int l = 0; l <= kNoiseLags; ++l) {
    const Eigen::MatrixXd delayedQ = delayed(q, runs, l), advancedQ = delayed(q, runs, -l);  // S_l Q, S_l' Q
    for (int j = 0; j <= kNoiseLags; ++j) {
      const Eigen::MatrixXd d =
          j == 0 ? q : Eigen::MatrixXd(delayed(q, runs, j) + delayed(q, runs, -j));  // D_j Q
      const double plain = l == j ? n - double(runs.size()) * l : 0;                 // tr(S_l D_j)
      sums(l, j) = plain - (advancedQ.transpose() * d).trace() - (d.transpose() * delayedQ).trace() +
                   ((q.transpose() * delayedQ) * (q.transpose() * d)).trace();
    }
  }
  return sums;
}

WhiteEstimates whiteEstimates(const Eigen::MatrixXd& q, const std::vector<Run>& runs,
                              const Eigen::Matrix4d& toCovariance) {
  constexpr int kSeries = 1000;  // determines means to a twentieth of their spread
  Eigen::MatrixXd y(q.rows() + q.rows() % 2, kSeries);
  for (Eigen::Index i = 0; i < y.size(); i += 2) {
    std::uint32_t words[] = {std::uint32_t(i), 0, 0, 0};
    philox(words, PhiloxKey(0));
    float first = 0, second = 0;
    normalPair(words[0], words[1], first, second);
    y.data()[i] = first;
    y.data()[i + 1] = second;
  }
  y.conservativeResize(q.rows(), kSeries);
  y -= q * (q.transpose() * y).eval();
  std::array<Eigen::ArrayXd, kNoiseLags> fisher;
  fisher.fill(Eigen::ArrayXd(kSeries));
  for (Eigen::Index i = 0; i < kSeries; ++i) {
    const Partials partials = partialsOf(toCovariance * lagSumsOf(y.col(i), runs));
    for (std::size_t j = 0; j < kNoiseLags; ++j) fisher[j](i) = std::atanh(partials[j]);
  }
  WhiteEstimates white;
  for (std::size_t j = 0; j < kNoiseLags; ++j) {
    white.mean[j] = fisher[j].mean();
    const Eigen::ArrayXd away = fisher[j] - white.mean[j];
    white.variance[j] = away.square().mean();
    white.gain[j] = 2 * away.cosh().log().mean();
  }
  return white;
}

std::vector<Partials> memoryOfSeries(const Eigen::MatrixXd& residuals, const Eigen::MatrixXd& q,
                                     const std::vector<Run>& runs, Noise noise) {
  std::vector<Partials> memory(residuals.cols());
  if (noise == Noise::white) return memory;
  const Eigen::Matrix4d toCovariance = residualLagSums(q, runs).inverse();
  const WhiteEstimates white = whiteEstimates(q, runs, toCovariance);
  for (std::size_t s = 0; s < memory.size(); ++s) {
    const Partials partials = partialsOf(toCovariance * lagSumsOf(residuals.col(Eigen::Index(s)), runs));
    Orders orders(noise, double(q.rows()), 1);
    Partials fisher;
    for (std::size_t j = 0; j < kNoiseLags; ++j) {
      fisher[j] = std::atanh(partials[j]) - white.mean[j];
      orders.add(int(j) + 1, {float(2 * std::log(std::cosh(fisher[j])))}, white.gain[j]);
    }
    for (std::size_t j = 0; j < std::size_t(orders.of(0)); ++j) memory[s][j] = std::tanh(fisher[j]);
  }
  return memory;
}

namespace {

/// Partial autocorrelations on Fisher's scale above those of white noise, (3, M).
std::vector<float> fisherOf(const std::vector<float>& lagSums, std::size_t m,
                            const Eigen::Matrix4d& toCovariance, const WhiteEstimates& white,
                            const Progress& progress) {
  std::vector<float> fisher(kNoiseLags * m);
  parallelForBlocks(std::int64_t(m), kNoiseBlock, progress, [&](std::int64_t begin, std::int64_t end) {
    for (auto i = std::size_t(begin); i < std::size_t(end); ++i) {
      Eigen::Vector4d sums;
      for (std::size_t l = 0; l <= kNoiseLags; ++l) sums(Eigen::Index(l)) = lagSums[l * m + i];
      const Partials partials = partialsOf(toCovariance * sums);
      for (std::size_t j = 0; j < kNoiseLags; ++j)
        fisher[j * m + i] = float(std::atanh(partials[j]) - white.mean[j]);
    }
  });
  return fisher;
}

/// Shrinks the estimates of a lag towards those of their neighbors, in the voxels whose order includes it.
///
/// @param fisher  of this lag, of the voxels of a group
/// @param near    their means over the neighbors
/// @param begin   the first voxel of the group
void shrink(std::span<const float> fisher, const std::vector<float>& near, const Orders& orders,
            std::size_t lag, std::size_t begin, NoiseModel& model) {
  const std::size_t m = model.partial.size() / kNoiseLags;
  // The variance of the differences from the neighbors beyond the error of an estimate.
  double between = 0, count = 0;
  for (std::size_t i = 0; i < fisher.size(); ++i) {
    if (orders.of(i) <= int(lag)) continue;
    const double away = fisher[i] - near[i];
    between += away * away - fisherError(near[i], model.variance[lag]);
    ++count;
  }
  between = count > 0 ? std::max(between / count, 0.0) : 0;
  for (std::size_t i = 0; i < fisher.size(); ++i) {
    if (orders.of(i) <= int(lag)) continue;
    const double error = fisherError(near[i], model.variance[lag]), keep = between / (between + error);
    const double value = near[i] + keep * (fisher[i] - near[i]);
    model.partial[lag * m + begin + i] = float(std::tanh(value));
    model.typical[lag] += value / double(m);
    model.own[lag] += keep / double(m);
  }
}

}  // namespace

NoiseModel estimateNoise(const ActivationResult& result, const GibbsProblem& problem, Noise noise,
                         const Residuals& residuals, const Series<float>* tissue, const Progress& progress) {
  const Eigen::MatrixXd& q = residuals.q;
  const auto m = std::size_t(problem.voxels);
  const std::vector<Run> runs = result.design.runs();
  const Eigen::Matrix4d toCovariance = residualLagSums(q, runs).inverse();
  const WhiteEstimates white = whiteEstimates(q, runs, toCovariance);
  NoiseModel model;
  model.variance = white.variance;
  model.partial.assign(kNoiseLags * m, 0);
  const std::vector<float> fisher =
      fisherOf(residuals.lagSums, m, toCovariance, white, progress.part(0, 0.2, "Noise"));
  for (const GibbsGroup& group : problem.groups) {
    const auto begin = std::size_t(group.begin), size = std::size_t(group.end - group.begin);
    const auto part = progress.part(0.2 + 0.8 * double(group.begin) / double(m),
                                    0.2 + 0.8 * double(group.end) / double(m), "Noise");
    const NeighborMeans means(result.grid, std::span(result.voxels).subspan(begin, size), tissue, part);
    Orders orders(noise, double(result.design.scans()), size);
    const auto ofLag = [&](std::size_t j) {
      return std::span<const float>(fisher.data() + j * m + begin, size);
    };
    std::array<std::vector<float>, kNoiseLags> near;
    for (std::size_t j = 0; j < kNoiseLags; ++j) {
      near[j] = means(ofLag(j), part);
      if (noise != Noise::automatic) continue;
      std::vector<float> gain;
      for (const float z : ofLag(j)) gain.push_back(2 * std::log(std::cosh(z)));  // −ln(1 − tanh²)
      orders.add(int(j) + 1, means(gain, part), white.gain[j]);
    }
    for (std::size_t i = 0; i < size; ++i) ++model.voxelsOfOrder[orders.of(i)];
    for (std::size_t j = 0; j < kNoiseLags; ++j) shrink(ofLag(j), near[j], orders, j, begin, model);
  }
  if (model.voxelsOfOrder[0] == problem.voxels)
    model.partial.clear();
  else
    setNodes(q, runs, model);
  return model;
}

std::vector<float> effectiveFreedom(const NoiseModel& noise, const Eigen::VectorXd& inGamma, double freedom) {
  std::array<double, NoiseModel::kNodes> unknown;
  for (std::size_t i = 0; i < unknown.size(); ++i) unknown[i] = unknownAt(noise, i, inGamma, freedom);
  std::vector<float> effective(noise.partial.size() / kNoiseLags);
  for (std::size_t i = 0; i < effective.size(); ++i) {
    const double place = (std::atanh(noise.partial[i]) - NoiseModel::kFirstNode) / NoiseModel::kNodeStep;
    const double within = std::clamp(place, 0.0, NoiseModel::kNodes - 1.001);
    const auto below = std::size_t(within);
    const double share = within - double(below);
    effective[i] = float(1 / ((1 - share) * unknown[below] + share * unknown[below + 1]));
  }
  return effective;
}

}  // namespace sulcus::activation
