#pragma once

#include "core/image/layer.h"

#include <string>
#include <string_view>
#include <vector>

// Tables as text: reading is tables.cpp, which openTable is made of; writing is table_text.cpp.
namespace sulcus::io {

/// Lines of a header and cells; a cell that needs it is quoted, quotes in it doubled.
std::string tableText(const TableLayer& table, char separator);
/// One row per x where all lines have the same x, else one row per point with the line's name.
TableLayer tableOf(const CurveLayer& curves);

/// Cells of one line.
struct TableRow {
  std::vector<std::string> cells;
  int line = 0;  ///< of the file, from 1
};
/// Cells of `text`, whose lines end in '\n', parted by `separator`; ' ' stands for any number of blanks and
/// tabs. Quoted cells may hold separators, line ends and doubled quotes. Lines that are empty, or start with
/// # or %, are no rows. `name` is the file's in messages; throws Error when a quote is not closed or there
/// are too many cells.
std::vector<TableRow> tableRows(std::string_view text, char separator, const std::string& name);

}  // namespace sulcus::io
