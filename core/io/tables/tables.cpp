#include "core/io/tables/tables.h"

#include "core/base/error.h"
#include "core/base/missing.h"
#include "core/base/numbers.h"
#include "core/base/sentence.h"
#include "core/base/utf8.h"
#include "core/image/transform_table.h"
#include "core/io/companions.h"
#include "core/io/files.h"
#include "core/io/formats.h"
#include "core/io/streams/byte_source.h"
#include "core/io/tables/itk_transforms.h"
#include "core/io/volumes/header_text.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <utility>

namespace sulcus::io {
namespace {

namespace fs = std::filesystem;
using Cells = std::vector<std::string>;

constexpr std::uint64_t kLargestTable = 64'000'000;  // bytes
constexpr std::size_t kMostColumns = 10'000;

/// Bytes of Windows-1252 as UTF-8.
std::string fromWindows(std::string_view bytes) {
  // 0x80…0x9f; 0 where nothing is assigned.
  constexpr char32_t kSpecial[] = {0x20ac, 0,      0x201a, 0x192,  0x201e, 0x2026, 0x2020, 0x2021,
                                   0x2c6,  0x2030, 0x160,  0x2039, 0x152,  0,      0x17d,  0,
                                   0,      0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014,
                                   0x2dc,  0x2122, 0x161,  0x203a, 0x153,  0,      0x17e,  0x178};
  std::string text;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    const bool isSpecial = byte >= 0x80 && byte < 0xa0 && kSpecial[byte - 0x80] != 0;
    appendUtf8(text, isSpecial ? kSpecial[byte - 0x80] : char32_t(byte));
  }
  return text;
}

/// The text of a file, with '\n' as line end and without byte-order mark. Throws Error if it is not text.
std::string readText(const fs::path& file, Notes& notes) {
  const auto refuse = [&](const std::string& what, const std::string& whatToDo) {
    throw Error(quoted(file) + " is not a text table", what, whatToDo);
  };
  std::string text = openText(file, kLargestTable);
  if (!isPlainText(text)) refuse("it holds binary data", "save it as tab- or comma-separated text");
  if (withoutStrayBytes(text) != text) {
    text = fromWindows(text);
    notes.emplace_back("Its letters are not in UTF-8 and were read as Windows-1252.");
  }
  const auto first = text.find_first_not_of(" \t\r\n");
  if (first != text.npos && (text[first] == '{' || text[first] == '[' || text[first] == '<'))
    refuse("it looks like JSON or a web page", "choose the table itself");
  return text;
}

/// The first line that is a row, and the comment before it without its mark.
std::pair<std::string, std::string> firstLines(const std::string& text) {
  std::string comment;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string line = text.substr(at, end - at);
    at = end + 1;
    if (line.find_first_not_of(" \t") == line.npos) continue;
    if (line[0] != '#' && line[0] != '%') return {line, comment};
    comment = line.substr(1);
  }
  return {"", comment};
}

/// The separator of a line outside of quotes: tab, semicolon, comma or blanks.
char separatorOf(const std::string& line) {
  bool inside = false;
  std::set<char> found;
  for (const char c : line) {
    if (c == '"') inside = !inside;
    if (!inside) found.insert(c);
  }
  for (const char separator : {'\t', ';', ','})
    if (found.count(separator)) return separator;
  return ' ';
}

const char* nameOf(char separator) {
  switch (separator) {
    case '\t':
      return "tab-separated values";
    case ';':
      return "semicolon-separated values";
    case ',':
      return "comma-separated values";
    default:
      return "values separated by spaces";
  }
}

bool isNumberOrMissing(const std::string& cell) { return saysMissing(cell) || numberIn(cell); }

bool isHeader(const Cells& cells) { return !std::all_of(cells.begin(), cells.end(), isNumberOrMissing); }

/// Replaces the only comma of a cell by a point.
std::string pointed(std::string cell) {
  if (std::count(cell.begin(), cell.end(), ',') == 1) cell[cell.find(',')] = '.';
  return cell;
}

/// Whether a comma may separate thousands: 1,234.
bool mayPartThousands(const std::string& cell) {
  const auto comma = cell.find(','), first = cell.find_first_of("123456789");
  return cell.size() - comma == 4 && first < comma && comma - first <= 3;
}

/// Replaces decimal commas by points in columns that hold nothing but numbers, except perhaps a header.
/// Returns whether there were any.
bool takeDecimalCommas(std::vector<TableRow>& rows) {
  bool found = false;
  for (std::size_t c = 0; c < rows[0].cells.size(); ++c) {
    const auto isNumber = [c](const TableRow& row) { return isNumberOrMissing(pointed(row.cells[c])); };
    const auto isClear = [c](const TableRow& row) {
      return row.cells[c].find(',') != std::string::npos && !mayPartThousands(row.cells[c]);
    };
    const auto first = rows.begin() + (isNumber(rows[0]) ? 0 : 1);
    if (!std::all_of(first, rows.end(), isNumber) || std::none_of(first, rows.end(), isClear)) continue;
    std::for_each(first, rows.end(), [c](TableRow& row) { row.cells[c] = pointed(row.cells[c]); });
    found = true;
  }
  return found;
}

