#pragma once

#include "core/image/layer.h"
#include "core/surface/surface.h"

#include <memory>
#include <string>
#include <vector>

namespace sulcus {

/// The name of the scalars that a denoised surface is colored by.
inline constexpr const char* kDisplacement = "displacement";

/// A surface in one color.
Layer plainSurfaceLayer(std::string name, std::shared_ptr<const Mesh> mesh);

/// What denoising gives, the first being what a user came for:
///   surface  its points' `displacement`: the signed distance to the input surface in mm, positive outside
///   phi      the level set, mm, negative inside; hidden
///   mask     where phi < 0; hidden
///   energy   a row for each iteration up to the one shown; hidden
///
/// @param inputPhi  signed distance of the surface before denoising, mm
/// @param mesh      φ = 0
std::vector<Layer> surfaceLayers(Mesh mesh, Volume<float> phi, const Volume<float>& inputPhi,
                                 const std::vector<SurfaceIteration>& iterations);

/// The first two of them, while it runs.
std::vector<Layer> surfacePreview(Mesh mesh, const Volume<float>& phi, const Volume<float>& inputPhi);

/// A row for each iteration.
TableLayer energyTable(const std::vector<SurfaceIteration>& iterations);

}  // namespace sulcus
