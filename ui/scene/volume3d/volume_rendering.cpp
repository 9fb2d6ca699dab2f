#include "ui/scene/volume3d/volume_rendering.h"

#include "core/base/parallel/parallel_for.h"
#include "core/image/grids/interpolate.h"
#include "ui/scene/volume3d/clipping.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include <vtkColorTransferFunction.h>
#include <vtkFixedPointVolumeRayCastMapper.h>
#include <vtkGPUVolumeRayCastMapper.h>
#include <vtkImageData.h>
#include <vtkPiecewiseFunction.h>
#include <vtkVolume.h>
#include <vtkVolumeProperty.h>

namespace sulcus::ui::scene {
namespace {

constexpr int kMost = 32767;                         // of a value, above which VTK would round it
constexpr int kTable = 4096;                         // entries of colors and opacities
constexpr std::int64_t kVoxelsInSoftware = 4000000;  // rays through more are not quick enough
constexpr std::int64_t kVoxelsOnGpu = 64000000;      // more take too long to make, and too much memory

// As fractions of the range: the lowest values are air and noise; from the middle on a body is nearly solid.
constexpr double kClear = 0.1, kSolid = 0.55, kDensest = 0.9;
constexpr double kSkin = 0.5;  // the value that colors the surface of a scan

// In a body that is cut open, rays begin this many steps behind the planes of the slices, so that these are
// fully visible: rays in software reach up to one step beyond them.
constexpr double kBehind = 1.05;

/// Edge of the body's voxels, mm: the shortest one of the image, or longer if rays would take too long.
double edgeOf(const Grid& grid, bool onGpu) {
  const Vec3<double> spacing = grid.spacing();
  const double shortest = std::min({spacing.x, spacing.y, spacing.z});
  const double volume = spacing.x * spacing.y * spacing.z * double(grid.voxels());
  return std::max(shortest, std::cbrt(volume / double(onGpu ? kVoxelsOnGpu : kVoxelsInSoftware)));
}

/// Minimum and maximum coordinates of a grid, mm.
std::pair<Vec3<double>, Vec3<double>> boundsIn(const Grid& grid) {
  Vec3<double> low{1e300, 1e300, 1e300}, high = -low;
  for (int corner = 0; corner < 8; ++corner) {
    Vec3<double> v;
    for (int axis = 0; axis < 3; ++axis) v[axis] = corner >> axis & 1 ? grid.size[axis] - 0.5 : -0.5;
    const Vec3<double> p = grid.worldFromVoxel.point(v);
    for (int axis = 0; axis < 3; ++axis) {
      low[axis] = std::min(low[axis], p[axis]);
      high[axis] = std::max(high[axis], p[axis]);
    }
  }
  return {low, high};
}

/// Whether an image is shown as a scan, whose values are not a measure with a color bar.
bool isScan(const Display& display) {
  return !display.colorBar && display.colormap == Display().colormap && display.negativeColormap.empty() &&
         !display.hideBelow && !display.hideAbove;
}

/// Weights each voxel by 2, its neighbors along an axis by 1.
void smoothAlong(int axis, const Vec3<int>& size, std::uint16_t* body) {
  const std::int64_t strides[3] = {1, size.x, std::int64_t(size.x) * size.y};
  const int other = axis == 0 ? 1 : 0;
  const int outer = axis == 2 ? 1 : 2;
  parallelForBlocks(size[outer], 1, Progress(), [&](std::int64_t from, std::int64_t to) {
    for (std::int64_t o = from; o < to; ++o)
      for (int i = 0; i < size[other]; ++i) {
        std::uint16_t* voxel = body + o * strides[outer] + i * strides[other];
        int before = *voxel;
        for (int n = size[axis]; n > 0; --n, voxel += strides[axis]) {
          const int own = *voxel, after = n > 1 ? voxel[strides[axis]] : own;
          *voxel = std::uint16_t((before + 2 * own + after + 2) / 4);
          before = own;
        }
      }
  });
}

}  // namespace

double volumeOpacity(const Display& display, Range range, double value) {
  if (isHidden(display, value)) return 0;
  range = colorRange(display, range);
  value = shownValue(display, value);
  const bool bothSigns = range.low < 0 && range.high > 0;
  const double share = bothSigns ? std::abs(value) / std::max(-range.low, range.high)
                                 : (value - range.low) / std::max(range.high - range.low, 1e-300);
  const double t = std::clamp((share - kClear) / (kSolid - kClear), 0.0, 1.0);
  return kDensest * t * t * (3 - 2 * t);
}

double bodyFloor(Range range) { return range.low + kClear * (range.high - range.low); }

VolumeRendering::VolumeRendering(vtkRenderer* renderer, bool onGpu)
    : onGpu_(onGpu),
      image_(vtkSmartPointer<vtkImageData>::New()),
      volume_(renderer),
      colors_(vtkSmartPointer<LayerColors>::New()) {
  if (onGpu) {
    auto mapper = vtkSmartPointer<vtkGPUVolumeRayCastMapper>::New();
    mapper->SetUseJittering(true);  // instead of rings
    mapper_ = mapper;
  } else {
    auto mapper = vtkSmartPointer<vtkFixedPointVolumeRayCastMapper>::New();
    mapper->SetAutoAdjustSampleDistances(false);
    mapper_ = mapper;
  }
  mapper_->SetInputData(image_);
  volume_->SetMapper(mapper_);
  vtkVolumeProperty* property = volume_->GetProperty();
  property->ShadeOn();
  property->SetAmbient(0.4);
  property->SetDiffuse(0.8);
  property->SetSpecular(0.15);
  property->SetSpecularPower(12);
}

void VolumeRendering::takeRange(const Series<float>& series, int shown) {
  const auto from = series.volume(std::clamp(shown, 0, series.count - 1));
  extremes_ = {std::numeric_limits<double>::max(), std::numeric_limits<double>::lowest()};
  for (std::int64_t i = 0; i < from.voxels(); ++i)
    if (std::isfinite(from.data[i])) {
      extremes_.low = std::min(extremes_.low, double(from.data[i]));
      extremes_.high = std::max(extremes_.high, double(from.data[i]));
    }
  if (!(extremes_.high > extremes_.low)) extremes_ = {0, 1};
  automatic_ = automaticRange({from.data, std::size_t(from.voxels())});
}

Range VolumeRendering::toldApart(const Display& display) const {
  Range range = display.range.value_or(automatic_);
  const auto reach = [&](double value) { range = {std::min(range.low, value), std::max(range.high, value)}; };
  reach(automatic_.low), reach(automatic_.high);
  for (const auto& threshold : {display.hideBelow, display.hideAbove})
    if (threshold) reach(*threshold);
  if (!display.negativeColormap.empty()) reach(-range.low), reach(-range.high);
  const double beyond = 0.05 * (range.high - range.low);  // so that passing a threshold is visible
  range = {std::max(extremes_.low, range.low - beyond), std::min(extremes_.high, range.high + beyond)};
  return range.high > range.low ? range : extremes_;
}

void VolumeRendering::takeVoxels(const Series<float>& series, int shown, Range values) {
  values_ = values;
  const auto from = series.volume(std::clamp(shown, 0, series.count - 1));
  // The body has the axes of the scanner, along which it is cut, like the planes.
  const double edge = edgeOf(series.grid, onGpu_);
  const auto [low, high] = boundsIn(series.grid);
  Vec3<int> size;
  for (int axis = 0; axis < 3; ++axis)
    size[axis] = std::max(1, int(std::ceil((high[axis] - low[axis]) / edge - 1e-6)));
  const Vec3<double> first = low + Vec3<double>{0.5 * edge, 0.5 * edge, 0.5 * edge};
  image_->SetDimensions(size.x, size.y, size.z);
  image_->SetSpacing(edge, edge, edge);
  image_->SetOrigin(first.x, first.y, first.z);
  image_->AllocateScalars(VTK_UNSIGNED_SHORT, 1);
  auto* const body = static_cast<std::uint16_t*>(image_->GetScalarPointer());
  const float scale = float((kMost - 1) / (values_.high - values_.low)), least = float(values_.low),
              most = float(values_.high);
  const Affine voxelFromWorld = series.grid.worldFromVoxel.inverse();
  const Vec3<double> begin = voxelFromWorld.point(first);
  const Vec3<double> steps[3] = {edge * voxelFromWorld.column(0), edge * voxelFromWorld.column(1),
                                 edge * voxelFromWorld.column(2)};
  const auto stored = [&](const Vec3<double>& v) {
    if (!isInImage(from.size, v)) return std::uint16_t(0);
    const float value = interpolated(from.data, cellAt(from.size, float(v.x), float(v.y), float(v.z)));
    if (!std::isfinite(value)) return std::uint16_t(0);
    return std::uint16_t(1 + std::lround((std::clamp(value, least, most) - least) * scale));
  };
  parallelForBlocks(size.z, 1, Progress(), [&](std::int64_t fromZ, std::int64_t toZ) {
    for (std::int64_t z = fromZ; z < toZ; ++z)
      for (int y = 0; y < size.y; ++y) {
        const Vec3<double> row = begin + double(z) * steps[2] + double(y) * steps[1];
        std::uint16_t* const out = body + std::int64_t(size.x) * (y + size.y * z);
        for (int x = 0; x < size.x; ++x) out[x] = stored(row + double(x) * steps[0]);
      }
  });
  // Voxel steps would be visible on the surface as grain in the direction of the light.
  for (int axis = 0; axis < 3 && smooth_; ++axis) smoothAlong(axis, size, body);
  image_->Modified();
  volume_->GetProperty()->SetScalarOpacityUnitDistance(edge);
}

void VolumeRendering::takeColors(const Display& display) {
  colors_->show(display, automatic_);
  const Range range = display.range.value_or(automatic_);
  // In a scan, less bright voxels are the rim of something brighter and partly air: in a body they have the
  // color of what they are the rim of, otherwise the surface would be dark, with rings where rays pass more
  // or less of the rim.
  const Range colored = colorRange(display, range);
  const bool lifted = isScan(display) && colored.low >= 0;
  const double least = lifted ? colored.low + kSkin * (colored.high - colored.low) : values_.low;
  std::vector<double> rgb(3 * kTable), opacity(kTable);
  for (int i = 0; i < kTable; ++i) {
    const double stored = double(kMost) * i / (kTable - 1);
    const double value = values_.low + (stored - 1) / (kMost - 1) * (values_.high - values_.low);
    colors_->GetColor(std::max(value, least), &rgb[std::size_t(3 * i)]);
    opacity[std::size_t(i)] = i == 0 ? 0 : display.opacity * volumeOpacity(display, range, value);
  }
  auto color = vtkSmartPointer<vtkColorTransferFunction>::New();
  color->BuildFunctionFromTable(0, kMost, kTable, rgb.data());
  auto density = vtkSmartPointer<vtkPiecewiseFunction>::New();
  density->BuildFunctionFromTable(0, kMost, kTable, opacity.data());
  volume_->GetProperty()->SetColor(color);
  volume_->GetProperty()->SetScalarOpacity(density);
  display.interpolate ? volume_->GetProperty()->SetInterpolationTypeToLinear()
                      : volume_->GetProperty()->SetInterpolationTypeToNearest();
}

void VolumeRendering::show(const SceneLayer& layer) {
  const bool moved = layer.layer != layer_ || layer.volume != shown_;
  const bool otherwise = moved || !(layer.display == display_);
  const Series<float>& series = *std::get<VolumeLayer>(layer.layer->content).series;
  if (moved) takeRange(series, layer.volume);
  if (otherwise) {
    constexpr double kCoarse = 16;  // of the steps that the range may have
    const Range needed = toldApart(layer.display);
    const bool smooth = layer.display.interpolate && isScan(layer.display);
    if (std::exchange(smooth_, smooth) != smooth || moved || needed.low < values_.low ||
        needed.high > values_.high || values_.high - values_.low > kCoarse * (needed.high - needed.low))
      takeVoxels(series, layer.volume, needed);
    takeColors(layer.display);
  }
  layer_ = layer.layer;
  shown_ = layer.volume;
  display_ = layer.display;
}

void VolumeRendering::cutOctant(const std::optional<Vec3<double>>& corner, const Vec3<double>& eye) {
  mapper_->SetCropping(corner.has_value());
  if (!corner) return;
  const Vec3<double>& at = *corner;
  const Vec3<double> toEye = eye - at;
  // Of VTK's 27 regions, three along each axis, the middle ones extend from the corner to the far side; those
  // beyond it are empty.
  double planes[6], bounds[6];
  image_->GetBounds(bounds);
  int cutOff = 0;
  for (int axis = 0, place = 1; axis < 3; ++axis, place *= 3) {
    const double behind = (toEye[axis] > 0 ? -kBehind : kBehind) * rays_.step * image_->GetSpacing()[axis];
    planes[2 * axis] = std::clamp(at[axis] + behind, bounds[2 * axis], bounds[2 * axis + 1]);
    planes[2 * axis + 1] = bounds[2 * axis + 1];
    if (toEye[axis] > 0) cutOff += place;
  }
  mapper_->SetCroppingRegionPlanes(planes);
  constexpr int kAllRegions = (1 << 27) - 1;
  mapper_->SetCroppingRegionFlags(kAllRegions & ~(1 << cutOff));
}

void VolumeRendering::cutHalf(const std::optional<CutPlane>& plane) {
  std::optional<CutPlane> behind = plane;
  if (behind) behind->point = behind->point - kBehind * rays_.step * image_->GetSpacing()[0] * behind->normal;
  clip(*mapper_, behind);
}

void VolumeRendering::setRays(const Rays& rays) {
  auto* mapper = vtkFixedPointVolumeRayCastMapper::SafeDownCast(mapper_);
  if (!mapper) return;
  rays_ = rays;
  mapper->SetImageSampleDistance(float(rays.pixels));
  mapper->SetSampleDistance(float(rays.step * image_->GetSpacing()[0]));
}

}  // namespace sulcus::ui::scene
