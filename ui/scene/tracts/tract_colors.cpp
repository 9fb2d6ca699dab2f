#include "ui/scene/tracts/tract_colors.h"

#include "core/image/grids/interpolate.h"
#include "core/image/volume.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sulcus::ui::scene {
namespace {

constexpr Rgba kUngrouped{120, 120, 120, 255};
constexpr Rgba kNoDirectionOfLine{120, 120, 120, 255};
constexpr Rgba kNoValueOfLines{110, 110, 110, 255};

void put(unsigned char* rgba, const Rgba& color) { std::copy(color.begin(), color.end(), rgba); }

Rgba opaque(const Rgb& color) { return {color[0], color[1], color[2], 255}; }

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

Rgba TractPainter::colorOf(float value) const {
  if (!std::isfinite(value)) return kNoValueOfLines;
  Rgba color;
  colors_.paint(&value, color.data(), 1);
  return color;
}

void TractPainter::paintByImage(std::uint64_t begin, std::uint64_t end, unsigned char* rgba) const {
  const Grid& grid = image_->grid;
  const Affine voxelFromWorld = grid.worldFromVoxel.inverse();
  const auto view = image_->volume(std::clamp(imageVolume_, 0, image_->count - 1));
  for (std::uint64_t i = begin; i < end; ++i, rgba += 4) {
    const auto& p = tracts_.points[i];
    const Vec3<double> v = voxelFromWorld.point({p.x, p.y, p.z});
    float value = std::numeric_limits<float>::quiet_NaN();
    if (isInImage(grid.size, v))
      value = float(interpolated<double>(view.data, cellAt(grid.size, v.x, v.y, v.z)));
    put(rgba, colorOf(value));
  }
}

void TractPainter::paintByDirection(std::uint32_t line, std::uint64_t begin, std::uint64_t end,
                                    unsigned char* rgba) const {
  const std::uint64_t first = tracts_.first[line], last = tracts_.first[line + 1] - 1;
  for (std::uint64_t i = begin; i < end; ++i, rgba += 4) {
    const Vec3<float> way = tracts_.points[std::min(i + 1, last)] - tracts_.points[i > first ? i - 1 : first];
    const float length = norm(way);
    Rgba color = kNoDirectionOfLine;
    for (int axis = 0; axis < 3 && length > 0; ++axis)
      color[std::size_t(axis)] = std::uint8_t(std::lround(255 * std::abs(way[axis]) / length));
    put(rgba, color);
  }
}

void TractPainter::paint(std::uint32_t line, std::uint64_t begin, std::uint64_t end, int part,
                         unsigned char* rgba) const {
  using By = TractColoring::By;
  const auto fill = [&](const Rgba& color) {
    for (std::uint64_t i = begin; i < end; ++i, rgba += 4) put(rgba, color);
  };
  if (part >= 0 && coloring_->by == By::group) return fill(opaque(surfaceColor(part)));
  if (image_) return paintByImage(begin, end, rgba);
  const TractColoring& by = *coloring_;
  switch (coloring_->by) {
    case By::plain:
      return fill(opaque(surfaceColor(plain_)));
    case By::group:
      return fill(groupOf_[line] ? opaque(surfaceColor(groupOf_[line] - 1)) : kUngrouped);
    case By::line:
      return fill(colorOf(by.data->values[std::size_t(by.data->components) * line]));
    case By::point:
      for (std::uint64_t i = begin; i < end; ++i, rgba += 4)
        put(rgba, colorOf(by.data->values[std::size_t(by.data->components) * i]));
      return;
    case By::direction:
      return paintByDirection(line, begin, end, rgba);
  }
}

}  // namespace sulcus::ui::scene
