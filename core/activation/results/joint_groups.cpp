#include "core/activation/activation.h"
#include "core/activation/results/joint_estimates.h"
#include "core/activation/results/mixture_fdr.h"
#include "core/base/parallel/parallel_for.h"
#include "core/math/linear_algebra.h"
#include "core/math/statistics.h"
#include "core/math/tails.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>

namespace sulcus::activation {
namespace {

constexpr double kFarthest = 20, kCell = 0.05;  // standard errors; beyond, a voxel certainly has an effect

/// log ₀F₁(; b; z), z ≥ 0: its series, or that of the Bessel function I for large arguments.
double logLimitFunction(double b, double z) {
  const double y = 2 * std::sqrt(z), order = b - 1, square = 4 * order * order;
  if (y > 30 + square) {
    const double series =
        1 - (square - 1) / (8 * y) * (1 - (square - 9) / (16 * y) * (1 - (square - 25) / (24 * y)));
    return logGamma(b) - order * std::log(y / 2) + y - std::log(2 * std::numbers::pi * y) / 2 +
           std::log(series);
  }
  constexpr double kLarge = 1e200;
  double term = 1, sum = 1, scale = 0;
  for (int n = 1; n < y || term > 1e-13 * sum; ++n) {
    sum += term *= z / (n * (b + n - 1));
    if (sum <= kLarge) continue;
    sum /= kLarge;
    term /= kLarge;
    scale += std::log(kLarge);
  }
  return std::log(sum) + scale;
}

/// For each length of effects, the density of an estimate of this length relative to that if all rows are
/// zero.
Eigen::ArrayXd oddsAt(const JointGroups& groups, int rank, double length) {
  const double at = std::min(length, kFarthest) / groups.errorScale;
  Eigen::ArrayXd odds(std::ssize(groups.lengths));
  for (Eigen::Index k = 0; k < odds.size(); ++k) {
    const double effect = groups.lengths[k] / groups.errorScale;
    odds(k) = std::exp(
        std::min(logLimitFunction(rank / 2.0, effect * effect * at * at / 4) - effect * effect / 2, 600.0));
  }
  return odds;
}

/// The probabilities of an effect of each length, from oddsAt(). The remainder to 1 is that of no effect.
Eigen::ArrayXd effectProbabilities(const JointGroups& groups, const Eigen::ArrayXd& odds) {
  const Eigen::ArrayXd others = Eigen::Map<const Eigen::ArrayXd>(groups.shares.data(), odds.size()) * odds;
  return others / (groups.nullShare + others.sum());
}

/// The EM algorithm of a fit. Voxels are binned by the length of their estimates.
class JointFit {
 public:
  explicit JointFit(const JointEstimates& estimates) : estimates_(estimates), rank_(estimates.rank) {
    const std::size_t all = estimates.f.size(), step = (all + kMostVoxels - 1) / kMostVoxels;
    for (std::size_t i = 0; i < all; i += step)
      if (estimates.whitening[i] > 0 && std::isfinite(estimates.f[i])) voxels_.push_back(i);
  }

  std::optional<JointGroups> run() {
    if (std::int64_t(voxels_.size()) < kFewestForGroups) return std::nullopt;
    JointGroups groups = start();
    for (int i = 0; i < kMostTurns; ++i) {
      findLengths(groups.common);
      const Eigen::ArrayXd null = fitShares(groups);
      if (!isShared()) break;
      const Eigen::VectorXd common = commonOf(null, groups.errorScale * groups.errorScale);
      const bool same = (common - groups.common).norm() <= kSettled * common.norm();
      groups.common = common;
      if (same) break;
    }
    return groups;
  }

 private:
  static constexpr std::size_t kMostVoxels = 50'000;
  static constexpr double kPriorVoxels = 10;  // number of voxels without effect that the prior of π₀ counts
                                              // as
  static constexpr double kShortest = 2.5, kRatio = 1.2;
  static constexpr int kMostTurns = 30, kMostSteps = 1000;
  static constexpr double kSettled = 1e-6;

  bool isShared() const { return !estimates_.common.empty(); }

  JointGroups start() const {
    JointGroups groups;
    double length = kShortest * std::pow(rank_, 0.25);
    for (; length < kFarthest; length *= kRatio) groups.lengths.push_back(length);
    groups.nullShare = 0.9;
    groups.shares.assign(groups.lengths.size(), 0.1 / double(groups.lengths.size()));
    groups.common = Eigen::VectorXd::Zero(rank_);
    for (int j = 0; isShared() && j < rank_; ++j) {
      std::vector<float> x;
      for (const std::size_t i : voxels_) {
        const std::size_t at = std::size_t(j) * estimates_.f.size() + i;
        x.push_back(estimates_.estimate[at] - estimates_.common[at]);
      }
      groups.common(j) = upperMedian(std::span(x));
    }
    return groups;
  }

