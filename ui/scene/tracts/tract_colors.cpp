#include "ui/scene/tracts/tract_colors.h"

#include "core/image/grids/interpolate.h"
#include "core/image/volume.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sulcus::ui::scene {
namespace {

constexpr Rgb kUngrouped{120, 120, 120};
constexpr Rgba kNoValueOfLines{110, 110, 110, 255};

void put(unsigned char* rgba, const Rgb& color) { std::copy_n(color.begin(), 3, rgba), rgba[3] = 255; }

/// The series whose values color the lines, where the layer has one.
std::shared_ptr<const Series<float>> imageOf(const SceneLayer& layer) {
  if (!layer.opacityImage) return nullptr;
  const auto* volume = std::get_if<VolumeLayer>(&layer.opacityImage->layer->content);
  return volume ? volume->series : nullptr;
}

}  // namespace

TractPainter::TractPainter(const SceneLayer& layer, const LayerColors& colors)
    : tracts_(*std::get<TractsLayer>(layer.layer->content).tracts),
      colors_(colors),
      coloring_(shownColoring(*layer.layer, layer.volume)),
      plain_(layer.color),
      image_(imageOf(layer)),
      imageVolume_(layer.opacityImage ? layer.opacityImage->volume : 0) {
  if (coloring_->by != TractColoring::By::group) return;
  groupOf_.resize(tracts_.lines());
  for (std::size_t g = 0; g < tracts_.groups.size(); ++g)
    for (const std::uint32_t line : tracts_.groups[g].lines) groupOf_[line] = std::uint8_t(g % 254 + 1);
}

void TractPainter::paint(std::uint32_t line, std::uint64_t begin, std::uint64_t end, int part,
                         unsigned char* rgba) const {
  using By = TractColoring::By;
  const auto fill = [&](const Rgb& color) {
    for (std::uint64_t i = begin; i < end; ++i, rgba += 4) put(rgba, color);
  };
  const auto lookUp = [&](float value) {
    colors_.paint(&value, rgba, 1);
    if (!std::isfinite(value)) std::copy(kNoValueOfLines.begin(), kNoValueOfLines.end(), rgba);
    rgba += 4;
  };
  if (part >= 0 && coloring_->by == By::group) return fill(surfaceColor(part));
  if (image_) {
    const Affine voxelFromWorld = image_->grid.worldFromVoxel.inverse();
    const auto view = image_->volume(std::clamp(imageVolume_, 0, image_->count - 1));
    for (std::uint64_t i = begin; i < end; ++i) {
      const auto& p = tracts_.points[i];
      const Vec3<double> v = voxelFromWorld.point({p.x, p.y, p.z});
      const bool in = isInImage(image_->grid.size, v);
      lookUp(in ? float(interpolated<double>(view.data, cellAt(image_->grid.size, v.x, v.y, v.z)))
                : std::numeric_limits<float>::quiet_NaN());
    }
    return;
  }
  switch (coloring_->by) {
    case By::plain:
      return fill(surfaceColor(plain_));
    case By::group:
      return fill(groupOf_[line] ? surfaceColor(groupOf_[line] - 1) : kUngrouped);
    case By::line: {
      const auto n = std::size_t(coloring_->data->components);
      std::array<unsigned char, 4> color;
      const float value = coloring_->data->values[n * line];
      colors_.paint(&value, color.data(), 1);
      if (!std::isfinite(value)) color = kNoValueOfLines;
      for (std::uint64_t i = begin; i < end; ++i, rgba += 4) std::copy(color.begin(), color.end(), rgba);
      return;
    }
    case By::point: {
      const auto n = std::size_t(coloring_->data->components);
      for (std::uint64_t i = begin; i < end; ++i) lookUp(coloring_->data->values[n * i]);
      return;
    }
    case By::direction:
      break;
  }
  // The way from the point before to the one behind, as red, green and blue of left, front and top.
  const std::uint64_t first = tracts_.first[line], last = tracts_.first[line + 1] - 1;
  for (std::uint64_t i = begin; i < end; ++i, rgba += 4) {
    const Vec3<float> way = tracts_.points[std::min(i + 1, last)] - tracts_.points[i > first ? i - 1 : first];
    const float length = norm(way);
    for (int axis = 0; axis < 3; ++axis)
      rgba[axis] =
          length > 0 ? std::uint8_t(std::lround(255 * std::abs(way[axis]) / length)) : std::uint8_t(120);
    rgba[3] = 255;
  }
}

}  // namespace sulcus::ui::scene
