#pragma once

#include "core/surface/mesh_measures.h"
#include "core/surface/surface.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sulcus {

/// Distance in mm from each point to the nearest point of a mesh's triangles.
using DistancesTo = std::vector<double>(const Mesh& mesh, const std::vector<Vec3<float>>& points,
                                        const Progress& progress);

/// How far two surfaces are apart, mm: over the points of both, each to the other surface.
struct SurfaceDistance {
  double mean = 0, percentile95 = 0;
  double hausdorff = 0;  ///< the largest
};
/// Distances of the points of each surface to the other.
std::vector<double> distancesBothWays(const Mesh& a, const Mesh& b,
                                      const std::function<DistancesTo>& distancesTo,
                                      const Progress& progress);
SurfaceDistance surfaceDistance(const Mesh& a, const Mesh& b, const std::function<DistancesTo>& distancesTo,
                                const Progress& progress);

/// The true surface, and how far the other two are from it.
struct SurfaceTruth {
  std::shared_ptr<const Mesh> surface;
  MeshMeasures measures;
  SurfaceDistance input, denoised;
};

/// A denoised surface, what it was made of and what is told of it.
struct DenoisedSurface {
  std::shared_ptr<const Volume<float>> phi;  ///< of the input, mm
  std::shared_ptr<const Mesh> input, surface;
  SurfaceResult result;
  MeshMeasures inputMeasures, measures;
  SurfaceDistance moved;              ///< from the one to the other
  std::optional<SurfaceTruth> truth;  ///< where there is one
};

/// The figures of a result as a JSON object. Lengths are mm, areas mm², volumes mm³; a scale that is
/// infinite (off) is null.
std::string surfaceJson(const DenoisedSurface& denoised);

/// What came out, in sentences.
std::vector<std::string> surfaceSummary(const DenoisedSurface& denoised);

}  // namespace sulcus
