#pragma once

namespace sulcus::ui::widgets {

/// How views are drawn as a picture.
struct PictureStyle {
  enum class Background { asOnScreen, black, white, transparent };
  int scale = 1;  ///< multiple of the size on screen, 1–4; including text and lines
  Background background = Background::asOnScreen;  ///< where there is no image
  bool annotations = true;                         ///< letters, crosshair, color bars, legends

  friend bool operator==(const PictureStyle&, const PictureStyle&) = default;
};

}  // namespace sulcus::ui::widgets
