#pragma once

#include "core/analysis/analysis.h"
#include "tests/support/expect_error.h"

#include <stdexcept>
#include <string>
#include <vector>

// Helpers of the tests of the rows of the table.

namespace sulcus::app::analyses {

inline OptionValues defaultsOf(const std::vector<OptionInfo>& options) {
  OptionValues values;
  for (const auto& option : options) values[option.name] = option.defaultValue;
  return values;
}

inline std::vector<std::string> namesOf(const std::vector<Layer>& layers) {
  std::vector<std::string> names;
  names.reserve(layers.size());
  for (const auto& layer : layers) names.push_back(layer.name);
  return names;
}

inline const Layer& layerNamed(const std::vector<Layer>& layers, const std::string& name) {
  for (const auto& layer : layers)
    if (layer.name == name) return layer;
  throw std::runtime_error("no layer " + name);
}

}  // namespace sulcus::app::analyses
