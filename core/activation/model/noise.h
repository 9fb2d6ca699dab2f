#pragma once

#include "core/activation/activation.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace sulcus::activation {

// Noise with memory: in each voxel an autoregressive process of order p ≤ 3, ε_t = Σ_j φ_j ε_{t−j} + e_t. It
// is described by its partial autocorrelations κ_1 … κ_p, each in (−1, 1), from which the Levinson–Durbin
// recursion computes φ; on Fisher's scale, atanh κ, their errors are nearly normal with equal variance.
//
// Autocovariances are estimated from the residuals of least squares, corrected for the bias due to the
// regression (Worsley et al., NeuroImage 15 (2002) 1, appendix A), and the mean for white noise is subtracted
// from atanh κ. The order is the one with the smallest AICc (Hurvich and Tsai, Biometrika 76 (1989) 297),
// averaged over a voxel's neighbors; the gain in likelihood is measured relative to that for white noise
// (WhiteEstimates). atanh κ is then shrunk towards the mean of the neighbors to the degree that its own error
// explains the differences between them (empirical Bayes): uniform noise is estimated from the whole
// neighborhood, and a voxel that differs keeps its own estimate.

/// Largest order.
inline constexpr int kNoiseLags = 3;
using Partials = std::array<double, kNoiseLags>;

/// W for a stationary process of variance 1: element t of Wx is Σ_j at[min(t, 3)][j] x_{t−j}. W'W is exactly
/// the inverse of the process' correlation matrix, including the first scans.
struct NoiseFilter {
  explicit NoiseFilter(const Partials& partials);
  std::array<std::array<double, kNoiseLags + 1>, kNoiseLags + 1> at{};

  /// Wx, restarting in each run.
  Eigen::VectorXd whitened(const Eigen::VectorXd& x, const std::vector<Run>& runs) const;
};

/// Q'W'WQ for any filter, from sums that do not depend on it.
class FilteredSquares {
 public:
  /// @param q     n × k
  /// @param runs  of more than 3 scans each
  FilteredSquares(const Eigen::MatrixXd& q, const std::vector<Run>& runs);
  Eigen::MatrixXd operator()(const NoiseFilter& filter) const;

 private:
  using Lags = std::array<Eigen::MatrixXd, kNoiseLags + 1>;
  std::vector<Eigen::MatrixXd> first_;  // the first three rows of Q in each run
  std::array<Lags, kNoiseLags + 1>
      lagged_;  // [i][j], j ≤ i: Σ_t q_{t−i} q_{t−j}' + its transpose (i ≠ j), t ≥ 3 in its run
};

/// The 4 × 4 matrix that converts autocovariances 0 … 3 of the noise to the expected sums Σ_t r_t r_{t−l} of
/// the residuals r = (I − QQ')y within the runs, assuming zero at greater lags.
Eigen::Matrix4d residualLagSums(const Eigen::MatrixXd& q, const std::vector<Run>& runs);

/// Statistics of estimates for white noise: at each lag the mean and variance of z = atanh κ, and the mean of
/// 2 ln cosh(z − mean), the gain of twice the log likelihood. Without confounds they are nearly 0, 1/n and
/// 1/n; many slow confounds make them several times as large, and the means negative.
struct WhiteEstimates {
  Partials mean{}, variance{}, gain{};
};

/// From 1000 simulated series, always the same ones: κ is a ratio of sums with correlated errors, for which
/// no simple formula is accurate enough with few scans.
///
/// @param toCovariance  the inverse of residualLagSums()
WhiteEstimates whiteEstimates(const Eigen::MatrixXd& q, const std::vector<Run>& runs,
                              const Eigen::Matrix4d& toCovariance);

/// The noise of single series, from their own residuals only: of the order with the smallest AICc, or that of
/// `noise`.
///
/// @param residuals  of least squares on q, n × series
std::vector<Partials> memoryOfSeries(const Eigen::MatrixXd& residuals, const Eigen::MatrixXd& q,
                                     const std::vector<Run>& runs, Noise noise);

/// The noise of the M voxels of a result.
struct NoiseModel {
  std::vector<float> partial;  ///< κ, (3, M), voxels fastest; 0 beyond the order
  /// Means over the voxels: of atanh κ, and of the weight of the voxel's own estimate relative to its
  /// neighbors'.
  Partials typical{}, own{};
  Partials variance{};  ///< of atanh κ for white noise, see WhiteEstimates
  std::array<std::int64_t, kNoiseLags + 1> voxelsOfOrder{};
  /// H of confounds and regressors and its derivatives with respect to atanh κ_1, κ_2, κ_3 where atanh κ_1 is
  /// kFirstNode + i kNodeStep and the others are `typical`, (r + k) × (r + k).
  struct Node {
    Eigen::MatrixXd precision;
    std::array<Eigen::MatrixXd, kNoiseLags> slopes;
  };
  std::vector<Node> nodes;
  static constexpr double kFirstNode = -1, kNodeStep = 0.25;
  static constexpr int kNodes = 12;

  bool white() const { return partial.empty(); }
  Partials at(std::int64_t voxel) const {
    Partials p;
    for (int j = 0; j < kNoiseLags; ++j)
      p[j] = partial[partial.size() / kNoiseLags * std::size_t(j) + std::size_t(voxel)];
    return p;
  }
};

/// Degrees of freedom ν of the squared standard error of a contrast in each voxel (M) if the noise is
/// estimated: with f = n − k for the residual variance alone,
///   1/ν = 1/f + ½ Σ_j (∂ ln s.e.² / ∂ atanh κ_j)² var(atanh κ_j),
/// since ½ the variance of ln s.e.² is 1/ν (Worsley et al., NeuroImage 15 (2002) 1). The derivatives are
/// those at the voxel's κ_1 and the typical κ_2 and κ_3.
///
/// @param inGamma  L⁻¹c
std::vector<float> effectiveFreedom(const NoiseModel& noise, const Eigen::VectorXd& inGamma, double freedom);

/// What is left of the series of voxels by least squares.
struct Residuals {
  const std::vector<float>& lagSums;  ///< (4, M), voxels fastest: Σ_t r_t r_{t−l}, l = 0 … 3
  /// Orthonormal columns that span the confounds and then, with them, the regressors, n × (r + k).
  const Eigen::MatrixXd& q;
};

/// Estimates the noise of each voxel, group by group: voxels of other groups are not neighbors.
///
/// @param tissue  maps of tissue probability on the grid, by which neighbors are weighted according to their
///                share of the voxel's tissue; may be null
NoiseModel estimateNoise(const ActivationResult& result, const GibbsProblem& problem, Noise noise,
                         const Residuals& residuals, const Series<float>* tissue, const Progress& progress);

}  // namespace sulcus::activation
