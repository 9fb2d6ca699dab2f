#pragma once

#include "core/activation/activation.h"
#include "core/analysis/chart.h"

#include <string>

namespace sulcus::activation {

// What the residuals of a voxel have left, before and after whitening. Empty charts where there is no voxel.

/// Autocorrelation at lags from 1 scan on, with the limits that 95 % of white noise stays within.
///
/// @param voxel  0 … M − 1, or -1
Chart residualAutocorrelation(const ActivationResult& result, std::int64_t voxel, std::string title);

/// Power at frequencies up to half a cycle per scan, over its mean, averaged over neighboring frequencies: 1
/// everywhere where the noise is white.
Chart residualSpectrum(const ActivationResult& result, std::int64_t voxel, std::string title);

}  // namespace sulcus::activation
