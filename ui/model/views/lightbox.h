#pragma once

#include "core/image/layer.h"
#include "ui/model/views/view_state.h"

#include <vector>

namespace sulcus::ui::model {

/// What a lightbox shows: slices of one plane, so many beside and below each other.
struct LightboxLook {
  static constexpr int kMost = 12;  ///< columns or rows
  Plane plane = Plane::axial;
  int columns = 6, rows = 4;

  friend bool operator==(const LightboxLook&, const LightboxLook&) = default;
};

/// The first and the last slice of a layer, counted along the voxel axis that lies most along the normal of
/// the plane, in which there is something to see: of an image more than the odd voxel in the upper four
/// fifths of the automatic range, of labels any. All slices of other layers, and of an image without such a
/// one.
struct SliceRange {
  int first = 0, last = 0;
  friend bool operator==(const SliceRange&, const SliceRange&) = default;
};
SliceRange slicesWithContent(const Layer& layer, Plane plane);

/// Where the slices of a lightbox lie along the normal of the plane, mm, ascending: at most so many, each in
/// the middle of a slice of the layer, evenly over `range`, moved by `shift` slices. Empty for layers without
/// a grid.
std::vector<double> lightboxPlaces(const Layer& layer, Plane plane, SliceRange range, int most,
                                   int shift = 0);

/// The columns and rows in which so few slices are largest in a view of this size; those of the look where
/// they fill them.
LightboxLook fitted(LightboxLook look, int slices, int width, int height);

}  // namespace sulcus::ui::model
