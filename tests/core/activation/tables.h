#pragma once

#include "core/image/layer.h"
#include "tests/support/expect_error.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace sulcus::test {

/// A table layer, as if it had been opened from a file.
inline Layer tableOf(std::vector<std::string> columns, std::vector<std::vector<std::string>> rows,
                     std::string name = "table") {
  Layer layer;
  layer.name = std::move(name);
  layer.content = TableLayer{std::move(columns), std::move(rows)};
  return layer;
}

inline std::string joined(const std::vector<std::string>& notes) {
  std::string text;
  for (const auto& note : notes) text += note + "\n";
  return text;
}

}  // namespace sulcus::test
