#pragma once

#include "app/analyses/table.h"

#include <algorithm>
#include <string>

namespace sulcus::test {

/// The row of this name in the program's table.
inline const Analysis& analysisNamed(const std::string& name) {
  const auto& table = app::analyses::table();
  return *std::find_if(table.begin(), table.end(), [&](const Analysis& one) { return one.name == name; });
}

}  // namespace sulcus::test
