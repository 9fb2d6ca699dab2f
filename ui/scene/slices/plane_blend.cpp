#include "ui/scene/slices/plane_blend.h"

#include "ui/scene/common/vtk_matrix.h"
#include "ui/scene/volume3d/clipping.h"

#include <algorithm>
#include <cstring>

#include <vtkImageData.h>
#include <vtkImageProperty.h>
#include <vtkImageSlice.h>
#include <vtkImageSliceMapper.h>
#include <vtkImageStack.h>
#include <vtkMatrix4x4.h>

namespace sulcus::ui::scene {
namespace {

/// Blends a pixel of this opacity over another one; both are RGBA, not premultiplied.
void layOver(const unsigned char* above, double opacity, unsigned char* below) {
  if (below[3] == 0 && opacity == 1) return void(std::memcpy(below, above, 4));
  const double a = opacity * above[3] / 255, rest = (1 - a) * below[3] / 255, sum = a + rest;
  if (!(sum > 0)) return;
  for (int c = 0; c < 3; ++c)
    below[c] = static_cast<unsigned char>((a * above[c] + rest * below[c]) / sum + 0.5);
  below[3] = static_cast<unsigned char>(255 * sum + 0.5);
}

/// An image slice that draws the colors in `image`.
vtkSmartPointer<vtkImageSlice> imageSliceOf(vtkImageData* image) {
  auto mapper = vtkSmartPointer<vtkImageSliceMapper>::New();
  mapper->SetInputData(image);
  mapper->BorderOn();  // pixels extend half a pixel beyond the outer centers
  auto prop = vtkSmartPointer<vtkImageSlice>::New();
  prop->SetMapper(mapper);
  prop->GetProperty()->SetColorWindow(255);  // the colors are drawn unchanged
  prop->GetProperty()->SetColorLevel(127.5);
  return prop;
}

/// Gives an image the size of a raster and positions it accordingly.
void placeImage(const PlaneRaster& raster, vtkImageData* image, vtkImageSlice* prop) {
  Affine worldFromPixel;
  const Vec3<double> out = normalized(cross(raster.right, raster.up));
  for (int c = 0; c < 3; ++c) worldFromPixel.m[std::size_t(c)] = {raster.right[c], raster.up[c], out[c]};
  worldFromPixel.t = raster.origin;
  prop->SetUserMatrix(matrixOf(worldFromPixel));
  image->SetDimensions(raster.width, raster.height, 1);
  image->AllocateScalars(VTK_UNSIGNED_CHAR, 4);
}

}  // namespace

PlaneBlend::PlaneBlend(vtkImageStack* stack)
    : image_(vtkSmartPointer<vtkImageData>::New()), prop_(imageSliceOf(image_)) {
  prop_->SetVisibility(false);
  stack->AddImage(prop_);
}

void PlaneBlend::show(const std::vector<Part>& parts, const PlaneRaster& raster, bool sharp) {
  std::vector<Stamp> stamps;
  for (const auto& [image, covers] : parts)
    stamps.emplace_back(image, covers, image->changed(), image->opacity());
  const bool any = !parts.empty() && raster.width > 0 && raster.height > 0;
  prop_->SetVisibility(any);
  if (!any || (stamps == shown_ && raster == raster_)) return;
  shown_ = std::move(stamps);
  if (!(raster == raster_)) placeImage(raster, image_, prop_);
  raster_ = raster;
  auto* const pixels = static_cast<unsigned char*>(image_->GetScalarPointer());
  const std::size_t count = std::size_t(raster.width) * std::size_t(raster.height);
  std::memset(pixels, 0, 4 * count);
  for (const auto& [image, covers] : parts) {
    const unsigned char* const above = image->pixels();
    const double opacity = image->opacity();
    for (std::size_t i = 0; i < count; ++i)
      if (above[4 * i + 3] != 0)
        layOver(above + 4 * i, opacity, pixels + 4 * i);
      else if (covers && image->isInside(i))
        std::memset(pixels + 4 * i, 0, 4);
  }
  image_->Modified();
  const bool smooth =
      !sharp && std::ranges::any_of(parts, [](const Part& part) { return part.image->isSmooth(); });
  smooth ? prop_->GetProperty()->SetInterpolationTypeToLinear()
         : prop_->GetProperty()->SetInterpolationTypeToNearest();
}

void PlaneBlend::cut(const std::vector<CutPlane>& planes) { clip(*prop_->GetMapper(), planes); }

}  // namespace sulcus::ui::scene
