#pragma once

#include "core/image/layer.h"
#include "ui/model/views/view_state.h"

#include <QString>
#include <array>
#include <vector>

namespace sulcus::ui::model {

/// What changes: the 3D view around its center, the slices through an image, the volumes of a series, or the
/// iterations of a run.
enum class MovieKind { turntable, slices, volumes, iterations };

/// Options for a movie of the views as they are on screen.
struct MovieOptions {
  MovieKind kind = MovieKind::turntable;
  Plane plane = Plane::axial;  ///< for slices
  int frames = 72;
  double framesPerSecond = 24;
  int scale = 1;  ///< multiple of the size on screen
  QString file;   ///< .mp4, otherwise a folder of pictures
};

/// Position, focus and up of a camera, mm RAS+.
using CameraVectors = std::array<Vec3<double>, 3>;

/// `frames` cameras in one full turn around the foot–head axis through the focus, beginning with `camera`.
std::vector<CameraVectors> turntable(const CameraVectors& camera, int frames);
/// `frames` crosshair positions from the first to the last slice of a grid along a plane's unit normal.
std::vector<Vec3<double>> sweep(const Grid& grid, const Vec3<double>& normal, const Vec3<double>& crosshair,
                                int frames);
/// `frames` numbers from `first` to `last`, evenly spaced.
std::vector<int> countUp(int first, int last, int frames);
/// The number of slices in a sweep through an image; 0 without a grid.
int slicesAcross(const Layer& image, const Vec3<double>& normal);

}  // namespace sulcus::ui::model
