#pragma once

#include "core/image/grid.h"

#include <QString>
#include <optional>

namespace sulcus::ui::model {

/// A scanner position, mm RAS+, from typed text: "12 -3.5 40", "12; -3,5; 40", or with letters in any order,
/// "L 12 A 3.5 S 40". None if it is ambiguous.
std::optional<Vec3<double>> positionFrom(const QString& text);

/// Three integers, the voxel of a grid counted from 0: "64, 61, 30". None if they are not integers or lie
/// outside the grid.
std::optional<Vec3<int>> voxelFrom(const QString& text, const Grid& grid);

/// "MNI" or "Talairach" if the coordinates of a grid are declared to be those of the atlas; else "".
QString atlasOf(const Grid& grid);

}  // namespace sulcus::ui::model
