#pragma once

#include "ui/scene/layer_colors.h"
#include "ui/scene/scene_layer.h"

#include <vtkSmartPointer.h>

class vtkImageResliceMapper;
class vtkImageSlice;
class vtkImageStack;
class vtkPlane;

namespace sulcus::ui::scene {

/// Whether a layer is drawn as an image: volumes, series and labels.
bool isImage(const Layer& layer);

/// One image layer cut by a plane in world space. Owned by a scene, UI thread.
class ImageActor {
 public:
  /// In `stack` as long as it lives. `screenPixels`: computed for each pixel of the view (slices), or once
  /// for each voxel (3D, where views turn).
  ImageActor(vtkImageStack* stack, vtkPlane* plane, bool screenPixels);
  ~ImageActor();
  ImageActor(const ImageActor&) = delete;
  ImageActor& operator=(const ImageActor&) = delete;

  /// Takes over what changed; nothing is rebuilt for what did not. `number`: of the image, from the bottom.
  void show(const SceneLayer& layer, int number);
  LayerColors* colors() const { return colors_; }

 private:
  vtkSmartPointer<vtkImageStack> stack_;
  vtkSmartPointer<vtkImageResliceMapper> mapper_;
  vtkSmartPointer<vtkImageSlice> prop_;
  vtkSmartPointer<LayerColors> colors_;
  LayerPtr layer_;  ///< keeps the voxels alive that the mapper looks at
  int volume_ = -1;
  Range automatic_;
};

}  // namespace sulcus::ui::scene
