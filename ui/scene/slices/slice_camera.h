#pragma once

#include "core/image/grids/slice_turn.h"

#include <string>

namespace sulcus::ui::scene {

/// The directions of the screen axes, unit vectors in world axes (RAS+).
struct ScreenAxes {
  Vec3<double> right, up;
  /// Out of the screen, towards the viewer.
  Vec3<double> towardViewer() const { return cross(right, up); }
};

/// The screen axes of the plane whose normal is axis `normal` (2 axial, 1 coronal, 0 sagittal) of the rotated
/// planes. Radiological: the patient's right is on the left of the screen. In sagittal planes the nose is
/// always on the left.
ScreenAxes sliceAxes(int normal, bool radiological, const SliceTurn& turn = {});

/// The letters among L R A P S I that describe a direction in world axes, the largest component first: "L",
/// or for an oblique direction "LA" or "LAS". Components of less than 1/8 (7 degrees) are left out.
std::string lettersOf(const Vec3<double>& direction);

/// An orthographic view of a plane in world space. Pixels count from the lower left corner of the view;
/// pixel centers are at +0.5.
struct SliceCamera {
  ScreenAxes axes;
  Vec3<double> center;  ///< of the view, mm; its component along the normal does not matter
  Vec3<double> plane;   ///< a point of the plane, mm
  double extent = 200;  ///< mm along the shorter side of the view
  int width = 1, height = 1;

  double millimetersPerPixel() const;
  /// The center of the view within the plane.
  Vec3<double> focus() const;
  Vec3<double> worldAt(double x, double y) const;
  /// x, y in pixels; z is the distance in front of the plane in mm.
  Vec3<double> pixelOf(const Vec3<double>& world) const;
};

}  // namespace sulcus::ui::scene
