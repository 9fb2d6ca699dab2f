#pragma once

#include "ui/scene/volume3d/look_3d.h"
#include "ui/scene/volume3d/volume_rendering.h"

#include <map>
#include <memory>
#include <vector>

namespace sulcus::ui::scene {

/// The images that a 3D view shows as bodies. Owned by a scene, UI thread.
class SceneBodies {
 public:
  /// `renderer` must outlive it.
  explicit SceneBodies(vtkRenderer* renderer) : renderer_(renderer) {}

  /// The bodies are among these from now on.
  void setLayers(const std::vector<SceneLayer>& layers);
  /// Returns whether they are drawn coarsely, since they move or have changed; then recordCoarse() follows.
  bool show(const std::vector<SceneLayer>& layers, const Frame3d& frame);
  /// How long a coarse frame took, which decides how fine the next one is.
  void recordCoarse(double seconds);
  bool empty() const { return bodies_.empty(); }
  LayerColors* colorsOf(int layer) const { return bodies_.at(layer)->colors(); }

 private:
  VolumeRendering::Rays raysOf(const Look3d& look, bool moves) const;
  double pixels() const;  ///< of the window

  vtkRenderer* renderer_;
  std::map<int, std::unique_ptr<VolumeRendering>> bodies_;
  // The state in which they were last drawn.
  CameraPose pose_;
  Vec3<double> crosshair_;
  SliceTurn turn_;
  bool changed_ = false, onGpu_ = true;
  double finest_ = 1;  ///< pixels per ray of a body that has just stopped
};

/// How the lowest body that is cut open is cut.
Cut cutOfBodies(const std::vector<SceneLayer>& layers);

}  // namespace sulcus::ui::scene
