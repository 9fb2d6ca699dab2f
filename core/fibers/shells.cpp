#include "core/fibers/shells.h"

#include <algorithm>

namespace sulcus::fibers {

std::vector<Shell> shells(const GradientTable& table) {
  std::vector<double> values;
  for (const int volume : weightedVolumes(table)) values.push_back(table.rows[std::size_t(volume)].b);
  std::sort(values.begin(), values.end());
  std::vector<Shell> found;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i == 0 || values[i] - values[i - 1] > 100) found.emplace_back();
    found.back().b += values[i];
    ++found.back().directions;
  }
  for (auto& shell : found) shell.b /= shell.directions;
  return found;
}

}  // namespace sulcus::fibers
