#pragma once

#include "core/math/vec3.h"

#include <vector>

class vtkRenderer;

namespace sulcus::ui::scene {

/// The position of a 3D view's camera, mm RAS+.
struct CameraPose {
  Vec3<double> position{0, -1, 0}, focus{}, up{0, 0, 1};
  friend bool operator==(const CameraPose&, const CameraPose&) = default;
};

/// The camera of a 3D view. Pixels count from the lower left corner. Owned by a scene, UI thread.
class Camera3d {
 public:
  /// `renderer` must outlive it.
  explicit Camera3d(vtkRenderer* renderer) : renderer_(renderer) {}

  CameraPose pose() const;
  void setPose(const CameraPose& pose);
  /// The camera covers the same extent along the shorter side of every view, so that linked views show the
  /// same amount.
  void fitShorterSide();
  /// Moves it back until all of these are visible, and no further.
  void frame(const std::vector<Vec3<double>>& points);

  /// The line of sight through a pixel, from where drawing begins.
  struct Sight {
    Vec3<double> from, along;  ///< mm RAS+; a unit vector
  };
  Sight sightAt(double x, double y) const;
  /// The position at a pixel that is as far away as `like` along the viewing direction.
  Vec3<double> placeAt(double x, double y, const Vec3<double>& like) const;
  /// The pixel of a position; z is 1 before the camera and 0 behind it.
  Vec3<double> pixelOf(const Vec3<double>& world) const;

 private:
  /// `depth`: 0…1 from where drawing begins to where it ends.
  Vec3<double> worldAt(double x, double y, double depth) const;
  /// The pixel of a position, and its depth.
  Vec3<double> displayOf(const Vec3<double>& world) const;

  vtkRenderer* renderer_;
};

}  // namespace sulcus::ui::scene
