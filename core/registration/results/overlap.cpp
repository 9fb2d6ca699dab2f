#include "core/registration/results/overlap.h"

#include "core/base/error.h"
#include "core/base/sentence.h"

#include <map>

namespace sulcus::registration {

std::vector<LabelOverlap> labelOverlap(const Volume<Label>& first, const Volume<Label>& second) {
  if (!sameGrid(first.grid, second.grid))
    throw Error(text("The labels have ", describeGrid(first.grid), " and ", describeGrid(second.grid)),
                "their overlap is counted voxel by voxel", "bring them to one grid first");
  std::map<Label, LabelOverlap> found;
  for (std::size_t i = 0; i < first.values.size(); ++i) {
    const Label a = first.values[i], b = second.values[i];
    if (a != 0) ++found[a].inFirst;
    if (b != 0) ++found[b].inSecond;
    if (a != 0 && a == b) ++found[a].inBoth;
  }
  if (found.empty())
    throw Error("There are no labels", "0 stands for none", "give volumes with labels from 1 on");
  std::vector<LabelOverlap> labels;
  for (auto& [label, overlap] : found) {
    overlap.label = label;
    labels.push_back(overlap);
  }
  return labels;
}

double meanDice(const std::vector<LabelOverlap>& labels) {
  double sum = 0;
  for (const LabelOverlap& overlap : labels) sum += overlap.dice();
  return sum / double(labels.size());
}

}  // namespace sulcus::registration
