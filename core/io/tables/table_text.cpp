#include "core/base/error.h"
#include "core/base/numbers.h"
#include "core/io/tables/tables.h"

#include <algorithm>
#include <charconv>

namespace sulcus::io {
namespace {

constexpr std::size_t kMostCells = 5'000'000;

bool isBlank(char c) { return c == ' ' || c == '\t'; }

/// Reads the cells of a text sequentially.
class CellReader {
 public:
  CellReader(std::string_view text, char separator, const std::string& name)
      : text_(text), separator_(separator), name_(name) {}

  std::vector<TableRow> rows() {
    std::vector<TableRow> rows;
    while (at_ < text_.size()) {
      const char first = text_[at_];
      const std::size_t end = std::min(text_.find('\n', at_), text_.size());
      const bool empty = text_.substr(at_, end - at_).find_first_not_of(" \t") == text_.npos;
      if (first == '#' || first == '%' || empty) {
        at_ = end;
        endLine();
        continue;
      }
      rows.push_back(row());
    }
    return rows;
  }

 private:
  TableRow row() {
    TableRow row;
    row.line = line_;
    if (separator_ == ' ') skipBlanks();
    for (;;) {
      row.cells.push_back(cell());
      if (++cells_ > kMostCells)
        throw Error(name_ + " has more than " + std::to_string(kMostCells) + " cells",
                    "Sulcus supports no table that large", "check that it is the right file");
      if (at_ >= text_.size() || text_[at_] == '\n') break;
      if (separator_ != ' ') {
        ++at_;
        continue;
      }
      skipBlanks();
      if (at_ >= text_.size() || text_[at_] == '\n') break;
    }
    endLine();
    return row;
  }

  bool endsCell(char c) const { return c == '\n' || (separator_ == ' ' ? isBlank(c) : c == separator_); }
  void skipBlanks() {
    while (at_ < text_.size() && isBlank(text_[at_]) && text_[at_] != separator_) ++at_;
    while (separator_ == ' ' && at_ < text_.size() && isBlank(text_[at_])) ++at_;
  }
  void endLine() {
    if (at_ < text_.size()) {
      ++at_;
      ++line_;
    }
  }

  std::string cell() {
    skipBlanks();
    if (at_ < text_.size() && text_[at_] == '"') return quotedCell();
    const std::size_t start = at_;
    while (at_ < text_.size() && !endsCell(text_[at_])) ++at_;
    std::size_t end = at_;
    while (end > start && isBlank(text_[end - 1])) --end;
    return std::string(text_.substr(start, end - start));
  }

  std::string quotedCell() {
    const int opened = line_;
    std::string cell;
    for (++at_; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (c == '\n') ++line_;
      if (c != '"') {
        cell += c;
      } else if (at_ + 1 < text_.size() && text_[at_ + 1] == '"') {
        cell += c;
        ++at_;
      } else {
        ++at_;
        std::string behind;  // the text after the closing quote
        while (at_ < text_.size() && !endsCell(text_[at_])) behind += text_[at_++];
        while (!behind.empty() && isBlank(behind.back())) behind.pop_back();
        return cell + behind;
      }
    }
    throw Error(name_ + " has a quote in line " + std::to_string(opened) + " that is never closed",
                "it cannot be said where that cell ends", "correct that line");
  }

  std::string_view text_;
  char separator_;
  const std::string& name_;
  std::size_t at_ = 0, cells_ = 0;
  int line_ = 1;
};

std::string cellText(const std::string& cell, char separator, bool startsLine) {
  const bool comment = startsLine && (cell.starts_with('#') || cell.starts_with('%'));
  const bool edges = !cell.empty() && (isBlank(cell.front()) || isBlank(cell.back()));
  const bool plain =
      !comment && !edges && cell.find_first_of("\"\r\n\t") == cell.npos && cell.find(separator) == cell.npos;
  if (plain) return cell;
  std::string text = "\"";
  for (const char c : cell) text.append(c == '"' ? 2 : 1, c);
  return text + '"';
}

std::string lineText(const std::vector<std::string>& cells, char separator) {
  std::string text;
  for (std::size_t c = 0; c < cells.size(); ++c) {
    if (c > 0) text += separator;
    // An empty line would not be read as a row.
    text += cells.size() == 1 && cells[c].empty() ? "n/a" : cellText(cells[c], separator, c == 0);
  }
  return text + '\n';
}

/// The shortest text that reads back as the same number; "n/a" for NaN.
std::string exactText(double value) {
  if (value != value) return "n/a";
  char text[32];
  const auto end = std::to_chars(text, text + sizeof text, value).ptr;
  return std::string(text, std::size_t(end - text));
}

}  // namespace

std::vector<TableRow> tableRows(std::string_view text, char separator, const std::string& name) {
  return CellReader(text, separator, name).rows();
}

std::string tableText(const TableLayer& table, char separator) {
  std::string text = lineText(table.columns, separator);
  for (const auto& row : table.rows) text += lineText(row, separator);
  return text;
}

TableLayer tableOf(const CurveLayer& curves) {
  TableLayer table;
  const std::string x = curves.xLabel.empty() ? "x" : curves.xLabel;
  const bool common = std::all_of(curves.lines.begin(), curves.lines.end(),
                                  [&](const auto& line) { return line.x == curves.lines.front().x; });
  if (!common) {
    table.columns = {"line", x, curves.yLabel.empty() ? "y" : curves.yLabel};
    for (const auto& line : curves.lines)
      for (std::size_t i = 0; i < line.x.size(); ++i)
        table.rows.push_back({line.name, exactText(line.x[i]), exactText(line.y[i])});
    return table;
  }
  table.columns = {x};
  for (const auto& line : curves.lines) table.columns.push_back(line.name);
  if (curves.lines.empty()) return table;
  for (std::size_t i = 0; i < curves.lines.front().x.size(); ++i) {
    table.rows.push_back({exactText(curves.lines.front().x[i])});
    for (const auto& line : curves.lines) table.rows.back().push_back(exactText(line.y[i]));
  }
  return table;
}

}  // namespace sulcus::io
