#pragma once

#include "core/activation/activation.h"
#include "core/analysis/chart.h"

#include <string>

namespace sulcus::activation {

// Structure in the residuals of a voxel before and after whitening. Charts are empty if there is no voxel.

/// Autocorrelation at lags from 1 scan on, with 95 % limits for white noise.
///
/// @param voxel  0 … M − 1, or -1
Chart residualAutocorrelation(const ActivationResult& result, std::int64_t voxel, std::string title);

/// Power at frequencies up to half a cycle per scan, over its mean, averaged over neighboring frequencies: 1
/// everywhere for white noise.
Chart residualSpectrum(const ActivationResult& result, std::int64_t voxel, std::string title);

}  // namespace sulcus::activation
