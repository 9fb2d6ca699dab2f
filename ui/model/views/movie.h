#pragma once

#include "core/image/layer.h"
#include "ui/model/views/view_state.h"

#include <QString>
#include <array>
#include <vector>

namespace sulcus::ui::model {

/// What moves: the 3D view around its middle, the slices through an image, the volumes of a series, or the
/// iterations of a run.
enum class MovieKind { turntable, slices, volumes, iterations };

/// A movie to be made of the views as they are on screen.
struct MovieOptions {
  MovieKind kind = MovieKind::turntable;
  Plane plane = Plane::axial;  ///< of slices
  int frames = 72;
  double framesPerSecond = 24;
  int scale = 1;  ///< times the size on screen
  QString file;   ///< .mp4, else a folder of pictures
};

/// Position, focus and up of a camera, mm RAS+.
using CameraVectors = std::array<Vec3<double>, 3>;

/// `frames` cameras once around the axis from foot to head through the focus, beginning with `camera`.
std::vector<CameraVectors> turntable(const CameraVectors& camera, int frames);
/// `frames` places of the crosshair from the first to the last slice of a grid along a plane's unit normal.
std::vector<Vec3<double>> sweep(const Grid& grid, const Vec3<double>& normal, const Vec3<double>& crosshair,
                                int frames);
/// `frames` numbers from `first` to `last`, evenly.
std::vector<int> countUp(int first, int last, int frames);
/// How many slices a sweep through an image can show; 0 for what lies on no grid.
int slicesAcross(const Layer& image, const Vec3<double>& normal);

}  // namespace sulcus::ui::model
