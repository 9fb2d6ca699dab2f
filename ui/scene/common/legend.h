#pragma once

#include "ui/scene/common/colormap.h"

#include <string>
#include <utility>
#include <vector>

#include <vtkSmartPointer.h>

class vtkRenderer;
class vtkTextActor;

namespace sulcus::ui::scene {

/// Names in their colors, one below another, at the top left of a view. Owned by a scene, UI thread.
class Legend {
 public:
  using Entry = std::pair<std::string, Rgb>;

  /// `renderer` must outlive it.
  explicit Legend(vtkRenderer* renderer) : renderer_(renderer) {}
  ~Legend();
  Legend(const Legend&) = delete;
  Legend& operator=(const Legend&) = delete;

  void show(const std::vector<Entry>& entries);
  /// Positions it in a view of this height, below the title of the view if there is one.
  void layOut(int height, bool belowTitle);

 private:
  vtkRenderer* renderer_;
  std::vector<vtkSmartPointer<vtkTextActor>> lines_;
};

}  // namespace sulcus::ui::scene
