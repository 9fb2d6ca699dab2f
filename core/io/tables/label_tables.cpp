#include "core/io/tables/label_tables.h"

#include "core/base/error.h"
#include "core/base/sanitized.h"
#include "core/image/table_columns.h"
#include "core/io/companions.h"
#include "core/io/files.h"
#include "core/io/streams/byte_source.h"
#include "core/io/tables/tables.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <system_error>

namespace sulcus::io {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLongestLabelName = 80;
constexpr std::uintmax_t kLargestLabelFile = 4 << 20;  // bytes

std::optional<Label> wholeNumberIn(const std::string& text) {
  Label number = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
  return fault == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

std::optional<std::uint8_t> byteIn(const std::string& text) {
  const auto number = wholeNumberIn(text);
  return number && *number >= 0 && *number <= 255 ? std::optional(std::uint8_t(*number)) : std::nullopt;
}

/// The color in three cells starting at `first`.
std::optional<std::array<std::uint8_t, 3>> colorAt(const std::vector<std::string>& cells, std::size_t first) {
  std::array<std::uint8_t, 3> color{};
  for (std::size_t c = 0; c < 3; ++c) {
    const auto byte = first + c < cells.size() ? byteIn(cells[first + c]) : std::nullopt;
    if (!byte) return std::nullopt;
    color[c] = *byte;
  }
  return color;
}

/// "#1f77b4"
std::optional<std::array<std::uint8_t, 3>> hexColor(std::string text) {
  if (text.starts_with('#')) text.erase(0, 1);
  if (text.size() != 6) return std::nullopt;
  std::array<std::uint8_t, 3> color{};
  for (std::size_t c = 0; c < 3; ++c) {
    const char* const from = text.data() + 2 * c;
    if (std::from_chars(from, from + 2, color[c], 16).ptr != from + 2) return std::nullopt;
  }
  return color;
}

std::string joined(const std::vector<std::string>& cells, std::size_t first, std::size_t end) {
  std::string name;
  for (std::size_t i = first; i < end; ++i) name += (i > first ? " " : "") + cells[i];
  return sanitizedForDisplay(name, kLongestLabelName);
}

/// What follows the index in a line of ITK-SNAP (r g b alpha visible mesh "name"), of FreeSurfer (name r g b
/// a), of MRtrix (short name r g b a), or a name, optionally followed by a number.
LabelEntry entryAfterIndex(const std::vector<std::string>& cells) {
  const std::size_t count = cells.size();
  if (const auto color = colorAt(cells, 1); color && count >= 8) return {joined(cells, 7, count), color};
  for (const std::size_t numbers : {4, 3}) {
    if (count < numbers + 2) continue;
    const std::size_t end = count - numbers;
    if (const auto color = colorAt(cells, end)) return {joined(cells, end == 3 ? 2 : 1, end), color};
  }
  const bool number = count > 2 && wholeNumberIn(cells[count - 1]);
  return {joined(cells, 1, number ? count - 1 : count), std::nullopt};
}

/// A line that begins with an index, or one of AAL (short name index).
bool addLine(const std::vector<std::string>& cells, LabelTable& names) {
  const std::size_t count = cells.size();
  if (count < 2) return false;
  if (const auto label = wholeNumberIn(cells[0])) {
    names[*label] = entryAfterIndex(cells);
    return true;
  }
  const auto label = wholeNumberIn(cells[count - 1]);
  if (label) names[*label] = {joined(cells, count == 3 ? 1 : 0, count - 1), std::nullopt};
  return label.has_value();
}

/// Columns of BIDS, and synonyms that others use.
LabelTable namesInColumns(const TableLayer& table) {
  const auto index = columnNamedAny(table, {"index", "id", "value", "no", "roi"}),
             name = columnNamedAny(table, {"name", "label", "region", "structure", "abbreviation"}),
             color = columnNamedAny(table, {"color", "colour", "hex"}),
             red = columnNamedAny(table, {"r", "red"});
  LabelTable names;
  if (!index || !name) return names;
  for (const auto& row : table.rows) {
    const auto label = wholeNumberIn(row[*index]);
    if (!label) continue;
    LabelEntry& entry = names[*label] = {joined({row[*name]}, 0, 1), std::nullopt};
    if (color)
      entry.color = hexColor(row[*color]);
    else if (red)
      entry.color = colorAt(row, *red);
  }
  return names;
}

/// Empty if the file holds something else.
LabelTable namesIn(const fs::path& file) {
  std::error_code fault;
  if (fs::file_size(file, fault) > kLargestLabelFile || fault) return {};
  const std::string extension = file.extension().string();
  if (extension == ".tsv" || extension == ".csv")
    return namesInColumns(std::get<TableLayer>(openTable(file).content));
  LabelTable names;
  for (const TableRow& row : tableRows(openText(file), ' ', quoted(file)))
    if (!addLine(row.cells, names)) return {};
  return names;
}

fs::path labelFileBeside(const fs::path& image) {
  const std::string stem = stemOf(image);
  const fs::path folder = image.parent_path();
  std::error_code fault;
  for (const char* const end : {".tsv", ".csv", ".label", ".lut", ".ctab", ".txt", ".nii.txt", "_LUT.txt"})
    if (const fs::path file = folder / (stem + end); fs::is_regular_file(file, fault)) return file;
  return stem.ends_with("_dseg") ? inherited(image, ".tsv") : fs::path();
}

/// Whether the image was made by FreeSurfer or a program that uses its labels.
bool isFreeSurfers(const fs::path& image) {
  const std::string name = image.filename().string();
  for (const char* const part : {"aseg", "aparc", "wmparc", "synthseg", "SynthSeg"})
    if (name.find(part) != name.npos) return true;
  return name.ends_with(".mgz") || name.ends_with(".mgh");
}

}  // namespace

LabelTable openLabelNames(const fs::path& file) {
  requireReadable(file);
  LabelTable names = namesIn(file);
  if (names.empty())
    throw Error(quoted(file) + " names no labels", "its lines are not a number and a name each",
                "give a table with the columns index and name, or a list of labels of FreeSurfer, ITK-SNAP "
                "or MRtrix");
  return names;
}

std::shared_ptr<const LabelTable> labelNamesOf(const fs::path& image, Note& note) {
  const auto taken = [&](const fs::path& file) -> std::shared_ptr<const LabelTable> {
    LabelTable names;
    try {
      names = namesIn(file);
    } catch (const Error& fault) {
      note = Note::warning("the names of the labels are not read. " + fault.message());
      return nullptr;
    }
    if (names.empty()) return nullptr;
    note = Note("Names of labels from " + quoted(file) + ".").about(Subject::labelNames);
    return std::make_shared<const LabelTable>(std::move(names));
  };
  if (const fs::path file = labelFileBeside(image); !file.empty())
    if (auto names = taken(file); names || !note.text.empty()) return names;
  if (!isFreeSurfers(image)) return nullptr;
  if (const char* const home = std::getenv("FREESURFER_HOME"); home && *home)
    if (const fs::path file = fs::path(home) / "FreeSurferColorLUT.txt"; fs::exists(file))
      if (auto names = taken(file)) return names;
  note = Note("Names of labels as FreeSurfer gives them.").about(Subject::labelNames);
  return std::make_shared<const LabelTable>(freeSurferLabels());
}

LabelTable labelTableIn(std::string_view text, const std::string& name) {
  TableLayer table;
  for (TableRow& row : tableRows(text, '\t', name)) {
    if (table.columns.empty())
      table.columns = std::move(row.cells);
    else if (row.cells.size() == table.columns.size())
      table.rows.push_back(std::move(row.cells));
  }
  return namesInColumns(table);
}

std::string labelTableText(const LabelTable& names) {
  TableLayer table{{"index", "name", "color"}, {}};
  for (const auto& [label, entry] : names) {
    std::string color = "n/a";
    if (entry.color) {
      char hex[8];
      std::snprintf(hex, sizeof hex, "#%02x%02x%02x", (*entry.color)[0], (*entry.color)[1],
                    (*entry.color)[2]);
      color = hex;
    }
    table.rows.push_back({std::to_string(label), entry.name, color});
  }
  return tableText(table, '\t');
}

}  // namespace sulcus::io
