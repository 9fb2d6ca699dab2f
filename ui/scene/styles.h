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

/// How displacement fields are drawn, in all views.
struct FieldStyle {
  enum class Shape { grid, arrows, magnitude };
  enum class Color { length, direction, plain };
  Shape shape = Shape::grid;
  Color color = Color::length;  ///< of lines and arrows; the magnitude is always colored by length
  int every = 0;  ///< voxels from one line or arrow to the next; 0: determined by the size of the field
  bool withoutAffine = false;  ///< what remains after subtracting the affine map that fits the field best

  friend bool operator==(const FieldStyle&, const FieldStyle&) = default;
};

/// The background of a 3D view, and the strength of the light from the viewer's direction.
struct SceneStyle {
  enum class Background { dark, black, white };
  Background background = Background::dark;
  double light = 1;

  friend bool operator==(const SceneStyle&, const SceneStyle&) = default;
};

/// How all views draw.
struct Styles {
  GlyphStyle glyphs{};
  FieldStyle fields{};
  SceneStyle scene{};
  bool planesBesideSurfaces = false;  ///< 3D views show images together with surfaces, which they may hide

  friend bool operator==(const Styles&, const Styles&) = default;
};

}  // namespace sulcus::ui::scene
