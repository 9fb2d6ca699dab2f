#include "core/bids/study_traits.h"

#include "core/base/error.h"

namespace sulcus::bids {

const StudyTraits& studyTraits(const Analysis& analysis) {
  if (!analysis.study)
    throw Error("'" + analysis.name + "' cannot be run on a study", "no scans are known for it",
                "choose another analysis", ErrorKind::usage);
  return *analysis.study;
}

std::vector<const Analysis*> studyAnalyses(std::span<const Analysis> table) {
  std::vector<const Analysis*> found;
  for (const Analysis& analysis : table)
    if (analysis.study) found.push_back(&analysis);
  return found;
}

}  // namespace sulcus::bids
