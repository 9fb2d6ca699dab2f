#pragma once

#include "ui/scene/scene_layer.h"
#include "ui/scene/styles.h"

#include <string>
#include <vector>

namespace sulcus::ui::scene {

/// What a view asks of its scene. Pixels count from the lower left corner. UI thread only.
class Scene {
 public:
  Scene() = default;
  virtual ~Scene() = default;
  Scene(const Scene&) = delete;
  Scene& operator=(const Scene&) = delete;

  /// The layers to draw, bottom to top. Those that stay keep their pipeline.
  virtual void setLayers(std::vector<SceneLayer> layers) = 0;
  virtual void setStyles(const Styles& styles) = 0;
  /// Updates everything for the size of the window and draws. True if there is more to draw, e.g. because
  /// this frame was quick enough for more glyphs.
  virtual bool render() = 0;
  /// Whether glyphs are fewer, or something is coarser, than at rest.
  virtual bool leavesOut() const { return false; }
  /// Shows all glyphs again, until frames turn out to be slow.
  virtual void showAllGlyphs() {}
  /// The warning whose sign is at a pixel; or "".
  virtual std::string warningAt(double x, double y) const = 0;
};

}  // namespace sulcus::ui::scene
