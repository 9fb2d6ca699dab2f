#pragma once

namespace sulcus::ui::widgets {

/// How views are drawn as a picture.
struct PictureStyle {
  enum class Background { asOnScreen, black, white, transparent };
  int scale = 1;  ///< times the size on screen, 1–4; text and lines included
  Background background = Background::asOnScreen;  ///< where no image is
  bool annotations = true;                         ///< letters, crosshair, color bars, legends

  friend bool operator==(const PictureStyle&, const PictureStyle&) = default;
};

}  // namespace sulcus::ui::widgets
