#include "core/image/table_places.h"

#include "core/base/numbers.h"

#include <cmath>
#include <string_view>

namespace sulcus {

std::vector<PlaceColumns> placeColumns(const TableLayer& table) {
  constexpr std::string_view kX = "x_mm", kY = "y_mm", kZ = "z_mm";
  std::vector<PlaceColumns> found;
  for (std::size_t i = 0; i + 2 < table.columns.size(); ++i) {
    const std::string_view x = table.columns[i];
    if (!x.ends_with(kX)) continue;
    const std::string beginning(x.substr(0, x.size() - kX.size()));
    if (table.columns[i + 1] != beginning + std::string(kY) ||
        table.columns[i + 2] != beginning + std::string(kZ))
      continue;
    found.push_back({beginning.substr(0, beginning.find_last_not_of('_') + 1), i});
  }
  return found;
}

std::optional<Vec3<double>> placeIn(const TableLayer& table, std::size_t row, const PlaceColumns& columns) {
  if (row >= table.rows.size()) return {};
  Vec3<double> place;
  for (int axis = 0; axis < 3; ++axis) {
    const std::size_t at = columns.first + std::size_t(axis);
    const auto number = at < table.rows[row].size() ? numberIn(table.rows[row][at]) : std::nullopt;
    if (!number || !std::isfinite(*number)) return {};
    place[axis] = *number;
  }
  return place;
}

std::optional<Vec3<double>> placeOfRow(const TableLayer& table, std::size_t row) {
  const auto columns = placeColumns(table);
  return columns.empty() ? std::nullopt : placeIn(table, row, columns.front());
}

bool isLandmarks(const Layer& layer) {
  const auto* table = std::get_if<TableLayer>(&layer.content);
  return table && !table->columns.empty() && table->columns[0] == "landmark" && !placeColumns(*table).empty();
}

bool isDrawn(const Layer& layer) {
  const bool numbersOnly =
      std::holds_alternative<TableLayer>(layer.content) || std::holds_alternative<CurveLayer>(layer.content);
  return !numbersOnly || isLandmarks(layer);
}

}  // namespace sulcus
