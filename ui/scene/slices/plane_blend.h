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

/// Several images of one raster as one: what lies above is mixed with what lies below before it is drawn,
/// because without a GPU drawing is the dearest part. Owned by a scene, UI thread.
class PlaneBlend {
 public:
  struct Part {
    const PlaneImage* image;
    bool covers;  ///< its background hides what lies below it, though one sees through it
  };

  /// Adds itself to `stack`, which must outlive it.
  explicit PlaneBlend(vtkImageStack* stack);

  /// Bottom to top, all on `raster`; none draws nothing. Computes only what has changed.
  ///
  /// @param sharp  pixels are not interpolated: where what is seen ends that would leave a dark line
  void show(const std::vector<Part>& parts, const PlaneRaster& raster, bool sharp = false);
  /// Leaves out the half before each of some planes.
  void cut(const std::vector<CutPlane>& planes);

 private:
  /// Identifies an image at one moment.
  using Stamp = std::tuple<const PlaneImage*, bool, unsigned long, double>;

  vtkSmartPointer<vtkImageData> image_;
  vtkSmartPointer<vtkImageSlice> prop_;
  PlaneRaster raster_;
  std::vector<Stamp> shown_;
};

}  // namespace sulcus::ui::scene
