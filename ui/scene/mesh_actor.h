#pragma once

#include "ui/scene/layer_colors.h"
#include "ui/scene/scene_layer.h"

#include <vtkSmartPointer.h>

class vtkActor;
class vtkCutter;
class vtkPlane;
class vtkRenderer;

namespace sulcus::ui {

/// A surface layer as a lit surface. Colored by its scalars when it has any. Owned by a scene, UI thread.
class MeshActor {
 public:
  /// `renderer` must outlive it.
  explicit MeshActor(vtkRenderer* renderer);
  ~MeshActor();
  MeshActor(const MeshActor&) = delete;
  MeshActor& operator=(const MeshActor&) = delete;

  void show(const SceneLayer& layer);
  LayerColors* colors() const { return colors_; }

 private:
  vtkRenderer* renderer_;
  vtkSmartPointer<vtkActor> actor_;
  vtkSmartPointer<LayerColors> colors_;
  LayerPtr layer_;
};

/// The line along which a plane cuts a surface layer.
class MeshOutline {
 public:
  MeshOutline(vtkRenderer* renderer, vtkPlane* plane);
  ~MeshOutline();
  MeshOutline(const MeshOutline&) = delete;
  MeshOutline& operator=(const MeshOutline&) = delete;

  void show(const SceneLayer& layer);

 private:
  vtkRenderer* renderer_;
  vtkSmartPointer<vtkCutter> cutter_;
  vtkSmartPointer<vtkActor> actor_;
  LayerPtr layer_;
};

}  // namespace sulcus::ui
