#pragma once

#include "core/image/layer.h"
#include "core/surface/surface.h"

#include <memory>
#include <string>
#include <vector>

namespace sulcus::surface {

/// The name of the scalars that a denoised surface is colored by.
inline constexpr const char* kDisplacementScalars = "displacement";

/// A surface in one color.
Layer plainSurfaceLayer(std::string name, std::shared_ptr<const Mesh> mesh);

/// The layers of a result, the main one first:
///   surface  the mesh with the `displacement` of its points, which is the signed distance to the input
///            surface in mm, positive outside
///   phi      the level set in mm, negative inside; hidden
///   mask     the voxels where φ < 0; hidden
///   energy   a row for each iteration up to the one shown; hidden
///
/// @param mesh      the surface φ = 0
/// @param inputPhi  signed distance of the surface before denoising, mm
std::vector<Layer> surfaceLayers(Mesh mesh, Volume<float> phi, const Volume<float>& inputPhi,
                                 const std::vector<SurfaceIteration>& iterations);

/// The layers `surface` and `phi` of a running analysis.
std::vector<Layer> surfacePreview(Mesh mesh, const Volume<float>& phi, const Volume<float>& inputPhi);

/// A row for each iteration.
TableLayer surfaceEnergyTable(const std::vector<SurfaceIteration>& iterations);

}  // namespace sulcus::surface
