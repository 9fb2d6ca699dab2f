#pragma once

#include "core/image/layer.h"
#include "ui/model/views/view_state.h"

#include <vector>

namespace sulcus::ui::model {

/// The layout of a lightbox: slices of one plane in rows and columns.
struct LightboxLook {
  static constexpr int kMost = 12;  ///< columns or rows
  Plane plane = Plane::axial;
  int columns = 6, rows = 4;

  friend bool operator==(const LightboxLook&, const LightboxLook&) = default;
};

/// The first and last slice of a layer, counted along the voxel axis closest to the normal of the plane, with
/// visible content: for an image, more than a few voxels in the upper four fifths of the automatic range; for
/// labels, any. All slices for other layers, and for an image without such a slice.
struct SliceRange {
  int first = 0, last = 0;
  friend bool operator==(const SliceRange&, const SliceRange&) = default;
};
SliceRange slicesWithContent(const Layer& layer, Plane plane);

/// The positions of a lightbox's slices along the normal of the plane, mm, ascending: at most this many, each
/// in the middle of a slice of the layer, evenly over `range`, shifted by `shift` slices. Empty for layers
/// without a grid.
std::vector<double> lightboxPlaces(const Layer& layer, Plane plane, SliceRange range, int most,
                                   int shift = 0);

/// The columns and rows for which this number of slices is shown largest in a view of this size; those of the
/// look if the slices fill them.
LightboxLook fitted(LightboxLook look, int slices, int width, int height);

}  // namespace sulcus::ui::model
