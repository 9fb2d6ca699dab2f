#pragma once

#include "core/activation/activation.h"

#include <array>
#include <memory>
#include <span>
#include <vector>

namespace sulcus::activation {

/// Values of σ² at which the posterior of a voxel is evaluated, and their weights.
inline constexpr int kSigma2Nodes = 3;
inline constexpr std::array<float, kSigma2Nodes> kSigma2Weights{1 / 6.0f, 2 / 3.0f, 1 / 6.0f};

/// The components of the normal mixture that approximates the posterior of a contrast c'β, (kSigma2Nodes, M):
/// their means relative to that of c'β, and their s.d., both in units of the s.d. of c'β (posterior.h).
struct MixtureShape {
  std::vector<float> center, width;
};

/// The shapes of several contrasts at once, which takes little longer than for a single one.
///
/// @param result     with GroupPosteriors, so not a preview
/// @param contrasts  not empty, k weights each
std::vector<std::shared_ptr<const MixtureShape>> mixtureShapes(const ActivationResult& result,
                                                               std::span<const std::vector<double>> contrasts,
                                                               const Progress& progress);
/// The shape for one voxel, 0 … M − 1.
MixtureShape mixtureShapeAt(const ActivationResult& result, std::span<const double> weights,
                            std::int64_t voxel);

}  // namespace sulcus::activation
