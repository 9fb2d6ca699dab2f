#pragma once

#include "ui/scene/common/shown.h"
#include "ui/scene/glyphs/field_shapes.h"
#include "ui/scene/scene_layer.h"
#include "ui/scene/slices/layer_colors.h"
#include "ui/scene/styles.h"

#include <algorithm>
#include <string>
#include <vector>

#include <vtkSmartPointer.h>

class vtkActor;
class vtkRenderer;

namespace sulcus::ui::scene {

/// Whether a layer is a displacement that is drawn with lines.
inline bool isFieldShape(const SceneLayer& layer, const FieldStyle& style) {
  return isField(layer) && style.shape != FieldStyle::Shape::magnitude;
}

/// The warped grid or the arrows of one displacement layer on some planes. Owned by a scene, UI thread.
class FieldActor {
 public:
  /// `renderer` must outlive it. `flat`: seen along the normal of its single plane, not in 3D.
  FieldActor(vtkRenderer* renderer, bool flat);

  /// Rebuilds if the layer, the style, the planes or the colors changed; returns whether it did.
  bool show(const SceneLayer& layer, const FieldStyle& style, const std::vector<CutPlane>& planes);
  LayerColors* colors() const { return colors_; }
  /// One in this many lines or arrows is shown, since all of them would take too long for a frame.
  int oneIn() const { return oneIn_; }

 private:
  void setLook(bool arrows, double opacity);
  Rgb colorOf(const Vec3<double>& u);
  /// Voxels from one line or arrow to the next.
  int spacingOf(const Grid& grid, const std::vector<CutPlane>& planes);

  vtkRenderer* renderer_;
  bool flat_;
  Shown<vtkActor> halo_, lines_, heads_;  ///< halo: a shadow that makes lines stand out
  vtkSmartPointer<LayerColors> colors_;
  LayerPtr layer_;
  FieldStyle style_;
  std::vector<double> key_;
  int oneIn_ = 1;
};

/// A view's note on what its fields leave out: "showing 1 in 4 arrows", or "".
std::string fieldNote(int oneIn, const FieldStyle& style);
/// What all fields of a view leave out, in the same words.
template <class Actors>
std::string fieldNote(const Actors& fields, const FieldStyle& style) {
  int most = 1;
  for (const auto& [id, actor] : fields) most = std::max(most, actor->oneIn());
  return fields.empty() ? "" : fieldNote(most, style);
}

}  // namespace sulcus::ui::scene
