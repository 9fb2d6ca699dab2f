#pragma once

namespace sulcus::ui::scene {

/// What stands behind a 3D view, and how strong the light is that shines from the eye.
struct SceneStyle {
  enum class Background { dark, black, white };
  Background background = Background::dark;
  double light = 1;

  friend bool operator==(const SceneStyle&, const SceneStyle&) = default;
};

}  // namespace sulcus::ui::scene
