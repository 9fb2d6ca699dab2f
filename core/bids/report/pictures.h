#pragma once

#include "core/analysis/analysis.h"
#include "core/io/export/png.h"

#include <string>
#include <vector>

namespace sulcus::bids {

/// A picture of a report, with a sentence that describes it.
struct ReportPicture {
  std::string caption;
  io::Picture picture;
  bool isOfSlices = true;  ///< slices of a head, whose caption says which side is which
};

/// The pictures that a result is judged by, as its analysis draws them; each caption says which side is
/// which.
std::vector<ReportPicture> resultPictures(const Analysis& analysis, const RunResult& result,
                                          const AnalysisInputs& inputs);

}  // namespace sulcus::bids
