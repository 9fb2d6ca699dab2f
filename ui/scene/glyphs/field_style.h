#pragma once

namespace sulcus::ui::scene {

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

}  // namespace sulcus::ui::scene
