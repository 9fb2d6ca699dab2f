#pragma once

#include "core/activation/activation.h"

namespace sulcus::gpu::activation {
using namespace sulcus::activation;

/// On the current CUDA device; throws Error (unavailable) if there is none or its memory does not suffice:
/// see gibbsDeviceBytes(). Chains and groups run in parallel; all draws are made on the device.
SampleGibbs sampleGibbs;
AnalyzeActivation analyzeActivation;

/// Device memory of sampleGibbs, bytes: with M voxels, k regressors, q covariates, C chains and G groups
/// 4 M (4 k + k(k+1)/2 + q + 4 + C (3 + 7 k + k(k+1)/2)) bytes for the voxels, 4 M k(k+1)/2 more if voxels
/// have their own precision, and G C (4 (k² + k + k q) for each draw + 8 (k² + k q) for each kept one).
double gibbsDeviceBytes(const GibbsProblem& problem, const GibbsOptions& options);

}  // namespace sulcus::gpu::activation
