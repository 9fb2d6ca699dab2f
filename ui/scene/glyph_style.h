#pragma once

namespace sulcus::ui::scene {

/// How fiber directions are drawn.
struct GlyphStyle {
  enum class Shape { sticks, lobes, both };
  Shape shape = Shape::sticks;
  double scale = 1;        ///< 1: the largest glyph fills its voxel
  double lineWidth = 2.5;  ///< of sticks, in points of 1/72 inch at 72 dpi (pixels of an ordinary screen)

  friend bool operator==(const GlyphStyle&, const GlyphStyle&) = default;
};

}  // namespace sulcus::ui::scene
