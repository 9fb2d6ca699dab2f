#pragma once

#include "core/levelset/mesh_measures.h"
#include "core/surface/surface.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sulcus::surface {

/// The symmetric distance of two surfaces in mm, over the points of both.
struct SurfaceDistance {
  double mean = 0, percentile95 = 0;
  double hausdorff = 0;  ///< the largest distance
};

/// The distances in mm from the points of a to the surface b, then from the points of b to the surface a.
std::vector<double> symmetricDistances(const Mesh& a, const Mesh& b, const Progress& progress);

/// Mean, 95th percentile and largest of the symmetricDistances().
SurfaceDistance surfaceDistance(const Mesh& a, const Mesh& b, const Progress& progress);

/// The true surface, and the distances of the input and the denoised surface to it.
struct SurfaceTruth {
  std::shared_ptr<const Mesh> surface;
  levelset::MeshMeasures measures;
  SurfaceDistance input, denoised;
};

/// A denoised surface with its input and the measures of both.
struct DenoisedSurface {
  std::shared_ptr<const Volume<float>> phi;    ///< level set of the input, mm
  std::shared_ptr<const Mesh> input, surface;  ///< before and after denoising
  SurfaceResult result;
  levelset::MeshMeasures inputMeasures, measures;  ///< of the input and of the denoised surface
  SurfaceDistance moved;                           ///< between the two
  std::optional<SurfaceTruth> truth;               ///< only for a phantom
};

/// The figures of a result as a JSON object. Lengths are in mm, areas in mm², volumes in mm³; an infinite
/// scale, which means off, is null.
std::string surfaceJson(const DenoisedSurface& denoised);

/// Sentences about a result: the measures before and after, the distance moved and the iterations.
Notes surfaceSummary(const DenoisedSurface& denoised);

}  // namespace sulcus::surface
