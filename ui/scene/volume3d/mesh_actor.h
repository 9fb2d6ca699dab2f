#pragma once

#include "ui/scene/common/legend.h"
#include "ui/scene/common/shown.h"
#include "ui/scene/scene_layer.h"
#include "ui/scene/slices/layer_colors.h"
#include "ui/scene/volume3d/mesh_shape.h"

#include <optional>

#include <vtkSmartPointer.h>

class vtkActor;
class vtkPolyDataMapper;
class vtkRenderer;

namespace sulcus::ui::scene {

/// A surface layer as a lit surface, colored by its scalars if they are shown. Owned by a scene, UI thread.
class MeshActor {
 public:
  /// `renderer` must outlive it.
  explicit MeshActor(vtkRenderer* renderer);

  void show(const SceneLayer& layer);
  /// Leaves out the half in front of a plane; no effect without one.
  void cut(const std::optional<CutPlane>& plane);
  LayerColors* colors() const { return colors_; }
  const Mesh& mesh() const { return shape_->mesh(); }

 private:
  Shown<vtkActor> actor_;
  vtkSmartPointer<LayerColors> colors_;
  MeshShapePtr shape_;
};

/// The line along which a plane cuts a surface layer.
class MeshOutline {
 public:
  explicit MeshOutline(vtkRenderer* renderer);

  void show(const SceneLayer& layer, const CutPlane& plane);

 private:
  vtkRenderer* renderer_;
  Shown<vtkActor> actor_;
  MeshShapePtr shape_;
  CutPlane plane_;
};

/// The names of the surfaces in their plain colors, topmost first, if there are several, and the kinds of
/// landmarks.
std::vector<Legend::Entry> legendOf(const std::vector<SceneLayer>& layers);

}  // namespace sulcus::ui::scene
