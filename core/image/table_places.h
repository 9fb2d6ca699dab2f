#pragma once

#include "core/image/layer.h"

#include <optional>
#include <string>
#include <vector>

// Places that tables hold, mm RAS+.
namespace sulcus {

/// Three columns in succession that hold places, called x_mm, y_mm and z_mm after a common beginning.
struct PlaceColumns {
  std::string name;       ///< "reference" of reference_x_mm; empty without a beginning
  std::size_t first = 0;  ///< the column of x
};

std::vector<PlaceColumns> placeColumns(const TableLayer& table);

/// The place in a row. None where there are no three finite numbers.
std::optional<Vec3<double>> placeIn(const TableLayer& table, std::size_t row, const PlaceColumns& columns);

/// Where a row leads: its first place. None where it has none.
std::optional<Vec3<double>> placeOfRow(const TableLayer& table, std::size_t row);

/// Whether the layer is a table of landmarks, which is drawn: its first column, called landmark, names them,
/// and others hold their places.
bool isLandmarks(const Layer& layer);

/// Whether the layer is seen in views: all but tables and curves, and tables of landmarks.
bool isDrawn(const Layer& layer);

}  // namespace sulcus