  /// Sets the cell of each voxel, by the length of its estimate minus `common`.
  void findLengths(const Eigen::VectorXd& common) {
    cell_.resize(voxels_.size());
    parallelFor(std::ssize(voxels_), Progress(), [&](std::int64_t v) {
      const double length = estimates_.whitened(voxels_[v], common).norm();
      cell_[v] = std::uint16_t(std::min(length, kFarthest) / kCell);
    });
    count_ = Eigen::ArrayXd::Zero(Eigen::Index(kFarthest / kCell) + 1);
    for (const std::uint16_t cell : cell_) ++count_(cell);
  }

  /// EM steps for shares and κ. Returns P(all rows are zero) in each cell.
  Eigen::ArrayXd fitShares(JointGroups& groups) const {
    Eigen::ArrayXd null(count_.size());
    for (int i = 0; i < kMostSteps; ++i) {
      const JointGroups before = groups;
      null = step(groups);
      if (std::max(std::abs(groups.nullShare - before.nullShare),
                   std::abs(groups.errorScale - before.errorScale)) < kSettled)
        break;
    }
    return null;
  }

  Eigen::ArrayXd step(JointGroups& groups) const {
    const auto all = double(voxels_.size());
    Eigen::ArrayXd of = Eigen::ArrayXd::Zero(std::ssize(groups.lengths)),
                   null = Eigen::ArrayXd::Zero(count_.size());
    double squares = 0;
    for (Eigen::Index cell = 0; cell < count_.size(); ++cell) {
      if (count_(cell) == 0) continue;
      const double length = kCell * (double(cell) + 0.5);
      const Eigen::ArrayXd others = effectProbabilities(groups, oddsAt(groups, rank_, length));
      of += count_(cell) * others;
      null(cell) = 1 - others.sum();
      squares += count_(cell) * null(cell) * length * length;
    }
    const double none = std::max(all - of.sum(), 0.0);
    groups.nullShare = (none + kPriorVoxels) / (all + kPriorVoxels);
    for (std::size_t k = 0; k < groups.shares.size(); ++k)
      groups.shares[k] = of(Eigen::Index(k)) / (all + kPriorVoxels);
    if (none > 0) groups.errorScale = std::max(1.0, std::sqrt(squares / none / rank_));
    return null;
  }

  /// The posterior mean of the error common to all estimates, given the voxels without effect:
  /// R (κ² + M R)⁻¹ b, which needs no inverse of its covariance R.
  ///
  /// @param null  P(all rows are zero) in each cell
  Eigen::VectorXd commonOf(const Eigen::ArrayXd& null, double error) const {
    Eigen::MatrixXd precision = Eigen::MatrixXd::Zero(rank_, rank_);
    Eigen::VectorXd pull = Eigen::VectorXd::Zero(rank_);
    const Eigen::VectorXd nothing = Eigen::VectorXd::Zero(rank_);
    for (std::size_t v = 0; v < voxels_.size(); ++v) {
      const Eigen::MatrixXd a = estimates_.whiteningOf(voxels_[v]);
      precision += null(cell_[v]) * a.transpose() * a;
      pull += null(cell_[v]) * a.transpose() * estimates_.whitened(voxels_[v], nothing);
    }
    const Eigen::MatrixXd& r = estimates_.commonCovariance;
    return r * (inverse(error * Eigen::MatrixXd::Identity(rank_, rank_) + precision * r) * pull);
  }

  const JointEstimates& estimates_;
  int rank_;
  std::vector<std::size_t> voxels_;
  std::vector<std::uint16_t> cell_;  // cell of each voxel
  Eigen::ArrayXd count_;             // number of voxels in each cell
};

}  // namespace

std::optional<JointGroups> fitJointGroups(const JointEstimates& estimates) {
  return JointFit(estimates).run();
}

std::vector<float> jointFalseShare(const JointEstimates& estimates, const JointGroups& groups,
                                   const Progress& progress) {
  std::vector<float> share(estimates.f.size(), 1.0f);
  parallelFor(std::ssize(share), progress, [&](std::int64_t at) {
    const auto i = std::size_t(at);
    if (!(estimates.whitening[i] > 0)) return;
    const double length = estimates.whitened(i, groups.common).norm();
    const double effect = effectProbabilities(groups, oddsAt(groups, estimates.rank, length)).sum();
    share[i] = float(std::max(1 - effect, 0.0));
  });
  return share;
}

std::shared_ptr<const GroupedJoint> groupedJoint(const ActivationResult& result,
                                                 const JointContrast& contrast, const Progress& progress) {
  std::vector<double> key;
  for (const auto& row : contrast.independent) key.insert(key.end(), row.begin(), row.end());
  return (*result.joint)(key,
                         [&] {
                           auto estimates = estimateJoint(result, contrast, progress);
                           auto groups = fitJointGroups(estimates);
                           return std::make_shared<const GroupedJoint>(
                               GroupedJoint{std::move(estimates), std::move(groups)});
                         })
      .value;
}

}  // namespace sulcus::activation
