#pragma once

#include "ui/scene/common/colormap.h"
#include "ui/scene/common/shown.h"

#include <string>
#include <utility>
#include <vector>

class vtkRenderer;
class vtkTextActor;

namespace sulcus::ui::scene {

/// Names in their colors, one below another, at the top left of a view. Owned by a scene, UI thread.
class Legend {
 public:
  using Entry = std::pair<std::string, Rgb>;

  /// `renderer` must outlive it.
  explicit Legend(vtkRenderer* renderer) : renderer_(renderer) {}

  void show(const std::vector<Entry>& entries);
  /// Positions it in a view of this height, below the title of the view if there is one.
  void layOut(int height, bool belowTitle);

 private:
  vtkRenderer* renderer_;
  std::vector<Shown<vtkTextActor>> lines_;
};

}  // namespace sulcus::ui::scene
