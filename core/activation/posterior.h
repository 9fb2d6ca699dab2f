#pragma once

#include "core/activation/activation.h"
#include "core/image/layer.h"

#include <span>
#include <vector>

namespace sulcus {

// Posterior of c'β from the moments that a run keeps, for every voxel at once.
//
// Given the hyper-parameters, β of a voxel is normal where σ² is known, and its mean moves with σ²: the
// posterior is skew. It is taken as a mixture of three normals, at three values of σ² with the mean and the
// variance of its draws, the hyper-parameters at their posterior means; the whole moved and scaled to the
// mean c'm and the variance c'Cc of the run. Over all voxels of an fMRI
// slice (45 scans, k = 5) and eleven thresholds this is within 0.003 of P(c'β > γ | y), 0.0005 on average; a
// normal or t distribution of the same moments is off by up to 0.008. With 20 scans still 0.003; with 10
// scans, or 8 voxels that share hyper-parameters hardly known, up to 0.013; with 8 scans and k = 4 up to 0.04
// (0.002 on average; a normal distribution 0.06).

/// Mean c'm and s.d. √(c'Cc) of c'β, float32, M each.
struct ContrastMoments {
  std::vector<float> mean, sd;
};
/// @param weights  c, k
ContrastMoments contrastMoments(const ActivationResult& result, std::span<const double> weights,
                                const Progress& progress = {});

/// P(c'β > γ | y) in each voxel worked on. Within the error above; of a preview, whose hyper-parameters are
/// not known yet, from a normal distribution.
std::vector<float> exceedance(const ActivationResult& result, std::span<const double> weights, double gamma,
                              const Progress& progress = {});

/// Central credible intervals: their ends, M each.
struct CredibleInterval {
  std::vector<float> low, high;
};
/// @param share  of the posterior between the ends, in (0, 1)
CredibleInterval credibleInterval(const ActivationResult& result, std::span<const double> weights,
                                  double share, const Progress& progress = {});
/// The same for one voxel.
/// @param voxel  0…M − 1
float exceedanceAt(const ActivationResult& result, std::span<const double> weights, double gamma,
                   std::int64_t voxel);
Range credibleIntervalAt(const ActivationResult& result, std::span<const double> weights, double share,
                         std::int64_t voxel);

/// The shortest interval that holds this share of the values (highest density).
/// @param values  not empty, finite
Range highestDensity(std::span<const float> values, double share);

/// Bayesian false discovery rate: the smallest t such that the voxels with P ≥ t have a mean 1 − P of at most
/// q; above 1 when there is none.
double fdrThreshold(std::span<const float> exceedance, double q);

}  // namespace sulcus
