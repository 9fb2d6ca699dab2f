#include "ui/scene/plane_image.h"

#include "core/base/parallel_for.h"
#include "core/image/interpolate.h"
#include "core/image/shown_values.h"
#include "ui/scene/field_shapes.h"
#include "ui/scene/vtk_matrix.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include <vtkImageData.h>
#include <vtkImageProperty.h>
#include <vtkImageSlice.h>
#include <vtkImageSliceMapper.h>
#include <vtkImageStack.h>
#include <vtkMatrix4x4.h>

namespace sulcus::ui::scene {
namespace {

constexpr std::int64_t kRows = 16;  // of the raster, that one thread computes at a time
constexpr unsigned char kLine[] = {0, 0, 0, 255};
constexpr float kNothing = std::numeric_limits<float>::quiet_NaN();

/// The pixels of a row that lie in the image: those from `first` to before `last`.
std::pair<int, int> insideOf(const Vec3<int>& size, const Vec3<double>& begin, const Vec3<double>& step,
                             int width) {
  double first = 0, last = width - 1;
  for (int axis = 0; axis < 3; ++axis) {
    const double low = -0.5 - begin[axis], high = size[axis] - 0.5 - begin[axis];
    if (std::abs(step[axis]) < 1e-12) {
      if (low > 0 || high < 0) return {0, 0};
      continue;
    }
    const double a = low / step[axis], b = high / step[axis];
    first = std::max(first, std::min(a, b)), last = std::min(last, std::max(a, b));
  }
  // What the division has rounded away is made up for by the cells, which end at the border.
  const double from = std::min(std::ceil(first - 1e-9), double(width));  // a row may miss the image
  return {int(from), int(std::clamp(std::floor(last + 1e-9) + 1, from, double(width)))};
}

/// Linear interpolation along pixels first … last − 1 of a row that follows one axis of the voxels: along the
/// two others it is done once for each voxel of the row, not for each pixel. Positions in voxels.
void sampleRow(const float* data, const Vec3<int>& size, const Vec3<double>& begin, const Vec3<double>& step,
               int axis, int first, int last, float* row, std::vector<float>& line) {
  const std::int64_t strides[3] = {1, size.x, std::int64_t(size.x) * size.y};
  const float* p = data;
  std::int64_t next[2];
  float share[2];
  for (int i = 0; i < 2; ++i) {
    const int other = (axis + 1 + i) % 3;
    const float place = clampedToAxis(float(begin[other]), size[other]);
    const int lower = lowerVoxel(place, size[other]);
    p += lower * strides[other];
    next[i] = size[other] > 1 ? strides[other] : 0;
    share[i] = place - float(lower);
  }
  const int n = size[axis];
  const auto placeOf = [&](int i) { return clampedToAxis(float(begin[axis] + i * step[axis]), n); };
  const auto [low, high] = std::minmax({lowerVoxel(placeOf(first), n), lowerVoxel(placeOf(last - 1), n)});
  const int end = std::min(high + 1, n - 1);
  line.resize(std::size_t(end - low) + 1);
  for (int k = low; k <= end; ++k) {
    const float* const q = p + k * strides[axis];
    line[std::size_t(k - low)] =
        interpolatedBetween(share[1], interpolatedBetween(share[0], q[0], q[next[0]]),
                            interpolatedBetween(share[0], q[next[1]], q[next[1] + next[0]]));
  }
  for (int i = first; i < last; ++i) {
    const float place = placeOf(i);
    const int k = lowerVoxel(place, n);
    row[i] = interpolatedBetween(place - float(k), line[std::size_t(k - low)],
                                 line[std::size_t(std::min(k + 1, n - 1) - low)]);
  }
}

/// The voxel axis that a step follows, or −1 where it follows none.
int axisOf(const Vec3<double>& step) {
  for (int axis = 0; axis < 3; ++axis)
    if (std::abs(step[(axis + 1) % 3]) < 1e-9 && std::abs(step[(axis + 2) % 3]) < 1e-9) return axis;
  return -1;
}

template <class T>
float nearest(const T* data, const Vec3<int>& size, float x, float y, float z) {
  const auto at = [](float p, int n) { return std::clamp(int(std::floor(p + 0.5f)), 0, n - 1); };
  return float(
      data[at(x, size.x) + std::int64_t(size.x) * (at(y, size.y) + std::int64_t(size.y) * at(z, size.z))]);
}

/// Red, green, blue and opacity of a color image at a place in voxels.
void colorAt(const Series<float>& series, const Vec3<double>& v, bool between, unsigned char* rgba) {
  const Vec3<int>& size = series.grid.size;
  rgba[3] = 255;
  for (int c = 0; c < series.count; ++c) {
    const float* const data = series.volume(c).data;
    const float value = between ? interpolated(data, cellAt(size, float(v.x), float(v.y), float(v.z)))
                                : nearest(data, size, float(v.x), float(v.y), float(v.z));
    rgba[c] = static_cast<unsigned char>(std::clamp(std::nearbyint(value), 0.0F, 255.0F));
  }
}

}  // namespace

bool isPlaneImage(const SceneLayer& layer, const FieldStyle& style) {
  return isField(layer) ? style.shape == FieldStyle::Shape::magnitude
                        : isVolume(layer) || std::holds_alternative<LabelsLayer>(layer.layer->content);
}

int mostPixels(const SceneLayer& layer) {
  return isVolume(layer) && layer.display.interpolate && !(layer.tile > 0) ? 300'000 : 1'200'000;
}

vtkSmartPointer<vtkImageSlice> imageSliceOf(vtkImageData* image) {
  auto mapper = vtkSmartPointer<vtkImageSliceMapper>::New();
  mapper->SetInputData(image);
  mapper->BorderOn();  // pixels reach half a pixel beyond the outer centres
  auto prop = vtkSmartPointer<vtkImageSlice>::New();
  prop->SetMapper(mapper);
  prop->GetProperty()->SetColorWindow(255);  // the colors are drawn as they are
  prop->GetProperty()->SetColorLevel(127.5);
  return prop;
}

void placeImage(const PlaneRaster& raster, vtkImageData* image, vtkImageSlice* prop) {
  Affine worldFromPixel;
  const Vec3<double> out = normalized(cross(raster.right, raster.up));
  for (int c = 0; c < 3; ++c) worldFromPixel.m[std::size_t(c)] = {raster.right[c], raster.up[c], out[c]};
  worldFromPixel.t = raster.origin;
  prop->SetUserMatrix(matrixOf(worldFromPixel));
  image->SetDimensions(raster.width, raster.height, 1);
  image->AllocateScalars(VTK_UNSIGNED_CHAR, 4);
}

PlaneImage::PlaneImage(vtkImageStack* stack)
    : stack_(stack),
      image_(vtkSmartPointer<vtkImageData>::New()),
      prop_(imageSliceOf(image_)),
      colors_(vtkSmartPointer<LayerColors>::New()) {
  if (stack_) stack_->AddImage(prop_);
}

PlaneImage::~PlaneImage() {
  if (stack_) stack_->RemoveImage(prop_);
}

const unsigned char* PlaneImage::pixels() const {
  return static_cast<const unsigned char*>(image_->GetScalarPointer());
}

unsigned long PlaneImage::changed() const { return image_->GetMTime(); }

double PlaneImage::opacity() const { return prop_->GetProperty()->GetOpacity(); }

bool PlaneImage::isSmooth() const {
  return prop_->GetProperty()->GetInterpolationType() == VTK_LINEAR_INTERPOLATION;
}

void PlaneImage::compute(const SceneLayer& shown) {
  values_.resize(std::size_t(raster_.width) * std::size_t(raster_.height));
  rgba_.clear();
  const Grid& grid = *gridOf(*shown.layer);
  const Affine voxelFromWorld = grid.worldFromVoxel.inverse();
  const Vec3<double> origin = voxelFromWorld.point(raster_.origin);
  const Vec3<double> right = voxelFromWorld.vector(raster_.right), up = voxelFromWorld.vector(raster_.up);
  const auto fillRows = [&](auto&& fillRow) {
    parallelForBlocks(raster_.height, kRows, Progress(), [&](std::int64_t begin, std::int64_t end) {
      std::vector<float> line;
      for (std::int64_t j = begin; j < end; ++j) {
        float* const row = values_.data() + j * raster_.width;
        const Vec3<double> left = origin + double(j) * up;
        const auto [first, last] = insideOf(grid.size, left, right, raster_.width);
        std::fill(row, row + first, kNothing);
        if (first < last) fillRow(row, left, first, last, line);
        std::fill(row + last, row + raster_.width, kNothing);
      }
    });
  };
  const auto fill = [&](auto&& valueOf) {
    fillRows([&](float* row, const Vec3<double>& left, int first, int last, auto&) {
      for (int i = first; i < last; ++i) row[i] = valueOf(left + double(i) * right);
    });
  };
  if (const auto* field = std::get_if<DisplacementLayer>(&shown.layer->content)) {
    const FieldSampler sampler(*field->displacement, style_.withoutAffine);
    return fill([&](const Vec3<double>& v) { return float(norm(sampler.at(v))); });
  }
  if (const auto* labels = std::get_if<LabelsLayer>(&shown.layer->content)) {
    fill([data = labels->labels->values.data(), size = grid.size](const Vec3<double>& v) {
      return nearest(data, size, float(v.x), float(v.y), float(v.z));
    });
    if (outline_) keepBorders();
    return;
  }
  const auto& volume = std::get<VolumeLayer>(shown.layer->content);
  const Series<float>& series = *volume.series;
  if (volume.colors) {
    rgba_.resize(4 * values_.size());
    fillRows([&](float* row, const Vec3<double>& left, int first, int last, auto&) {
      unsigned char* const pixels = rgba_.data() + 4 * (row - values_.data());
      for (int i = first; i < last; ++i) {
        row[i] = 0;
        colorAt(series, left + double(i) * right, interpolate_, pixels + 4 * i);
      }
    });
    if (tile_ > 0) keepTiles(grid);
    return;
  }
  const float* const data = series.volume(std::clamp(shown.volume, 0, series.count - 1)).data;
  if (!interpolate_) {
    fill([data, size = grid.size](const Vec3<double>& v) {
      return nearest(data, size, float(v.x), float(v.y), float(v.z));
    });
  } else if (const int axis = axisOf(right); axis >= 0) {
    fillRows([&](float* row, const Vec3<double>& left, int first, int last, std::vector<float>& line) {
      sampleRow(data, grid.size, left, right, axis, first, last, row, line);
    });
  } else {
    fill([data, size = grid.size](const Vec3<double>& v) {
      return interpolated(data, cellAt(size, float(v.x), float(v.y), float(v.z)));
    });
  }
  if (tile_ > 0) keepTiles(grid);
}

/// Keeps every second tile of a checkerboard. They are counted from the middle of the image, so that they
/// stay with it when the view moves.
void PlaneImage::keepTiles(const Grid& grid) {
  const Vec3<double> middle = raster_.origin - grid.centre();
  const auto tileOf = [&](double millimetres) { return int(std::floor(millimetres / tile_)); };
  const double stepRight = norm(raster_.right), stepUp = norm(raster_.up);
  const double firstRight = dot(middle, raster_.right) / stepRight,
               firstUp = dot(middle, raster_.up) / stepUp;
  for (int j = 0; j < raster_.height; ++j)
    for (int i = 0; i < raster_.width; ++i)
      if ((tileOf(firstRight + i * stepRight) + tileOf(firstUp + j * stepUp)) % 2)
        values_[std::size_t(j) * std::size_t(raster_.width) + std::size_t(i)] = kNothing;
}

/// Of each label only the pixels within two of another label or the background, one where they are as large
/// as voxels.
void PlaneImage::keepBorders() {
  const Vec3<double> spacing = gridOf(*layer_)->spacing();
  const int most = norm(raster_.right) < 0.9 * std::min({spacing.x, spacing.y, spacing.z}) ? 2 : 1;
  const std::vector<float> all = values_;
  const auto at = [&](int i, int j) {
    return i < 0 || j < 0 || i >= raster_.width || j >= raster_.height
               ? kNothing
               : all[std::size_t(j) * std::size_t(raster_.width) + std::size_t(i)];
  };
  parallelForBlocks(raster_.height, kRows, Progress(), [&](std::int64_t begin, std::int64_t end) {
    for (int j = int(begin); j < int(end); ++j)
      for (int i = 0; i < raster_.width; ++i) {
        const float label = at(i, j);
        bool inside = true;
        for (int reach = 1; reach <= most && inside; ++reach)
          inside = at(i - reach, j) == label && at(i + reach, j) == label && at(i, j - reach) == label &&
                   at(i, j + reach) == label;
        if (inside) values_[std::size_t(j) * std::size_t(raster_.width) + std::size_t(i)] = kNothing;
      }
  });
}

void PlaneImage::paint() {
  auto* pixels = static_cast<unsigned char*>(image_->GetScalarPointer());
  parallelForBlocks(std::int64_t(values_.size()), kRows * std::max(1, raster_.width), Progress(),
                    [&](std::int64_t begin, std::int64_t end) {
                      if (rgba_.empty())
                        return colors_->paint(values_.data() + begin, pixels + 4 * begin, end - begin);
                      for (std::int64_t i = begin; i < end; ++i)
                        if (std::isnan(values_[std::size_t(i)]))
                          std::fill_n(pixels + 4 * i, 4, 0);
                        else
                          std::copy_n(rgba_.data() + 4 * i, 4, pixels + 4 * i);
                    });
  if (rgba_.empty()) drawThresholds(pixels);
  image_->Modified();
  painted_ = colors_->GetMTime();
  opaque_ = true;
  for (std::size_t i = 0; i < values_.size() && opaque_; ++i) opaque_ = pixels[4 * i + 3] == 255;
}

/// Where hidden values fade, a black line goes around the shown ones.
void PlaneImage::drawThresholds(unsigned char* pixels) const {
  const Display& display = colors_->display();
  if (!display.fade || !(display.hideBelow || display.hideAbove)) return;
  const std::size_t width = std::size_t(raster_.width);
  std::vector<char> fades(values_.size());
  parallelForBlocks(std::int64_t(values_.size()), kRows * raster_.width, Progress(),
                    [&](std::int64_t begin, std::int64_t end) {
                      for (std::size_t i = std::size_t(begin); i < std::size_t(end); ++i)
                        fades[i] = !std::isnan(values_[i]) && isHidden(display, double(values_[i]));
                    });
  for (std::size_t i = 0; i < fades.size(); ++i) {
    if (fades[i] || std::isnan(values_[i])) continue;
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
  showColors(shown);  // of its color bar
  prop_->SetVisibility(false);
}

bool PlaneImage::isInside(std::size_t pixel) const {
  return pixel < values_.size() && !std::isnan(values_[pixel]);
}

bool PlaneImage::covers(const PlaneRaster& raster) const {
  auto* mapper = vtkImageSliceMapper::SafeDownCast(prop_->GetMapper());
  if (!opaque_ || !prop_->GetVisibility() || mapper->GetCropping() || prop_->GetProperty()->GetOpacity() < 1)
    return false;
  // A pixel reaches half its edge beyond its centre; what is left over by less than one is not seen.
  const auto reaches = [&](const Vec3<double>& mine, int my, const Vec3<double>& its, int count) {
    const double edge = norm(mine), first = dot(raster.origin - raster_.origin, mine) / edge;
    const double low = first - 0.5 * norm(its), high = first + (count - 0.5) * norm(its);
    return low >= -1.5 * edge && high <= (my + 0.5) * edge;
  };
  return reaches(raster_.right, raster_.width, raster.right, raster.width) &&
         reaches(raster_.up, raster_.height, raster.up, raster.height);
}

void PlaneImage::show(const SceneLayer& shown, const PlaneRaster& raster, const FieldStyle& style, int number,
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
    layer_ = shown.layer, volume_ = shown.volume, tile_ = shown.tile;
    raster_ = raster, style_ = style, interpolate_ = shown.display.interpolate;
    outline_ = shown.display.outline;
    compute(shown);
  }
  showColors(shown);
  const bool labels = std::holds_alternative<LabelsLayer>(shown.layer->content);
  const bool any = raster_.width > 0 && raster_.height > 0;
  prop_->SetVisibility(any);
  if (any && moved) placeImage(raster_, image_, prop_);
  if (any && (changed || painted_ != colors_->GetMTime())) paint();
  vtkImageProperty* property = prop_->GetProperty();
  // Tiles and labels have the pixels of the view; values are smooth between those of the raster.
  if (asFine || shown.tile > 0 || labels || !shown.display.interpolate)
    property->SetInterpolationTypeToNearest();
  else
    property->SetInterpolationTypeToLinear();
  property->SetOpacity(shown.display.opacity);
  property->SetLayerNumber(number);
}

void PlaneImage::cutBefore(const std::optional<Vec3<double>>& point) {
  auto* mapper = vtkImageSliceMapper::SafeDownCast(prop_->GetMapper());
  mapper->SetCropping(point.has_value());
  if (!point) return;
  const double along = dot(*point - raster_.origin, raster_.right) / dot(raster_.right, raster_.right);
  const int first = std::max(0, int(std::ceil(std::clamp(along, 0.0, double(raster_.width)))));
  if (first >= raster_.width) return prop_->SetVisibility(false);
  mapper->SetCroppingRegion(first, raster_.width - 1, 0, raster_.height - 1, 0, 0);
}

}  // namespace sulcus::ui::scene
