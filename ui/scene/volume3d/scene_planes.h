#pragma once

#include "ui/scene/scene_layer.h"
#include "ui/scene/slices/plane_blend.h"
#include "ui/scene/volume3d/look_3d.h"

#include <array>
#include <map>
#include <memory>
#include <vector>

#include <vtkSmartPointer.h>

class vtkImageStack;
class vtkRenderer;

namespace sulcus::ui::scene {

/// Images on the three planes through the crosshair of a 3D view. Owned by a scene, UI thread.
class ScenePlanes {
 public:
  /// `renderer` must outlive it.
  explicit ScenePlanes(vtkRenderer* renderer);
  ~ScenePlanes();

  /// Bottom to top. Those that stay keep their pipeline. `cut`: of the bodies in the view.
  void show(const std::vector<SceneLayer>& images, const Frame3d& frame, Cut cut);
  /// The colors of an image that was shown last.
  LayerColors* colorsOf(int layer) const;

 private:
  /// `clear`: the image without its background.
  PlaneBlend::Part partOf(const SceneLayer& image, const SceneLayer& clear, std::size_t plane,
                          const PlaneRaster& raster, const FieldStyle& fieldStyle);

  std::array<vtkSmartPointer<vtkImageStack>, 3> stacks_;  ///< of the planes with normals x, y, z
  std::array<std::unique_ptr<PlaneBlend>, 3> blends_;     ///< for all images of a plane
  std::map<int, std::array<std::unique_ptr<PlaneImage>, 3>> images_;
};

}  // namespace sulcus::ui::scene
