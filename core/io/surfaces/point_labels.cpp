#include "core/io/surfaces/point_labels.h"

#include "core/base/error.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

namespace sulcus::io {
namespace {

constexpr std::size_t kMostLarge = 100'000;  // with more, they number points rather than regions

bool isLarge(Label label) {
  return label != kNoLabel && (label > kGreatestPointLabel || label < -kGreatestPointLabel);
}

void requireFewLarge(const std::set<Label>& large, const std::string& name) {
  if (large.size() > kMostLarge)
    throw Error(name + " has more labels than can be told apart",
                "more than " + std::to_string(kMostLarge) + " of them are beyond " +
                    std::to_string(kGreatestPointLabel),
                "number them from 1 on");
}

}  // namespace

std::vector<float> pointLabels(const std::vector<Label>& labels, LabelTable& table, const std::string& name) {
  std::set<Label> large, taken;
  for (const Label label : labels) {
    if (label == kNoLabel) continue;
    (isLarge(label) ? large : taken).insert(label);
    requireFewLarge(large, name);
  }
  for (const auto& [label, entry] : table)
    if (isLarge(label)) large.insert(label);
  std::map<Label, float> smallOf;
  Label next = 1;
  for (const Label label : large) {
    while (table.contains(next) || taken.contains(next)) ++next;
    LabelEntry entry = table[label];
    table.erase(label);
    entry.name += (entry.name.empty() ? "[" : " [") + std::to_string(label) + "]";
    table[next] = std::move(entry);
    smallOf[label] = float(next++);
  }
  std::vector<float> values;
  values.reserve(labels.size());
  std::ranges::transform(labels, std::back_inserter(values), [&](Label label) {
    if (label == kNoLabel) return std::numeric_limits<float>::quiet_NaN();
    return isLarge(label) ? smallOf.at(label) : float(label);
  });
  return values;
}

}  // namespace sulcus::io
