#pragma once

#include "ui/scene/scene_layer.h"
#include "ui/scene/slices/plane_blend.h"
#include "ui/scene/volume3d/camera_pose.h"

#include <array>
#include <map>
#include <memory>
#include <vector>

#include <vtkSmartPointer.h>

class vtkImageStack;
class vtkRenderer;

namespace sulcus::ui::scene {

/// Where the planes of a 3D view are, and what is seen of them.
struct PlanesLook {
  Vec3<double> crosshair;  ///< through which they go, mm RAS+
  SliceTurn turn;
  CameraPose pose;
  Cut cut = Cut::nothing;  ///< of the bodies in the view
  bool still = false;      ///< for a picture
  FieldStyle fieldStyle;
};

/// Images on the three planes through the crosshair of a 3D view. Owned by a scene, UI thread.
class ScenePlanes {
 public:
  /// `renderer` must outlive it.
  explicit ScenePlanes(vtkRenderer* renderer);
  ~ScenePlanes();

  /// Bottom to top. Those that stay keep their pipeline.
  void show(const std::vector<SceneLayer>& images, const PlanesLook& look);
  /// The colors of an image that was shown last.
  LayerColors* colorsOf(int layer) const;

 private:
  PlaneBlend::Part partOf(const SceneLayer& layer, std::size_t plane, const PlaneRaster& raster,
                          const FieldStyle& fieldStyle);

  std::array<vtkSmartPointer<vtkImageStack>, 3> stacks_;  ///< of the planes with normals x, y, z
  std::array<std::unique_ptr<PlaneBlend>, 3> blends_;     ///< for all images of a plane
  std::map<int, std::array<std::unique_ptr<PlaneImage>, 3>> images_;
};

}  // namespace sulcus::ui::scene
