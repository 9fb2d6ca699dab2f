#pragma once

#include "core/analysis/analysis.h"

#include <functional>
#include <memory>
#include <span>
#include <string>

namespace sulcus::bids {

/// The first volume of an input or a layer of a result, not copied, for report pictures.
struct ReportImage {
  std::shared_ptr<const Series<float>> series;  ///< null if there is none

  explicit operator bool() const { return series && series->count > 0 && series->grid.voxels() > 0; }
  const Grid& grid() const { return series->grid; }
  VolumeView<const float> volume() const { return series->volume(0); }
  std::span<const float> values() const {
    return std::span(series->values).first(std::size_t(grid().voxels()));
  }
  float operator[](std::int64_t voxel) const { return series->values[std::size_t(voxel)]; }
};

/// The image of a layer; none for a null pointer and for layers that hold no image.
ReportImage imageOf(const Layer* layer);
/// The image in an input slot.
ReportImage inputImage(const AnalysisInputs& inputs, const std::string& slot);

/// The value above which something is visible: a tenth of the brightest percentile.
float visibleLevel(const ReportImage& image);
/// Whether something is visible in a voxel.
std::function<bool(std::int64_t)> visibleIn(const ReportImage& image);

}  // namespace sulcus::bids
