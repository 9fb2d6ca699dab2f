#pragma once

#include "core/base/message.h"
#include "core/image/layer.h"
#include "core/surface/surface.h"

#include <string>

// The layer that defines the surface to be denoised.
namespace sulcus::surface {

struct SurfaceSource {
  enum class Kind { mask, image, mesh, phi };
  Kind kind = Kind::mask;
  LayerPtr layer;
};

/// Throws Error for input without a surface: a layer of another kind or of several volumes, a mask that is
/// empty or full, a label that does not occur (naming those that do), a threshold outside the image's range,
/// a level set with values that are not sound (value_check.h).
void requireSurface(const SurfaceSource& source, const SurfaceOptions& options);
/// requireSurface() for a mask alone.
///
/// @param label  0: all nonzero voxels
void requireMask(const Layer& layer, Label label);

/// The level set of a layer, mm. Throws Error unless all its values are sound.
///
/// @param use  what it is to be used as, e.g. "truth": for the message
Volume<float> soundLevelSet(const Layer& layer, const Message& use);

/// The grid for the computation: that of the layer, or around a mesh with a margin for the band.
Grid gridFor(const SurfaceSource& source, const SurfaceOptions& options);

/// A level set whose zero is the surface, negative inside, but not a distance; fast. Not for meshes. Values
/// of an image that are not sound count as outside. Throws Error as requireSurface() does.
Volume<float> plainLevelSet(const SurfaceSource& source, const SurfaceOptions& options);

/// A sentence on the voxels of an image without a value, "" if all have one.
std::string withoutValue(const SurfaceSource& source);

}  // namespace sulcus::surface
