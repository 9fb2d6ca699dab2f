#include "ui/scene/plane_image.h"

#include "core/base/parallel_for.h"
#include "core/image/interpolate.h"
#include "ui/scene/field_shapes.h"
#include "ui/scene/image_data.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <vtkImageData.h>
#include <vtkImageProperty.h>
#include <vtkImageSlice.h>
#include <vtkImageSliceMapper.h>
#include <vtkImageStack.h>
#include <vtkMatrix4x4.h>

namespace sulcus::ui::scene {
namespace {

constexpr std::int64_t kRows = 16;  // of the raster, that one thread computes at a time
constexpr float kNothing = std::numeric_limits<float>::quiet_NaN();

float valueAt(VolumeView<const float> image, const Vec3<double>& v, bool interpolate) {
  if (!interpolate) {
    const auto nearest = [](double p, int n) { return std::clamp(int(std::floor(p + 0.5)), 0, n - 1); };
    return image(nearest(v.x, image.size.x), nearest(v.y, image.size.y), nearest(v.z, image.size.z));
  }
  return float(interpolated(image.data, cellAt(image.size, v.x, v.y, v.z)));
}

}  // namespace

bool isPlaneImage(const SceneLayer& layer, const FieldStyle& style) {
  return isField(layer) ? style.shape == FieldStyle::Shape::magnitude : isVolume(layer) && layer.tile > 0;
}

PlaneRaster rasterOf(const SliceCamera& camera, int most) {
  const double pixels = double(camera.width) * camera.height;
  const int coarser = std::max(1, int(std::ceil(std::sqrt(pixels / most))));
  const double step = camera.millimetresPerPixel() * coarser;
  return {camera.worldAt(0.5 * coarser, 0.5 * coarser), step * camera.axes.right, step * camera.axes.up,
          (camera.width + coarser - 1) / coarser, (camera.height + coarser - 1) / coarser};
}

PlaneRaster rasterOf(const Grid& grid, const ScreenAxes& axes, const Vec3<double>& point) {
  const Vec3<double> spacing = grid.spacing(), out = axes.towardViewer();
  double low[2] = {1e300, 1e300}, high[2] = {-1e300, -1e300};
  for (int corner = 0; corner < 8; ++corner) {
    Vec3<double> v;
    for (int axis = 0; axis < 3; ++axis) v[axis] = corner >> axis & 1 ? grid.size[axis] - 0.5 : -0.5;
    const Vec3<double> p = grid.worldFromVoxel.point(v);
    const double place[2] = {dot(p, axes.right), dot(p, axes.up)};
    for (int i : {0, 1}) low[i] = std::min(low[i], place[i]), high[i] = std::max(high[i], place[i]);
  }
  constexpr double kMost = 400;  // pixels along an edge
  const double longest = std::max(high[0] - low[0], high[1] - low[1]);
  const double step = std::max(std::min({spacing.x, spacing.y, spacing.z}), longest / kMost);
  return {(low[0] + 0.5 * step) * axes.right + (low[1] + 0.5 * step) * axes.up + dot(point, out) * out,
          step * axes.right, step * axes.up, std::max(1, int(std::lround((high[0] - low[0]) / step))),
          std::max(1, int(std::lround((high[1] - low[1]) / step)))};
}

PlaneImage::PlaneImage(vtkImageStack* stack)
    : stack_(stack),
      image_(vtkSmartPointer<vtkImageData>::New()),
      prop_(vtkSmartPointer<vtkImageSlice>::New()),
      colors_(vtkSmartPointer<LayerColors>::New()) {
  auto mapper = vtkSmartPointer<vtkImageSliceMapper>::New();
  mapper->SetInputData(image_);
  mapper->BorderOn();  // pixels reach half a pixel beyond the outer centres
  prop_->SetMapper(mapper);
  prop_->GetProperty()->SetLookupTable(colors_);
  prop_->GetProperty()->UseLookupTableScalarRangeOn();
  stack_->AddImage(prop_);
}

PlaneImage::~PlaneImage() { stack_->RemoveImage(prop_); }

void PlaneImage::compute(const SceneLayer& shown, const PlaneRaster& raster, const FieldStyle& style) {
  image_->SetDimensions(raster.width, raster.height, 1);
  image_->AllocateScalars(VTK_FLOAT, 1);
  auto* pixels = static_cast<float*>(image_->GetScalarPointer());
  const Grid& grid = *gridOf(*shown.layer);
  const Affine voxelFromWorld = grid.worldFromVoxel.inverse();
  const Vec3<double> origin = voxelFromWorld.point(raster.origin);
  const Vec3<double> right = voxelFromWorld.vector(raster.right), up = voxelFromWorld.vector(raster.up);
  const auto fill = [&](auto&& valueOf) {
    parallelForBlocks(raster.height, kRows, Progress(), [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t j = begin; j < end; ++j)
        for (int i = 0; i < raster.width; ++i) {
          const Vec3<double> voxel = origin + double(i) * right + double(j) * up;
          pixels[j * raster.width + i] = isInImage(grid.size, voxel) ? valueOf(voxel, i, int(j)) : kNothing;
        }
    });
  };
  if (const auto* field = std::get_if<DisplacementLayer>(&shown.layer->content)) {
    const FieldSampler sampler(*field->displacement, style.withoutAffine);
    fill([&](const Vec3<double>& voxel, int, int) { return float(norm(sampler.at(voxel))); });
  } else {
    const auto& series = *std::get<VolumeLayer>(shown.layer->content).series;
    const auto image = series.volume(std::clamp(shown.volume, 0, series.count - 1));
    // Tiles are counted from the middle of the image, so that they stay with it when the view moves.
    const Vec3<double> middle = raster.origin - grid.centre();
    const auto tileOf = [&](double millimetres) { return int(std::floor(millimetres / shown.tile)); };
    const double stepRight = norm(raster.right), stepUp = norm(raster.up);
    const double firstRight = dot(middle, raster.right) / stepRight,
                 firstUp = dot(middle, raster.up) / stepUp;
    fill([&](const Vec3<double>& voxel, int i, int j) {
      const int tiles = tileOf(firstRight + i * stepRight) + tileOf(firstUp + j * stepUp);
      return tiles % 2 ? kNothing : valueAt(image, voxel, shown.display.interpolate);
    });
  }
  image_->Modified();
  Affine worldFromPixel;
  const Vec3<double> out = normalized(cross(raster.right, raster.up));
  for (int c = 0; c < 3; ++c) worldFromPixel.m[std::size_t(c)] = {raster.right[c], raster.up[c], out[c]};
  worldFromPixel.t = raster.origin;
  prop_->SetUserMatrix(matrixOf(worldFromPixel));
}

void PlaneImage::show(const SceneLayer& shown, const PlaneRaster& raster, const FieldStyle& style,
                      int number) {
  if (shown.layer != layer_ || shown.volume != volume_ || shown.tile != tile_ || !(raster == raster_) ||
      style.withoutAffine != style_.withoutAffine || shown.display.interpolate != interpolate_) {
    layer_ = shown.layer, volume_ = shown.volume, tile_ = shown.tile;
    raster_ = raster, style_ = style, interpolate_ = shown.display.interpolate;
    compute(shown, raster, style);
  }
  colors_->show(shown.display, {0, 1});
  vtkImageProperty* property = prop_->GetProperty();
  // Tiles have the pixels of the view; a magnitude has voxels, and is smooth between them.
  if (shown.tile > 0 || !shown.display.interpolate)
    property->SetInterpolationTypeToNearest();
  else
    property->SetInterpolationTypeToLinear();
  property->SetOpacity(shown.display.opacity);
  property->SetLayerNumber(number);
}

}  // namespace sulcus::ui::scene
