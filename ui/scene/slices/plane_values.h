#pragma once

#include "core/image/layer.h"
#include "ui/scene/glyphs/field_style.h"
#include "ui/scene/slices/plane_raster.h"

#include <vector>

namespace sulcus::ui::scene {

/// What a layer holds at the pixels of a raster, row by row.
struct PlaneValues {
  std::vector<float> values;        ///< NaN outside of the layer; 0 in a color image
  std::vector<Label> labels;        ///< of labels, which float does not tell apart; 0 outside of the layer
  std::vector<unsigned char> rgba;  ///< of a color image; empty for others
};

/// Samples an image, labels, or a displacement by its length, on all threads. `volume`: of a series;
/// `between`: values are interpolated between the voxels of an image.
void fillPlane(const Layer& layer, int volume, bool between, const FieldStyle& style,
               const PlaneRaster& raster, PlaneValues& plane);

/// The label at pixel (i, j), which may lie beyond the raster; 0 outside of the image.
Label labelAt(const Volume<Label>& labels, const PlaneRaster& raster, int i, int j);

}  // namespace sulcus::ui::scene
