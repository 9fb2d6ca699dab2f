#pragma once

#include "core/image/grids/slice_turn.h"
#include "core/image/layer.h"
#include "ui/scene/volume3d/mesh_index.h"

#include <optional>
#include <vector>

class vtkAbstractMapper;

namespace sulcus::ui::scene {

/// The axis of the plane along which something is cut open, 0 x, 1 y, 2 z; none where it is whole, loses an
/// octant or is cut across the line of sight.
std::optional<int> cutAxis(Cut cut);

/// The plane through `at` along which something is cut open, its normal towards the half that is taken away,
/// in which `eye` lies. None where it is whole or loses an octant.
///
/// @param ahead  where the eye looks, a unit vector
std::optional<CutPlane> cutPlane(Cut cut, const Vec3<double>& at, const SliceTurn& turn,
                                 const Vec3<double>& eye, const Vec3<double>& ahead);

/// Leaves out of what is drawn the half before each of some planes; nothing without any.
void clip(vtkAbstractMapper& mapper, const std::vector<CutPlane>& planes);
void clip(vtkAbstractMapper& mapper, const std::optional<CutPlane>& plane);

}  // namespace sulcus::ui::scene
