#pragma once

#include "ui/scene/field_style.h"
#include "ui/scene/layer_colors.h"
#include "ui/scene/scene_layer.h"
#include "ui/scene/slice_camera.h"

#include <vector>

#include <vtkSmartPointer.h>

class vtkImageData;
class vtkImageSlice;
class vtkImageStack;

namespace sulcus::ui::scene {

/// Pixels on a plane in world space: pixel (i, j) has its centre at origin + i·right + j·up.
struct PlaneRaster {
  Vec3<double> origin, right, up;  ///< mm
  int width = 0, height = 0;
  friend bool operator==(const PlaneRaster&, const PlaneRaster&) = default;
};
/// The pixels of a view, fewer where there are more than `most`.
PlaneRaster rasterOf(const SliceCamera& camera, int most = 600'000);
/// As fine as the voxels of a grid, over all of it that a plane through `point` cuts.
PlaneRaster rasterOf(const Grid& grid, const ScreenAxes& axes, const Vec3<double>& point);

/// Whether a layer is drawn by a PlaneImage.
bool isPlaneImage(const SceneLayer& layer, const FieldStyle& style);

/// What no VTK mapper draws, computed for each pixel of a raster: the length of a displacement, or a volume
/// in every second tile of a checkerboard. Owned by a scene, UI thread.
class PlaneImage {
 public:
  /// In `stack` as long as it lives.
  explicit PlaneImage(vtkImageStack* stack);
  ~PlaneImage();
  PlaneImage(const PlaneImage&) = delete;
  PlaneImage& operator=(const PlaneImage&) = delete;

  /// Computes anew only when something but the colors changed. `number`: of the image, from the bottom.
  void show(const SceneLayer& layer, const PlaneRaster& raster, const FieldStyle& style, int number);
  LayerColors* colors() const { return colors_; }

 private:
  void compute(const SceneLayer& layer, const PlaneRaster& raster, const FieldStyle& style);

  vtkSmartPointer<vtkImageStack> stack_;
  vtkSmartPointer<vtkImageData> image_;
  vtkSmartPointer<vtkImageSlice> prop_;
  vtkSmartPointer<LayerColors> colors_;
  LayerPtr layer_;
  PlaneRaster raster_;
  FieldStyle style_;
  int volume_ = -1;
  double tile_ = 0;
  bool interpolate_ = true;
};

}  // namespace sulcus::ui::scene
