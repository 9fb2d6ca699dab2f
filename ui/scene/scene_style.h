#pragma once

namespace sulcus::ui::scene {

/// The background of a 3D view, and the strength of the light from the viewer's direction.
struct SceneStyle {
  enum class Background { dark, black, white };
  Background background = Background::dark;
  double light = 1;

  friend bool operator==(const SceneStyle&, const SceneStyle&) = default;
};

}  // namespace sulcus::ui::scene
