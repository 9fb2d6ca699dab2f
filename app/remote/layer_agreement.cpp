#include "app/remote/layer_agreement.h"

#include "core/analysis/layer_agreement.h"

#include <algorithm>
#include <utility>

namespace sulcus::app::remote {
namespace {

/// Adds the most informative figures on two layers of the same name, and shows the first difference that can
/// be shown.
void compareOne(const Layer& a, const Layer& b, Comparison& all, const Progress& progress) {
  if (!mayCompare(a, b)) return;
  Comparison one = compareLayers(a, b, seenLimits(a), progress);
  if (one.rows.empty()) return;
  if (!std::holds_alternative<PeaksLayer>(a.content)) {
    one.rows.resize(1);
    one.rows.front().quantity = a.name;
  }
  all.rows.insert(all.rows.end(), one.rows.begin(), one.rows.end());
  if (all.difference || !one.difference || !gridOf(*one.difference)) return;
  all.difference = std::move(one.difference);
  all.worst = std::move(one.worst);
}

}  // namespace

Comparison compareLayers(const std::vector<Layer>& a, const std::vector<Layer>& b, const Progress& progress) {
  Comparison comparison;
  for (const Layer& one : a) {
    const auto other = std::find_if(b.begin(), b.end(), [&](const Layer& l) { return l.name == one.name; });
    if (other != b.end()) compareOne(one, *other, comparison, progress);
  }
  progress.update(1);
  return comparison;
}

}  // namespace sulcus::app::remote
