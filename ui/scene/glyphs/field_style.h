#pragma once

namespace sulcus::ui::scene {

/// How displacement fields are drawn, in every view.
struct FieldStyle {
  enum class Shape { grid, arrows, magnitude };
  enum class Color { length, direction, plain };
  Shape shape = Shape::grid;
  Color color = Color::length;  ///< of lines and arrows; the magnitude is always colored by length
  int every = 0;                ///< voxels from one line or arrow to the next; 0: chosen by the field's size
  bool withoutAffine = false;   ///< what remains when the affine map that fits the field best is taken off

  friend bool operator==(const FieldStyle&, const FieldStyle&) = default;
};

}  // namespace sulcus::ui::scene
