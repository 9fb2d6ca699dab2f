#pragma once

#include "core/image/layer.h"
#include "tests/support/expect_error.h"

#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace sulcus::test {

/// A table layer, as if opened from a file.
inline Layer tableOf(std::vector<std::string> columns, std::vector<std::vector<std::string>> rows,
                     std::string name = "table") {
  Layer layer;
  layer.name = std::move(name);
  layer.content = TableLayer{std::move(columns), std::move(rows)};
  return layer;
}

/// Rows of a table with independent columns: sines of different periods.
inline std::vector<std::vector<std::string>> wavesOf(int scans, int columns) {
  std::vector<std::vector<std::string>> rows;
  for (int t = 0; t < scans; ++t) {
    rows.emplace_back();
    for (int c = 0; c < columns; ++c) rows.back().push_back(std::to_string(std::sin(0.37 * (c + 1) * t + c)));
  }
  return rows;
}

inline std::string joined(const Notes& notes) {
  std::string text;
  for (const auto& note : notes) text += note.line() + "\n";
  return text;
}

}  // namespace sulcus::test
