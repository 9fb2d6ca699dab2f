#pragma once

#include "core/image/grid.h"

#include <QString>
#include <optional>

namespace sulcus::ui::model {

/// A place of the scanner, mm RAS+, from what someone typed: "12 -3.5 40", "12; -3,5; 40", or with letters in
/// any order, "L 12 A 3.5 S 40". Nothing where it is ambiguous.
std::optional<Vec3<double>> placeFrom(const QString& text);

/// Three whole numbers, the voxel of a grid counted from 0: "64, 61, 30". Nothing where they are none or lie
/// outside of the grid.
std::optional<Vec3<int>> voxelFrom(const QString& text, const Grid& grid);

/// "MNI" or "Talairach" where the coordinates of a grid are said to be those of the atlas; else "".
QString atlasOf(const Grid& grid);

}  // namespace sulcus::ui::model