/// Whether all rows have the same number of cells.
bool isEven(const std::vector<TableRow>& rows) {
  return std::all_of(rows.begin(), rows.end(),
                     [&](const TableRow& row) { return row.cells.size() == rows.back().cells.size(); });
}

/// Whether all rows have the same number of cells and are numbers, except perhaps a header. Such tables may
/// be separated by blanks and tabs together.
bool isMatrix(const std::vector<TableRow>& rows) {
  return !rows.empty() && isEven(rows) &&
         std::none_of(rows.begin() + 1, rows.end(), [](const TableRow& row) { return isHeader(row.cells); });
}

/// Whether the header has one cell fewer than all rows, as R writes it if rows have names.
bool hasRowNames(const std::vector<TableRow>& rows) {
  return rows.size() > 1 && isHeader(rows[0].cells) &&
         std::all_of(rows.begin() + 1, rows.end(),
                     [&](const TableRow& row) { return row.cells.size() == rows[0].cells.size() + 1; });
}

/// Removes the last cell of all rows if it is always empty, as for lines that end with a separator, and rows
/// that consist of separators.
void dropEmptyEnds(std::vector<TableRow>& rows) {
  std::erase_if(rows, [](const TableRow& row) {
    return std::all_of(row.cells.begin(), row.cells.end(), [](const auto& cell) { return cell.empty(); });
  });
  const auto endsEmpty = [](const TableRow& row) { return row.cells.size() > 1 && row.cells.back().empty(); };
  while (!rows.empty() && std::all_of(rows.begin(), rows.end(), endsEmpty))
    for (auto& row : rows) row.cells.pop_back();
}

void requireEven(const std::vector<TableRow>& rows, const std::string& name) {
  for (const TableRow& row : rows)
    if (row.cells.size() != rows[0].cells.size())
      throw Error(name + " has lines of different lengths",
                  "line " + std::to_string(rows[0].line) + " has " +
                      counted(std::int64_t(rows[0].cells.size()), "cell") + " and line " +
                      std::to_string(row.line) + " has " + std::to_string(row.cells.size()),
                  "give every line as many cells, n/a where there is no value");
  if (!rows.empty() && rows[0].cells.size() > kMostColumns)
    throw Error(name + " has " + std::to_string(rows[0].cells.size()) + " columns",
                "Sulcus supports no table that wide", "check that it is the right file");
}

[[noreturn]] void failEmpty(const std::string& name) {
  throw Error(name + " holds no rows", "a table has at least one row of values",
              "check that it is the right file and complete");
}

/// Removes a first column without a name that counts the rows from 0 or 1, or holds R's row names.
void dropRowNumbers(TableLayer& table, Notes& notes) {
  if (table.columns.size() < 2 || !table.columns[0].empty()) return;
  const auto first = numberIn(table.rows[0][0]);
  bool counts = first && (*first == 0 || *first == 1);
  for (std::size_t row = 0; counts && row < table.rows.size(); ++row)
    counts = numberIn(table.rows[row][0]) == *first + double(row);
  if (!counts) return;
  table.columns.erase(table.columns.begin());
  for (auto& row : table.rows) row.erase(row.begin());
  notes.emplace_back("Its first column numbers the rows and was left out.");
}

void nameColumns(TableLayer& table, bool anyNames) {
  for (std::size_t c = 0; c < table.columns.size(); ++c)
    if (table.columns[c].empty()) table.columns[c] = (anyNames ? "column" : "reg") + std::to_string(c + 1);
}

std::string countText(const TableLayer& table) {
  return std::to_string(table.rows.size()) + " rows, " + std::to_string(table.columns.size()) + " columns";
}

TableLayer itkTable(const Affine& map, Notes& notes) {
  notes.emplace_back(
      "Recognized as a linear transform of ITK (mm, LPS); the numbers shown are for mm, RAS+.");
  return transformTable(map);
}

/// Whether a text is in the format of FSL for design matrices ("VEST"), which has lines of /Keyword value,
/// then /Matrix and numbers.
bool isFsl(const std::string& text) {
  return (text.starts_with('/') || text.find("\n/") != text.npos) && text.find("/Matrix") != text.npos;
}

