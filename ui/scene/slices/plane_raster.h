#pragma once

#include "core/image/grid.h"
#include "ui/scene/slices/slice_camera.h"

#include <vector>

namespace sulcus::ui::scene {

/// Pixels on a plane in world space: pixel (i, j) has its center at origin + i·right + j·up.
struct PlaneRaster {
  Vec3<double> origin, right, up;  ///< mm
  int width = 0, height = 0;
  friend bool operator==(const PlaneRaster&, const PlaneRaster&) = default;
};
/// The pixels of a view in which a grid is visible, coarser ones if there are more than `most`.
PlaneRaster rasterOf(const SliceCamera& camera, const Grid& grid, int most);
/// As fine as the finest voxels of some grids, or with `perVoxel` pixels along their edge, covering all grids
/// that a plane through `point` cuts.
PlaneRaster rasterOf(const std::vector<const Grid*>& grids, const ScreenAxes& axes, const Vec3<double>& point,
                     int perVoxel = 1);

}  // namespace sulcus::ui::scene
