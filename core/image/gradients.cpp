#include "core/image/gradients.h"

namespace sulcus {
namespace {

std::vector<int> volumesWhere(const GradientTable& table, bool weighted) {
  std::vector<int> volumes;
  for (int v = 0; v < int(table.rows.size()); ++v)
    if ((table.rows[v].b >= kB0Threshold) == weighted) volumes.push_back(v);
  return volumes;
}

}  // namespace

std::vector<int> weightedVolumes(const GradientTable& table) { return volumesWhere(table, true); }
std::vector<int> unweightedVolumes(const GradientTable& table) { return volumesWhere(table, false); }

}  // namespace sulcus
