#include "core/bids/report/figures.h"

#include "core/base/sentence.h"
#include "core/bids/study_traits.h"

#include <cmath>
#include <cstdio>

namespace sulcus::bids {

std::string shownValue(double value) {
  if (!std::isfinite(value)) return "–";
  const bool isLarge = std::abs(value) >= 1000 && std::abs(value) < 1e9;
  char text[32];
  std::snprintf(text, sizeof text, isLarge ? "%.0f" : "%.4g", value);
  return text;
}

std::vector<Figure> keyFigures(const Analysis& analysis, const RunResult& result,
                               const AnalysisInputs& inputs) {
  std::vector<Figure> figures{
      {result.itemName, "", text("Number of ", result.itemName, " processed"), result.items}};
  if (const auto& ownFigures = studyTraits(analysis).figures) {
    const auto own = ownFigures(result, inputs);
    figures.insert(figures.end(), own.begin(), own.end());
  }
  figures.push_back({"seconds", "s", "Computing time", result.seconds});
  return figures;
}

}  // namespace sulcus::bids
