#pragma once

namespace sulcus::ui::scene {

/// How fiber directions are drawn.
struct GlyphStyle {
  /// Ellipsoids are those of diffusion tensors; where there is none, lobes.
  enum class Shape { sticks, lobes, both, ellipsoids };
  Shape shape = Shape::sticks;
  double scale = 1;        ///< 1: the largest glyph fills its voxel
  double lineWidth = 2.5;  ///< of sticks, in points of 1/72 inch at 72 dpi (pixels of an ordinary screen)

  double tractWidth = 1.2;  ///< of the lines of tracts, as lineWidth

  bool wantsSticks() const { return shape == Shape::sticks || shape == Shape::both; }
  bool wantsSurfaces() const { return shape != Shape::sticks; }

  friend bool operator==(const GlyphStyle&, const GlyphStyle&) = default;
};

}  // namespace sulcus::ui::scene
