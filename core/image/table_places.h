#pragma once

#include "core/image/layer.h"

#include <optional>
#include <string>
#include <vector>

// Positions in tables, mm RAS+.
namespace sulcus {

/// Three consecutive columns that hold positions, named x_mm, y_mm and z_mm after a common prefix.
struct PlaceColumns {
  std::string name;       ///< "reference" of reference_x_mm; empty without a prefix
  std::size_t first = 0;  ///< index of the x column
};

std::vector<PlaceColumns> placeColumns(const TableLayer& table);

/// The position in a row. nullopt unless there are three finite numbers.
std::optional<Vec3<double>> placeIn(const TableLayer& table, std::size_t row, const PlaceColumns& columns);

/// The first position in a row. nullopt if there is none.
std::optional<Vec3<double>> placeOfRow(const TableLayer& table, std::size_t row);

/// Whether the layer is a table of landmarks, which is drawn: its first column is called landmark and names
/// them, and other columns hold their positions.
bool isLandmarks(const Layer& layer);

/// Whether the layer is drawn in views: all but curves and tables other than landmarks.
bool isDrawn(const Layer& layer);

}  // namespace sulcus
