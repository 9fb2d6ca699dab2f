#pragma once

#include "core/surface/neighbours.h"
#include "core/surface/surface.h"

namespace sulcus {

/// Weights between the elements of a band, by rows.
struct PatchGraph {
  std::vector<std::int64_t> first;  ///< row e is [first[e], first[e + 1])
  std::vector<std::int32_t> index;  ///< ascending in each row; never e itself
  std::vector<float> weight;        ///< 0…1
  double step = 0;                  ///< dt = 1 / (largest sum of a row)
};

/// 1 × the median over the band of the D of the last neighbour; of those above 0 where the median is 0.
/// Infinity when all patches are alike.
double automaticPatchScale(const PatchNeighbours& neighbours);

/// w(x, y) = exp(−|x − y|²/c₁) exp(−D/c₂), mm².
///
/// @param c1, c2  may be infinite
/// paper: of the neighbours of each element. symmetric: W = max(W, Wᵀ), so that what one gains another loses.
PatchGraph graphOf(const Band& band, const PatchNeighbours& neighbours, PatchWeights weights, double c1,
                   double c2, const Progress& progress);

/// One heat step: φ(x) + dt Σ w(x, y) (φ(y) − φ(x)), between the smallest and the largest of `phi`.
std::vector<float> heatStep(const PatchGraph& graph, const std::vector<float>& phi, const Progress& progress);

/// ½ Σ w(x, y) (φ(y) − φ(x))² over all rows, mm²: what symmetric steps lower.
double heatEnergy(const PatchGraph& graph, const std::vector<float>& phi, const Progress& progress);

/// φ after a heat step and the energy before it.
struct HeatStep {
  std::vector<float> phi;
  double energy = 0;
};
using Heat = std::function<HeatStep(const std::vector<float>& phi)>;
/// Heat over the neighbours of a search, by their weights of c1, c2.
using MakeHeat = std::function<Heat(double c1, double c2, const Progress&)>;

/// flowOver() with other heat steps.
SurfaceFlow flowBy(const MakeHeat& makeHeat, const SurfaceSearch& search, const SurfaceInput& input,
                   const SurfaceOptions& options, const Progress& progress);

}  // namespace sulcus
