#pragma once

namespace sulcus::ui::scene {

/// How fiber directions are drawn.
struct GlyphStyle {
  /// Ellipsoids are those of diffusion tensors; lobes where there is none.
  enum class Shape { sticks, lobes, both, ellipsoids };
  Shape shape = Shape::sticks;
  double scale = 1;        ///< 1: the largest glyph fills its voxel
  double lineWidth = 2.5;  ///< of sticks, in points of 1/72 inch at 72 dpi (pixels on an ordinary screen)

  double tractWidth = 1.2;  ///< of the lines of tracts, in the same unit

  bool wantsSticks() const { return shape == Shape::sticks || shape == Shape::both; }
  bool wantsSurfaces() const { return shape != Shape::sticks; }

  friend bool operator==(const GlyphStyle&, const GlyphStyle&) = default;
};

}  // namespace sulcus::ui::scene
