#pragma once

#include "core/image/volume.h"
#include "core/io/export/png.h"

#include <functional>

namespace sulcus::bench {

/// The surface φ = 0 seen from the front, the right and above, shaded, without perspective.
///
/// @param phi      mm, negative inside
/// @param valueAt  value for the color at a position in voxels, 0…1 from white to red; empty: all white
/// @param pixels   width and height
io::Picture pictureOfSurface(const Volume<float>& phi, int pixels,
                             const std::function<double(const Vec3<double>&)>& valueAt = {});

/// A slice through the middle of the first axis, in gray between 0 and `largest`; front at the left, superior
/// at the top for RAS+ grids.
io::Picture sagittalSlice(const Volume<float>& volume, double largest);

/// The slice at three pixels for each voxel, with a line from every eighth voxel along its displacement in
/// the slice.
///
/// @param displacement  3 volumes on the grid of `volume`, mm along its axes
io::Picture sagittalSliceWithField(const Volume<float>& volume, double largest,
                                   const Series<float>& displacement);

}  // namespace sulcus::bench
