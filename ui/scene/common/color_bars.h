#pragma once

#include "ui/scene/common/color_bar.h"

#include <functional>
#include <map>
#include <memory>

namespace sulcus::ui::scene {

/// The color bars of a view, that of the topmost layer first. Owned by a scene, UI thread.
class ColorBars {
 public:
  /// `renderer` must outlive it.
  explicit ColorBars(vtkRenderer* renderer) : renderer_(renderer) {}

  /// Where they are, see ColorBar::layOut().
  struct Room {
    int width = 0, height = 0;
    double bottom = 0;
    bool across = false;
  };
  /// Shows a bar for each layer that has colors.
  ///
  /// @param colorsOf  called once for each layer, topmost first; null for one without a bar
  /// @return the height in points that they take along the bottom; 0 if they are vertical
  double show(const std::vector<SceneLayer>& layers,
              const std::function<LayerColors*(const SceneLayer&)>& colorsOf, const Room& room);

 private:
  vtkRenderer* renderer_;
  std::map<int, std::unique_ptr<ColorBar>> bars_;
};

}  // namespace sulcus::ui::scene
