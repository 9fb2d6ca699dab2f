#pragma once

#include <algorithm>
#include <string_view>

namespace sulcus {

/// Whether a cell of a table says that there is no value: it is empty, or what BIDS, R and Excel (English,
/// German) write for one.
inline bool saysMissing(std::string_view cell) {
  constexpr std::string_view kWords[] = {"", "n/a", "N/A", "NA", "na", "NaN", "nan", "#N/A", "#NV", ".", "-"};
  return std::ranges::find(kWords, cell) != std::end(kWords);
}

}  // namespace sulcus
