#pragma once

#include "core/image/volume.h"
#include "core/io/export/png.h"

#include <functional>

namespace sulcus::bench {

/// The surface φ = 0 from in front, from the right and from above, lit, without perspective.
///
/// @param phi      mm, negative inside
/// @param valueAt  what colors the surface at a position in voxels, 0…1 from white to red; empty: all white
/// @param pixels   width and height
io::Picture pictureOfSurface(const Volume<float>& phi, int pixels,
                             const std::function<double(const Vec3<double>&)>& valueAt = {});

/// A slice across the middle of the first axis, in gray between 0 and `largest`; front at the left, head at
/// the top of RAS+ grids.
io::Picture sagittalSlice(const Volume<float>& volume, double largest);

/// The same at three pixels a voxel, with a line from every eighth voxel to where it is displaced within the
/// slice.
///
/// @param displacement  3 volumes on the grid of `volume`, mm along its axes
io::Picture sagittalSliceWithField(const Volume<float>& volume, double largest,
                                   const Series<float>& displacement);

}  // namespace sulcus::bench
