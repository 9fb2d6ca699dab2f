#pragma once

#include "core/image/layer.h"
#include "ui/scene/slices/plane_raster.h"
#include "ui/scene/styles.h"

#include <cstdint>
#include <limits>
#include <vector>

namespace sulcus::ui::scene {

inline constexpr std::int64_t kRowsPerBlock = 16;  ///< rows of the raster that one thread computes at a time
inline constexpr float kNoValue = std::numeric_limits<float>::quiet_NaN();  ///< outside the layer

/// The values of a layer at the pixels of a raster, row by row.
struct PlaneValues {
  std::vector<float> values;        ///< NaN outside the layer; 0 in a color image
  std::vector<Label> labels;        ///< for labels, which float cannot represent exactly; 0 outside the layer
  std::vector<unsigned char> rgba;  ///< for a color image; empty for others
};

/// Samples an image, labels, or the length of a displacement, on all threads. `volume`: of a series;
/// `between`: values are interpolated between the voxels of an image.
void fillPlane(const Layer& layer, int volume, bool between, const FieldStyle& style,
               const PlaneRaster& raster, PlaneValues& plane);

/// The label at pixel (i, j), which may be outside the raster; 0 outside the image.
Label labelAt(const Volume<Label>& labels, const PlaneRaster& raster, int i, int j);

}  // namespace sulcus::ui::scene