TableLayer fslTable(const std::string& text, const std::string& name, Notes& notes) {
  const std::size_t matrix = text.find("/Matrix"), start = std::min(text.find('\n', matrix), text.size());
  const std::string_view head = std::string_view(text).substr(0, matrix);
  auto rows = tableRows(std::string_view(text).substr(start), ' ', name);
  for (auto& row : rows)
    row.line += int(std::count(text.begin(), text.begin() + std::ptrdiff_t(start), '\n'));
  if (rows.empty()) failEmpty(name);
  requireEven(rows, name);
  const auto announced = [&](const std::string& keyword, std::size_t found, const char* what) {
    const auto at = head.find(keyword);
    if (at == head.npos) return;
    const auto from = head.find_first_not_of(" \t", at + keyword.size());
    if (from == head.npos) return;
    const std::string_view number = head.substr(from, head.find_first_of(" \t\n", from) - from);
    if (numberIn(number) == double(found)) return;
    throw Error(name + " declares " + std::string(number.substr(0, 20)) + " " + what,
                "its matrix has " + std::to_string(found), "export the design again");
  };
  announced("/NumWaves", rows[0].cells.size(), "columns");
  announced("/NumPoints", rows.size(), "rows");
  TableLayer table;
  table.columns.resize(rows[0].cells.size());
  nameColumns(table, false);
  for (auto& row : rows) table.rows.push_back(std::move(row.cells));
  notes.push_back("Recognized as an FSL design: " + countText(table) + ".");
  return table;
}

/// Removes the line by which Excel is told the separator, "sep=;".
void dropSeparatorLine(std::string& text) {
  const std::size_t end = text.find('\n');
  if (end == 5 && (text.starts_with("sep=") || text.starts_with("SEP="))) text.erase(0, end + 1);
}

/// The rows of a text whose first row has this separator, which becomes a blank if columns are also separated
/// by blanks.
std::vector<TableRow> rowsOf(const std::string& text, char& separator, const std::string& name) {
  auto rows = tableRows(text, separator, name);
  dropEmptyEnds(rows);
  if (rows.empty()) failEmpty(name);
  if (separator == '\t' && text.find(' ') != text.npos) {
    auto byBlanks = tableRows(text, ' ', name);
    if (isMatrix(byBlanks) && (!isEven(rows) || byBlanks[0].cells.size() > rows[0].cells.size())) {
      separator = ' ';
      rows = std::move(byBlanks);
    }
  }
  if (hasRowNames(rows)) rows[0].cells.insert(rows[0].cells.begin(), "");
  requireEven(rows, name);
  return rows;
}

/// The names of the columns that a comment before the numbers gives; empty names if it gives none.
Cells namesInComment(const std::string& comment, std::size_t columns, const std::string& name) {
  // A certain comment marks the matrix as a linear transform.
  const TableLayer transform = transformTable({});
  if (columns == transform.columns.size() && trimmed("#" + comment) == kTransformComment)
    return transform.columns;
  // A last comment with one word per column names the columns, as NumPy writes it.
  const auto words = tableRows(comment, separatorOf(comment), name);
  const bool isNames = words.size() == 1 && words[0].cells.size() == columns && isHeader(words[0].cells);
  return isNames ? words[0].cells : Cells(columns);
}

TableLayer plainTable(std::string text, const std::string& name, Notes& notes) {
  dropSeparatorLine(text);
  const auto [line, comment] = firstLines(text);
  char separator = separatorOf(line);
  auto rows = rowsOf(text, separator, name);
  // As spreadsheets write tables in locales with a decimal comma.
  const bool commas = (separator == ';' || separator == '\t') && takeDecimalCommas(rows);
  TableLayer table;
  const bool header = isHeader(rows[0].cells);
  table.columns = header ? rows[0].cells : namesInComment(comment, rows[0].cells.size(), name);
  const bool named =
      std::ranges::any_of(table.columns, [](const std::string& column) { return !column.empty(); });
  for (std::size_t row = header ? 1 : 0; row < rows.size(); ++row)
    table.rows.push_back(std::move(rows[row].cells));
  if (table.rows.empty()) failEmpty(name);
  notes.push_back(std::string("Recognized as ") + nameOf(separator) + ": " + countText(table) +
                  (named ? ", named by its header." : ", without names."));
  if (commas) notes.emplace_back("Decimal commas were read as points.");
  if (named) dropRowNumbers(table, notes);
  nameColumns(table, named);
  return table;
}

}  // namespace

bool isPlainText(std::string_view text) {
  return std::ranges::none_of(text, [](char c) {
    return static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\n' && c != '\r' && c != '\f';
  });
}

Layer openTable(const fs::path& file, const Progress& progress) {
  Layer layer;
  layer.name = stemOf(file);
  layer.source = file.string();
  layer.stamp = stampOf(file);
  std::array<char, 128> start;
  if (isMatlabTransform({start.data(), ByteSource(file).readSome(start)})) {
    layer.content = itkTable(openMatlabTransform(file), layer.notes);
    progress.update(1);
    return layer;
  }
  const std::string text = readText(file, layer.notes), name = quoted(file);
  progress.update(0.5);
  if (isItkTransform(text))
    layer.content = itkTable(itkTransformIn(text, name), layer.notes);
  else
    layer.content = isFsl(text) ? fslTable(text, name, layer.notes) : plainTable(text, name, layer.notes);
  progress.update(1);
  return layer;
}

}  // namespace sulcus::io
