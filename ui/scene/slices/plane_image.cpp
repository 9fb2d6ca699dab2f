#include "ui/scene/slices/plane_image.h"

#include "core/base/parallel/parallel_for.h"
#include "core/image/display/shown_values.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <utility>

#include <vtkImageData.h>

namespace sulcus::ui::scene {
namespace {

constexpr unsigned char kLine[] = {0, 0, 0, 255};

}  // namespace

bool isPlaneImage(const SceneLayer& layer, const FieldStyle& style) {
  return isField(layer) ? style.shape == FieldStyle::Shape::magnitude
                        : isVolume(layer) || std::holds_alternative<LabelsLayer>(layer.layer->content);
}

int mostPixels(const SceneLayer& layer) {
  return isVolume(layer) && layer.display.interpolate && !(layer.tile > 0) ? 300'000 : 1'200'000;
}

PlaneImage::PlaneImage()
    : image_(vtkSmartPointer<vtkImageData>::New()), colors_(vtkSmartPointer<LayerColors>::New()) {}

vtkImageData* PlaneImage::image() const { return image_; }

const unsigned char* PlaneImage::pixels() const {
  return static_cast<const unsigned char*>(image_->GetScalarPointer());
}

unsigned long PlaneImage::changed() const { return image_->GetMTime(); }

void PlaneImage::compute(const SceneLayer& shown) {
  fillPlane(*shown.layer, shown.volume, interpolate_, style_, raster_, plane_);
  if (const auto* labels = std::get_if<LabelsLayer>(&shown.layer->content); labels && outline_)
    keepBorders(*labels->labels);
  if (tile_ > 0 && isVolume(shown)) keepTiles(*gridOf(*shown.layer));
}

/// Computes the opacity that another image gives the pixels.
void PlaneImage::computeShares() {
  shares_.clear();
  if (!opacityImage_) return;
  PlaneValues other;
  const auto& [layer, volume, range] = *opacityImage_;
  fillPlane(*layer, volume, interpolate_, FieldStyle(), raster_, other);
  shares_ = std::move(other.values);
  const double width = range.high - range.low;
  for (float& share : shares_) {
    const double value = width > 0 ? (share - range.low) / width : share >= range.high;
    share = value > 0 ? float(std::min(value, 1.0)) : 0;  // NaN is transparent
  }
}

/// Keeps every second tile of a checkerboard. They are counted from the center of the image, so that they
/// stay with it when the view moves.
void PlaneImage::keepTiles(const Grid& grid) {
  const Vec3<double> middle = raster_.origin - grid.center();
  const auto tileOf = [&](double millimeters) { return int(std::floor(millimeters / tile_)); };
  const double stepRight = norm(raster_.right), stepUp = norm(raster_.up);
  const double firstRight = dot(middle, raster_.right) / stepRight,
               firstUp = dot(middle, raster_.up) / stepUp;
  for (int j = 0; j < raster_.height; ++j)
    for (int i = 0; i < raster_.width; ++i)
      if ((tileOf(firstRight + i * stepRight) + tileOf(firstUp + j * stepUp)) % 2)
        plane_.values[std::size_t(j) * std::size_t(raster_.width) + std::size_t(i)] = kNoValue;
}

/// Keeps, of each label, only the pixels within two of another label or the background, or within one if
/// pixels are as large as voxels.
void PlaneImage::keepBorders(const Volume<Label>& labels) {
  const Vec3<double> spacing = labels.grid.spacing();
  const bool isFine = norm(raster_.right) < 0.9 * std::min({spacing.x, spacing.y, spacing.z});
  constexpr std::pair<int, int> kAround[] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1},
                                             {-2, 0}, {2, 0}, {0, -2}, {0, 2}};
  const auto around = std::span(kAround).first(isFine ? 8 : 4);
  const std::vector<Label> all = plane_.labels;
  // Beyond the edge of the view, the image may continue.
  const auto at = [&](int i, int j) {
    return i < 0 || j < 0 || i >= raster_.width || j >= raster_.height
               ? labelAt(labels, raster_, i, j)
               : all[std::size_t(j) * std::size_t(raster_.width) + std::size_t(i)];
  };
  const auto isInside = [&](int i, int j) {
    const Label label = at(i, j);
    for (const auto& [right, up] : around)
      if (at(i + right, j + up) != label) return false;
    return true;
  };
  parallelForBlocks(raster_.height, kRowsPerBlock, Progress(), [&](std::int64_t begin, std::int64_t end) {
    for (int j = int(begin); j < int(end); ++j)
      for (int i = 0; i < raster_.width; ++i) {
        if (!isInside(i, j)) continue;
        const std::size_t pixel = std::size_t(j) * std::size_t(raster_.width) + std::size_t(i);
        plane_.values[pixel] = kNoValue;
        plane_.labels[pixel] = 0;
      }
  });
}

void PlaneImage::paint() {
  auto* pixels = static_cast<unsigned char*>(image_->GetScalarPointer());
  parallelForBlocks(std::int64_t(plane_.values.size()), kRowsPerBlock * std::max(1, raster_.width),
                    Progress(), [&](std::int64_t begin, std::int64_t end) {
                      if (!plane_.labels.empty())
                        return colors_->paint(plane_.labels.data() + begin, pixels + 4 * begin, end - begin);
                      if (plane_.rgba.empty())
                        return colors_->paint(plane_.values.data() + begin, pixels + 4 * begin, end - begin);
                      for (std::int64_t i = begin; i < end; ++i)
                        if (std::isnan(plane_.values[std::size_t(i)]))
                          std::fill_n(pixels + 4 * i, 4, 0);
                        else
                          std::copy_n(plane_.rgba.data() + 4 * i, 4, pixels + 4 * i);
                    });
  if (plane_.rgba.empty()) drawThresholds(pixels);
  for (std::size_t i = 0; i < shares_.size(); ++i)
    pixels[4 * i + 3] = static_cast<unsigned char>(std::lround(shares_[i] * float(pixels[4 * i + 3])));
  image_->Modified();
  painted_ = colors_->GetMTime();
  opaque_ = true;
  for (std::size_t i = 0; i < plane_.values.size() && opaque_; ++i) opaque_ = pixels[4 * i + 3] == 255;
}

