#pragma once

#include "core/image/grids/slice_turn.h"

#include <string>

namespace sulcus::ui::scene {

/// Where the axes of the screen point, unit vectors in world axes (RAS+).
struct ScreenAxes {
  Vec3<double> right, up;
  /// Out of the screen.
  Vec3<double> towardViewer() const { return cross(right, up); }
};

/// The screen axes of the plane whose normal is axis `normal` (2 axial, 1 coronal, 0 sagittal) of the turned
/// planes. Radiological: the patient's right at the left of the screen. Sagittal planes have the nose at the
/// left either way.
ScreenAxes sliceAxes(int normal, bool radiological, const SliceTurn& turn = {});

/// What of L R A P S I a direction in world axes points to, the nearest first: "L", obliquely "LA" or "LAS".
/// Parts of less than 1/8 (7 degrees) are left out.
std::string lettersOf(const Vec3<double>& direction);

/// An orthographic view of a plane in world space. Pixels count from the lower left corner of the view;
/// pixel centers are at +0.5.
struct SliceCamera {
  ScreenAxes axes;
  Vec3<double> center;  ///< shown in the middle of the view, mm; its part along the normal does not matter
  Vec3<double> plane;   ///< a point of the plane, mm
  double extent = 200;  ///< mm along the shorter side of the view
  int width = 1, height = 1;

  double millimetresPerPixel() const;
  /// The middle of the view within the plane.
  Vec3<double> focus() const;
  Vec3<double> worldAt(double x, double y) const;
  /// x, y in pixels; z is the distance in front of the plane in mm.
  Vec3<double> pixelOf(const Vec3<double>& world) const;
};

}  // namespace sulcus::ui::scene
