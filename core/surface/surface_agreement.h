#pragma once

#include "core/analysis/analysis.h"
#include "core/surface/surface_report.h"

#include <vector>

namespace sulcus::surface {

/// The largest difference between two level sets that agree, voxels.
inline constexpr double kPhiTolerance = 1e-3;
/// The largest distance between a denoised and the true surface in 95 % of the points, voxels.
inline constexpr double kTruthTolerance = 1;
/// The largest difference between the volumes of a denoised and the true surface, percent.
inline constexpr double kVolumeTolerance = 2.5;

/// A result as displayed. It differs from the end of the run if adjustable options were changed.
struct ShownSurface {
  const DenoisedSurface& run;
  const Series<float>& phi;  ///< mm
  const Mesh& mesh;          ///< the surface φ = 0
};

/// Compares two results on one grid. The rows are the difference of φ in the voxels of either band, in
/// voxels, the share of voxels with the same neighbors in the same order, and the distance between the
/// surfaces in mm. The difference layer is φ of b − φ of a, mm.
///
/// @throws Error      if the grids differ
/// @throws Cancelled  if the progress is cancelled
Comparison compareSurfaces(const ShownSurface& a, const ShownSurface& b, const Progress& progress = {});

/// Compares a result of a run with a truth with the true surface. The rows are the distances in mm of the
/// denoised and of the input surface from the true one, the difference of the volumes in percent, and whether
/// components, cavities and handles are correct.
std::vector<AgreementRow> compareSurfaceWithTruth(const ShownSurface& shown, const Progress& progress = {});

}  // namespace sulcus::surface
