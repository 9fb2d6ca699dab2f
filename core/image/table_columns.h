#pragma once

#include "core/image/layer.h"

#include <algorithm>
#include <cctype>
#include <initializer_list>
#include <optional>
#include <string_view>

namespace sulcus {

/// The index of the first column of this name; nullopt if there is none.
inline std::optional<std::size_t> columnNamed(const TableLayer& table, std::string_view name) {
  const auto found = std::ranges::find(table.columns, name);
  if (found == table.columns.end()) return std::nullopt;
  return std::size_t(found - table.columns.begin());
}

/// The index of the first column with the first of these names that any has, ignoring case; nullopt if there
/// is none.
///
/// @param names  in lower case
inline std::optional<std::size_t> columnNamedAny(const TableLayer& table,
                                                 std::initializer_list<std::string_view> names) {
  const auto isAlike = [](unsigned char a, char b) { return char(std::tolower(a)) == b; };
  for (const std::string_view name : names)
    for (std::size_t c = 0; c < table.columns.size(); ++c)
      if (std::ranges::equal(table.columns[c], name, isAlike)) return c;
  return std::nullopt;
}

}  // namespace sulcus
