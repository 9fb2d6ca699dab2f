#include "core/image/transform_table.h"

#include "core/base/error.h"
#include "core/base/numbers.h"
#include "core/image/display/layer_kinds.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace sulcus {
namespace {

constexpr double kLargest = 1e9;  // in a transform between images: a thousand kilometers

const std::vector<std::string> kColumns{"x_mm", "y_mm", "z_mm", "shift_mm"};

/// The shortest text that reads back as the same number.
std::string allDigits(double value) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

}  // namespace

TableLayer transformTable(const Affine& map) {
  TableLayer table{kColumns, {}};
  for (int i = 0; i < 3; ++i) {
    auto& row = table.rows.emplace_back();
    for (int j = 0; j < 3; ++j) row.push_back(allDigits(map.m[i][j]));
    row.push_back(allDigits(map.t[i]));
  }
  table.rows.push_back({"0", "0", "0", "1"});
  return table;
}

bool isTransform(const Layer& layer) {
  const auto* table = std::get_if<TableLayer>(&layer.content);
  return table && table->columns == kColumns;
}

Affine transformOf(const Layer& layer, const Message& use) {
  const auto refuse = [&](const std::string& why) {
    throw Error(
        "'" + layer.name + "' cannot be used as " + use, why,
        std::string("give affine.txt of a registration, a transform of ITK (.txt, .tfm, .mat), or 4 × 4 "
                    "numbers below the line '") +
            kTransformComment + "'");
  };
  if (!isTransform(layer))
    refuse(isTable(layer) ? "it does not say what its numbers map" : "it holds " + kindWithArticle(layer));
  const auto& rows = std::get<TableLayer>(layer.content).rows;
  if (rows.size() != 4) refuse("it has " + std::to_string(rows.size()) + " rows, not 4");
  std::array<std::array<double, 4>, 4> matrix;
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = 0; j < 4; ++j) {
      const auto number = numberIn(rows[i][j]);
      if (!number || !std::isfinite(*number)) refuse("one of its numbers is not finite");
      if (std::abs(*number) > kLargest) refuse("it holds " + numberText(*number) + ", too large a number");
      matrix[i][j] = *number;
    }
  if (matrix[3] != std::array<double, 4>{0, 0, 0, 1}) refuse("its last row is not 0 0 0 1");
  Affine map;
  for (std::size_t i = 0; i < 3; ++i) {
    std::copy_n(matrix[i].begin(), 3, map.m[i].begin());
    map.t[int(i)] = matrix[i][3];
  }
  return map;
}

}  // namespace sulcus
