#pragma once

#include "core/activation/activation.h"
#include "core/image/layer.h"

#include <span>
#include <vector>

namespace sulcus::activation {

inline constexpr double kInterval = 0.9;         ///< probability within interval_…
inline constexpr double kHighestDensity = 0.95;  ///< share of the voxels within the interval of hpd_…

// The posterior of a contrast c'β from the moments kept by a run, for all voxels at once. Values of voxels
// are float32, M of them in the order of ActivationResult::voxels, in the unit of the response.
//
// Given the hyper-parameters and σ², β of a voxel is normal, and its mean depends on σ²: the posterior is
// skew. It is approximated by a mixture of three normals, at three values of σ² with the mean and the
// variance of its draws, with the hyper-parameters at their posterior means. The mixture is shifted and
// scaled to the mean c'm and the variance c'Cc of the run.
//
// Over all voxels of an fMRI slice (45 scans, k = 5) and eleven thresholds the error of P(c'β > γ | y) is at
// most 0.003, on average 0.0005; that of a normal or t distribution with the same moments is up to 0.008.
// With 20 scans it is still 0.003. With 10 scans, or with 8 voxels that determine their hyper-parameters
// poorly, it is up to 0.013; with 8 scans and k = 4 up to 0.04 (on average 0.002; a normal distribution
// 0.06).

/// Posterior mean c'm and s.d. √(c'Cc) of c'β, M each.
struct ContrastMoments {
  std::vector<float> mean, sd;
};
/// @param weights  c, k numbers, here and below
ContrastMoments contrastMoments(const ActivationResult& result, std::span<const double> weights,
                                const Progress& progress = {});

/// Computes the shapes of several contrasts at once, which takes little longer than for a single one, and
/// keeps them with the result; otherwise the functions below compute the shape of their contrast themselves.
void shapeContrasts(const ActivationResult& result, std::vector<std::vector<double>> contrasts,
                    const Progress& progress = {});

/// P(c'β > γ | y) in each voxel (M), with the error above. For a preview, whose hyper-parameters are not
/// known yet, the posterior is assumed to be normal.
std::vector<float> exceedance(const ActivationResult& result, std::span<const double> weights, double gamma,
                              const Progress& progress = {});

/// The ends of central credible intervals, M each.
struct CredibleInterval {
  std::vector<float> low, high;
};
/// @param share  probability between the ends, in (0, 1)
CredibleInterval credibleInterval(const ActivationResult& result, std::span<const double> weights,
                                  double share, const Progress& progress = {});
/// exceedance() and credibleInterval() for one voxel.
/// @param voxel  0 … M − 1
float exceedanceAt(const ActivationResult& result, std::span<const double> weights, double gamma,
                   std::int64_t voxel);
Range credibleIntervalAt(const ActivationResult& result, std::span<const double> weights, double share,
                         std::int64_t voxel);

/// The shortest interval that contains this share of the values (highest-density interval).
/// @param values  not empty, all finite
Range highestDensity(std::span<const float> values, double share);

/// The threshold of a false discovery rate q: the smallest t such that the mean of 1 − P over the voxels with
/// P ≥ t is at most q. Above 1 if there is none. The rate is controlled if P is that of a model in which
/// effects may be zero (mixture_fdr.h).
/// @param exceedance  P of each voxel; NaN is ignored
double fdrThreshold(std::span<const float> exceedance, double q);

}  // namespace sulcus::activation