/// Where hidden values fade, a black line outlines the shown ones.
void PlaneImage::drawThresholds(unsigned char* pixels) const {
  const Display& display = colors_->display();
  if (!display.fade || !(display.hideBelow || display.hideAbove)) return;
  const std::size_t width = std::size_t(raster_.width);
  std::vector<char> fades(plane_.values.size());
  parallelForBlocks(std::int64_t(plane_.values.size()), kRowsPerBlock * raster_.width, Progress(),
                    [&](std::int64_t begin, std::int64_t end) {
                      for (std::size_t i = std::size_t(begin); i < std::size_t(end); ++i)
                        fades[i] =
                            !std::isnan(plane_.values[i]) && isHidden(display, double(plane_.values[i]));
                    });
  for (std::size_t i = 0; i < fades.size(); ++i) {
    if (fades[i] || std::isnan(plane_.values[i])) continue;
    const std::size_t column = i % width;
    if ((column > 0 && fades[i - 1]) || (column + 1 < width && fades[i + 1]) ||
        (i >= width && fades[i - width]) || (i + width < fades.size() && fades[i + width]))
      std::copy_n(kLine, 4, pixels + 4 * i);
  }
}

void PlaneImage::showColors(const SceneLayer& shown) {
  const auto* const labels = std::get_if<LabelsLayer>(&shown.layer->content);
  labels ? colors_->showLabels(shown.display, labels->names) : colors_->show(shown.display, automatic_);
}

void PlaneImage::hide(const SceneLayer& shown) {
  showColors(shown);  // those of its color bar
  visible_ = false;
}

bool PlaneImage::isInside(std::size_t pixel) const {
  return pixel < plane_.values.size() && !std::isnan(plane_.values[pixel]);
}

bool PlaneImage::covers(const PlaneRaster& raster) const {
  if (!opaque_ || !visible_ || opacity_ < 1 || firstColumn_ > 0) return false;
  // A pixel extends half its edge beyond its center; a remainder of less than one pixel is invisible.
  const auto reaches = [&](const Vec3<double>& mine, int my, const Vec3<double>& its, int count) {
    const double edge = norm(mine), first = dot(raster.origin - raster_.origin, mine) / edge;
    const double low = first - 0.5 * norm(its), high = first + (count - 0.5) * norm(its);
    return low >= -1.5 * edge && high <= (my + 0.5) * edge;
  };
  return reaches(raster_.right, raster_.width, raster.right, raster.width) &&
         reaches(raster_.up, raster_.height, raster.up, raster.height);
}

void PlaneImage::show(const SceneLayer& shown, const PlaneRaster& raster, const FieldStyle& style,
                      bool asFine) {
  const bool moved = !(raster == raster_);
  const bool changed = moved || shown.layer != layer_ || shown.volume != volume_ || shown.tile != tile_ ||
                       style.withoutAffine != style_.withoutAffine ||
                       shown.display.interpolate != interpolate_ || shown.display.outline != outline_;
  if (changed) {
    if (const auto* volume = std::get_if<VolumeLayer>(&shown.layer->content);
        volume && !shown.display.range && (shown.layer != layer_ || shown.volume != volume_)) {
      const auto view = volume->series->volume(std::clamp(shown.volume, 0, volume->series->count - 1));
      automatic_ = automaticRange({view.data, std::size_t(view.voxels())});
    }
    layer_ = shown.layer;
    volume_ = shown.volume;
    tile_ = shown.tile;
    raster_ = raster;
    style_ = style;
    interpolate_ = shown.display.interpolate;
    outline_ = shown.display.outline;
    compute(shown);
  }
  const bool otherOpacity = changed || shown.opacityImage != opacityImage_;
  if (otherOpacity) {
    opacityImage_ = shown.opacityImage;
    computeShares();
  }
  showColors(shown);
  const bool labels = std::holds_alternative<LabelsLayer>(shown.layer->content);
  visible_ = raster_.width > 0 && raster_.height > 0;
  firstColumn_ = 0;
  if (visible_ && moved) {
    image_->SetDimensions(raster_.width, raster_.height, 1);
    image_->AllocateScalars(VTK_UNSIGNED_CHAR, 4);
  }
  if (visible_ && (otherOpacity || painted_ != colors_->GetMTime())) paint();
  // Tiles and labels have the pixels of the view; values are interpolated between those of the raster.
  smooth_ = !(asFine || shown.tile > 0 || labels || !shown.display.interpolate);
  opacity_ = shown.display.opacity;
}

void PlaneImage::cutBefore(const std::optional<Vec3<double>>& point) {
  firstColumn_ = 0;
  if (!point) return;
  const double along = dot(*point - raster_.origin, raster_.right) / dot(raster_.right, raster_.right);
  firstColumn_ = std::max(0, int(std::ceil(std::clamp(along, 0.0, double(raster_.width)))));
  if (firstColumn_ >= raster_.width) visible_ = false;
}

}  // namespace sulcus::ui::scene
