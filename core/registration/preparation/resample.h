#pragma once

#include "core/base/progress.h"
#include "core/image/grids/interpolation.h"
#include "core/image/volume.h"

#include <optional>

namespace sulcus::registration {

using sulcus::Interpolation;

/// One volume and its place in the world.
struct PlacedVolume {
  const Grid& grid;
  VolumeView<const float> values;

  PlacedVolume(const Grid& g, VolumeView<const float> v) : grid(g), values(v) {}
  PlacedVolume(const Volume<float>& image) : grid(image.grid), values(image.view()) {}
  /// The first volume.
  PlacedVolume(const Series<float>& image) : grid(image.grid), values(image.volume(0)) {}
};

/// How an image is read between its voxels, and outside of it.
struct Sampling {
  Interpolation interpolation;
  /// The value of points outside of the image, see isInImage(); nullopt: that of the nearest point inside.
  std::optional<float> outside = {};
};

/// The image at the point imageFromGrid(x) for each voxel x of `grid`.
///
/// @param imageFromGrid  maps points of the world to points of the world, mm
/// @param covered        receives 1 where the point lies in the image; may be null
Volume<float> resampled(const PlacedVolume& image, const Grid& grid, const Affine& imageFromGrid,
                        Sampling sampling, Mask* covered, const Progress& progress);

/// Throws Error unless the displacement has three volumes of sound values (value_check.h).
void requireField(const Series<float>& displacement);

/// Each volume of the image at x + displacement(x), for each voxel x of the displacement's grid.
///
/// @param displacement  3 volumes, mm, RAS+
/// @param outside       the value of points outside the image
/// @throws Error        where requireField() does
Series<float> displaced(const Series<float>& image, const Series<float>& displacement,
                        Interpolation interpolation, float outside, const Progress& progress);

}  // namespace sulcus::registration
