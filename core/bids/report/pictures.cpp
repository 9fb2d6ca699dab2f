#include "core/bids/report/pictures.h"

#include "core/bids/report/slices.h"
#include "core/bids/study_traits.h"
#include "core/image/grids/assumed_sides.h"

#include <algorithm>

namespace sulcus::bids {

std::vector<ReportPicture> resultPictures(const Analysis& analysis, const RunResult& result,
                                          const AnalysisInputs& inputs) {
  const auto& ownPictures = studyTraits(analysis).pictures;
  std::vector<ReportPicture> pictures =
      ownPictures ? ownPictures(result, inputs) : std::vector<ReportPicture>{};
  const bool assumed =
      std::ranges::any_of(inputs, [](const auto& input) { return sidesAreAssumed(*input.second); });
  for (ReportPicture& one : pictures)
    if (one.isOfSlices) one.caption += " " + sidesSentence(assumed);
  return pictures;
}

}  // namespace sulcus::bids
