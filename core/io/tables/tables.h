#pragma once

#include "core/image/layer.h"

#include <string>
#include <string_view>
#include <vector>

// Tables as text. They are read in tables.cpp for openTable() and written in table_text.cpp.
namespace sulcus::io {

/// A line with the column names and a line for each row. Cells are quoted if needed, with quotes in them
/// doubled.
std::string tableText(const TableLayer& table, char separator);
/// Curves as a table: one row per x if all lines have the same x, else one row per point with its line's
/// name.
TableLayer tableOf(const CurveLayer& curves);

/// Whether a text has no control characters other than white space.
bool isPlainText(std::string_view text);

/// The cells of one line.
struct TableRow {
  std::vector<std::string> cells;
  int line = 0;  ///< line number in the file, from 1
};
/// The rows of a text whose lines end in '\n'. Cells are separated by `separator`, where ' ' stands for any
/// number of blanks and tabs. Quoted cells may contain separators, line ends and doubled quotes. Empty lines
/// and lines that begin with # or % are left out. Messages name `name`. Throws Error if a quote is not closed
/// or there are too many cells.
std::vector<TableRow> tableRows(std::string_view text, char separator, const std::string& name);

}  // namespace sulcus::io
