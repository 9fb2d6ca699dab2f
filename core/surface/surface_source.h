#pragma once

#include "core/image/layer.h"
#include "core/surface/surface.h"

#include <string>

// The layer that says which surface is denoised.
namespace sulcus::surface {

struct SurfaceSource {
  enum class Kind { mask, image, mesh, phi };
  Kind kind = Kind::mask;
  LayerPtr layer;
};

/// Throws Error for what has no surface: a layer of another kind or of several volumes, a mask that is empty
/// or full, a label that is not there (naming those that are), a threshold outside the image's range, a level
/// set with values that are not sound (value_check.h).
void requireSurface(const SurfaceSource& source, const SurfaceOptions& options);
/// requireSurface() for a mask alone.
///
/// @param label  0: all that is not 0
void requireMask(const Layer& layer, Label label);

/// The level set of a layer, mm. Throws Error unless all its values are sound.
///
/// @param use  what it was to be used as, e.g. "truth": for the message
Volume<float> soundLevelSet(const Layer& layer, const std::string& use);

/// The grid that the surface is worked on: that of the layer, or around a mesh with a margin for the band.
Grid gridFor(const SurfaceSource& source, const SurfaceOptions& options);

/// A level set whose zero is the surface, negative inside, but no distance: quickly made. Not of a mesh.
/// Values of an image that are not sound lie outside. Throws Error as requireSurface() does.
Volume<float> plainLevelSet(const SurfaceSource& source, const SurfaceOptions& options);

/// What is said of the voxels of an image without a value, "" where all have one.
std::string withoutValue(const SurfaceSource& source);

}  // namespace sulcus::surface
