#pragma once

#include "ui/scene/field_shapes.h"
#include "ui/scene/field_style.h"
#include "ui/scene/frame_budget.h"
#include "ui/scene/layer_colors.h"
#include "ui/scene/scene_layer.h"

#include <cstdint>
#include <string>
#include <vector>

#include <vtkSmartPointer.h>

class vtkActor;
class vtkRenderer;

namespace sulcus::ui {

/// Whether a layer is a displacement that is drawn by lines.
inline bool isFieldShape(const SceneLayer& layer, const FieldStyle& style) {
  return isField(layer) && style.shape != FieldStyle::Shape::magnitude;
}

/// The warped grid or the arrows of one displacement layer on some planes. Owned by a scene, UI thread.
class FieldActor {
 public:
  /// `renderer` must outlive it. `flat`: seen along the normal of its one plane, not in 3D.
  FieldActor(vtkRenderer* renderer, bool flat);
  ~FieldActor();
  FieldActor(const FieldActor&) = delete;
  FieldActor& operator=(const FieldActor&) = delete;

  /// Builds anew when the layer, the style, the planes, the colors or the thinning changed; true when it did.
  bool show(const SceneLayer& layer, const FieldStyle& style, const std::vector<CutPlane>& planes, int oneIn);
  LayerColors* colors() const { return colors_; }
  /// What it costs to draw, in lines.
  std::int64_t weight() const { return weight_; }

 private:
  vtkRenderer* renderer_;
  bool flat_;
  vtkSmartPointer<vtkActor> lines_, heads_;
  vtkSmartPointer<LayerColors> colors_;
  LayerPtr layer_;
  FieldStyle style_;
  std::vector<double> key_;
  std::int64_t weight_ = 0;
};

/// What a view says about what it leaves out of its glyphs and fields, or "".
std::string drawingNote(const FrameBudget& budget, bool glyphs, bool fields, const FieldStyle& style);

}  // namespace sulcus::ui
