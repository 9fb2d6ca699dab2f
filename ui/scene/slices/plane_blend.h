#pragma once

#include "ui/scene/slices/plane_image.h"
#include "ui/scene/volume3d/mesh_index.h"

#include <tuple>
#include <vector>

#include <vtkSmartPointer.h>

class vtkImageData;
class vtkImageSlice;
class vtkImageStack;

namespace sulcus::ui::scene {

/// Several images on one raster combined into one: the images are blended before drawing, because without a
/// GPU drawing is the most expensive part. Owned by a scene, UI thread.
class PlaneBlend {
 public:
  struct Part {
    const PlaneImage* image;
    bool covers;  ///< its background hides what is below it, although it is transparent
  };

  /// Adds itself to `stack`, which must outlive it.
  explicit PlaneBlend(vtkImageStack* stack);

  /// Bottom to top, all on `raster`; an empty list draws nothing. Computes only what has changed.
  ///
  /// @param sharp pixels are not interpolated, which would leave a dark line along the edge of the visible
  /// part
  void show(const std::vector<Part>& parts, const PlaneRaster& raster, bool sharp = false);
  /// Leaves out the half in front of each plane.
  void cut(const std::vector<CutPlane>& planes);

 private:
  /// Identifies the state of an image.
  using Stamp = std::tuple<const PlaneImage*, bool, unsigned long, double>;

  vtkSmartPointer<vtkImageData> image_;
  vtkSmartPointer<vtkImageSlice> prop_;
  PlaneRaster raster_;
  std::vector<Stamp> shown_;
};

}  // namespace sulcus::ui::scene
