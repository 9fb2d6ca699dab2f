#pragma once

#include "core/surface/neighbors.h"
#include "core/surface/surface.h"

namespace sulcus::surface {

/// The weights between the elements of a band as a sparse matrix, in compressed rows.
struct PatchGraph {
  std::vector<std::int64_t> first;  ///< row e has the entries first[e] … first[e + 1] − 1
  std::vector<std::int32_t>
      index;                  ///< the other element of each entry, ascending in a row and never e itself
  std::vector<float> weight;  ///< 0…1
  double step = 0;            ///< dt of the heat flow, see heatStepOver()
};

/// The automatic c₂, mm²: the median over the band of the D of each element's last neighbor. If that is 0, it
/// is the median of those above 0, and infinity if there are none.
double automaticPatchScale(const PatchNeighbors& neighbors);

/// The largest D that noise explains, mm². In similar patches, noise differs at the center as much as
/// anywhere else, while two places of a clean shape agree at the center and differ at the rim. Hence it is
/// the number of values of a patch times the mean square of φ(x) − φ(y), y being the first neighbor of x,
/// over the elements within a voxel of the surface, times a margin for neighbors further down the list.
///
/// @param gray  φ was made from a gray image: the centers of its patches vary smoothly, and the first
///              neighbor appears closer
double noisePatchScale(const Band& band, const PatchNeighbors& neighbors, bool gray);

/// The graph of the weights w(x, y) = exp(−|x − y|²/c₁) exp(−D/c₂). With PatchWeights::paper a row has the
/// neighbors of its element; with symmetric the matrix is W = max(W, Wᵀ), so that what one element gains
/// another loses.
///
/// @param c1, c2  mm², may be infinite
PatchGraph graphOf(const Band& band, const PatchNeighbors& neighbors, PatchWeights weights, double c1,
                   double c2, const Progress& progress);

/// One heat step φ(x) + dt Σ w(x, y) (φ(y) − φ(x)), whose values stay between the smallest and the largest of
/// `phi`.
///
/// @param phi  one value per element, mm
std::vector<float> heatStep(const PatchGraph& graph, const std::vector<float>& phi, const Progress& progress);

/// The energy ½ Σ w(x, y) (φ(y) − φ(x))² over all rows, mm², which decreases in steps with symmetric weights.
///
/// @param phi  one value per element, mm
double heatEnergy(const PatchGraph& graph, const std::vector<float>& phi, const Progress& progress);

/// φ after a heat step, one value per element in mm, and the energy before it in mm².
struct HeatStep {
  std::vector<float> phi;
  double energy = 0;
};
/// A function that takes one heat step from φ.
using TakeHeatStep = std::function<HeatStep(const std::vector<float>& phi)>;
/// A function that computes the weights of a search's neighbors from c₁ and c₂ (mm²) and returns the heat
/// step over them.
using MakeHeatStep = std::function<TakeHeatStep(double c1, double c2, const Progress&)>;

/// Implements FlowOver with the given heat steps.
SurfaceFlow flowWith(const MakeHeatStep& makeHeatStep, const SurfaceSearch& search, const SurfaceInput& input,
                     const SurfaceOptions& options, const Progress& progress);

}  // namespace sulcus::surface
