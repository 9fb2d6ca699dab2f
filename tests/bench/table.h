#pragma once

#include "core/base/provenance.h"
#include "tests/bench/growth.h"

#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <nlohmann/json_fwd.hpp>

// The columns of a benchmark are listed once; Markdown, JSON and CSV are generated from the list.

namespace sulcus::bench {

/// The value of a row in a column, in SI units; monostate: none.
using Cell = std::variant<std::monostate, std::string, std::int64_t, double, std::vector<StageTime>>;

/// Unit and digits of a number in Markdown: `scale` times the number in a printf format, "–" if the number is
/// not above `above`. Without a format, integers have all digits and other numbers four.
struct Shown {
  const char* pattern = nullptr;
  double scale = 1;
  double above = -std::numeric_limits<double>::infinity();
};
inline constexpr Shown kTwoDigits{"%.2f"}, kThreeDigits{"%.3f"}, kFourDigits{"%.4f"};
inline constexpr Shown kMilliseconds{"%.3g", 1e3, 0};  ///< "–" if not measured
inline constexpr Shown kPercent{"%.0f %%", 100, 0};
inline constexpr Shown kHostGigabytes{"%.2f", 1e-9}, kDeviceGigabytes{"%.3f", 1e-9};

struct ColumnHead {
  std::string name;   ///< in JSON and CSV
  std::string title;  ///< in Markdown; "" if not shown there
  Shown shown;
};

template <class Row>
struct Column {
  std::string name, title;
  std::function<Cell(const Row&)> cell;
  Shown shown = {};
};

struct Table {
  std::vector<ColumnHead> columns;
  std::vector<std::vector<Cell>> rows;
};

template <class Row>
Table tableOf(const std::vector<Row>& rows, const std::vector<Column<Row>>& columns) {
  Table table;
  for (const auto& column : columns) table.columns.push_back({column.name, column.title, column.shown});
  for (const auto& row : rows) {
    auto& cells = table.rows.emplace_back();
    for (const auto& column : columns) cells.push_back(column.cell(row));
  }
  return table;
}

/// The growth of the time with size; `rows` must outlive the column.
template <class Row>
Column<Row> growthColumn(const std::vector<Row>& rows) {
  const auto cell = [&rows](const Row& row) -> Cell {
    if (const auto exponent = growthExponent(rows, row)) return *exponent;
    return {};
  };
  return {"growthExponent", "growth", cell, kTwoDigits};
}

/// The text of a cell in Markdown.
std::string shownText(const Cell& cell, const Shown& shown);
std::string markdown(const Table& table);
/// An object for each row.
nlohmann::json jsonOf(const Table& table);
/// A line of names and one line for each row; text is quoted.
std::string csv(const Table& table);

}  // namespace sulcus::bench
