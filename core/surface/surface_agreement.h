#pragma once

#include "core/analysis/analysis.h"
#include "core/surface/surface_report.h"

#include <functional>
#include <vector>

namespace sulcus {

/// Level sets agree within this, voxels.
inline constexpr double kPhiTolerance = 1e-3;
/// What a denoised surface may be off the true one in 95 % of the points, voxels; and its volume, percent.
inline constexpr double kTruthTolerance = 1, kVolumeTolerance = 2.5;

/// A result as it is shown: where it was changed afterwards, not what the run ended with.
struct ShownSurface {
  const DenoisedSurface& run;
  const Series<float>& phi;  ///< mm
  const Mesh& mesh;          ///< φ = 0
};

/// Two results on one grid held against each other. Rows: φ in the voxels of either band, in voxels; the
/// share of voxels with the same neighbours in the same order; the distance of the surfaces, both ways, in
/// mm. The difference is φ of b − φ of a, mm.
///
/// @throws Error when the grids differ; Cancelled
Comparison compareSurfaces(const ShownSurface& a, const ShownSurface& b,
                           const std::function<DistancesTo>& distancesTo, const Progress& progress = {});

/// How far a result that has a truth and what it was made of are off the true surface, both ways, mm; its
/// volume, percent; its components, cavities and handles.
std::vector<AgreementRow> compareSurfaceWithTruth(const ShownSurface& shown,
                                                  const std::function<DistancesTo>& distancesTo,
                                                  const Progress& progress = {});

}  // namespace sulcus
