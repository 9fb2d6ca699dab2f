#pragma once

#include "core/image/grids/slice_turn.h"
#include "core/image/layer.h"
#include "ui/scene/volume3d/mesh_index.h"

#include <optional>
#include <vector>

class vtkAbstractMapper;

namespace sulcus::ui::scene {

/// The axis perpendicular to the plane along which something is cut open, 0 x, 1 y, 2 z; none if it is whole,
/// loses an octant or is cut perpendicular to the line of sight.
std::optional<int> cutAxis(Cut cut);

/// The plane through `at` along which something is cut open, with its normal towards the half that is
/// removed, on the side of `eye`. None if it is whole or loses an octant.
///
/// @param ahead the viewing direction, a unit vector
std::optional<CutPlane> cutPlane(Cut cut, const Vec3<double>& at, const SliceTurn& turn,
                                 const Vec3<double>& eye, const Vec3<double>& ahead);

/// Clips the half in front of each of some planes from what is drawn; no effect without planes.
void clip(vtkAbstractMapper& mapper, const std::vector<CutPlane>& planes);
void clip(vtkAbstractMapper& mapper, const std::optional<CutPlane>& plane);

}  // namespace sulcus::ui::scene
