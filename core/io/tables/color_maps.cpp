#include "core/io/tables/color_maps.h"

#include "core/base/error.h"
#include "core/base/numbers.h"
#include "core/image/display/color_stops.h"
#include "core/io/streams/byte_source.h"
#include "core/io/tables/tables.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <vector>

namespace sulcus::io {
namespace {

constexpr std::uint64_t kLargestColorMap = 1'000'000;  // bytes

using Numbers = std::array<double, 4>;
constexpr double kOpaque = -1;  ///< for a line without opacity

/// Red, green, blue and opacity of a line; nullopt if it is a heading or something else.
std::optional<Numbers> colorIn(const std::vector<std::string>& cells) {
  const bool named = cells.size() >= 5 && numberIn(cells[0]) && !numberIn(cells[1]);
  const std::size_t first = named ? 2 : 0;
  if (cells.size() < first + 3 || cells.size() > first + 4) return std::nullopt;
  Numbers color{0, 0, 0, kOpaque};
  for (std::size_t c = 0; first + c < cells.size(); ++c) {
    const auto number = numberIn(cells[first + c]);
    if (!number || !(*number >= 0 && *number <= 255)) return std::nullopt;
    color[c] = *number;
  }
  return color;
}

}  // namespace

std::string openColorMap(const std::filesystem::path& file) {
  const std::string text = openText(file, kLargestColorMap);
  const char separator = text.find(',') == std::string::npos ? ' ' : ',';
  std::vector<Numbers> rows;
  for (const TableRow& row : tableRows(text, separator, quoted(file))) {
    const auto color = colorIn(row.cells);
    if (!color && !rows.empty())
      throw Error("Line " + std::to_string(row.line) + " of " + quoted(file) + " is not a color",
                  "a line has red, green and blue from 0 to 1, or from 0 to 255", "correct it");
    if (color) rows.push_back(*color);
  }
  if (rows.size() < 2)
    throw Error(quoted(file) + " is not a color map",
                "it needs two lines or more of red, green and blue, from 0 to 1 or from 0 to 255",
                "give a text file with a color in each line, as FSLeyes and 3D Slicer have it");
  const bool ofOne = std::all_of(rows.begin(), rows.end(), [](const Numbers& row) {
    return std::all_of(row.begin(), row.end(), [](double number) { return number <= 1; });
  });
  const double scale = ofOne ? 255 : 1;
  std::vector<ColorStop> colors(std::min(rows.size(), kMostStops));
  for (std::size_t i = 0; i < colors.size(); ++i) {
    const Numbers& row = rows[i * (rows.size() - 1) / (colors.size() - 1)];
    for (std::size_t c = 0; c < 4; ++c)
      colors[i][c] = row[c] == kOpaque ? 255 : std::uint8_t(std::lround(row[c] * scale));
  }
  return colorStopsText(colors);
}

}  // namespace sulcus::io
