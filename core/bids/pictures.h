#pragma once

#include "core/analysis/analysis.h"
#include "core/io/export/png.h"

#include <string>
#include <vector>

namespace sulcus::bids {

/// A picture of a report, with a sentence that says what it shows.
struct ReportPicture {
  std::string caption;
  io::Picture picture;
  bool isOfSlices = true;  ///< slices of a head, of which the caption says which side is which
};

/// What a result is judged by, as the row of its analysis draws it; each caption says which side is which.
std::vector<ReportPicture> resultPictures(const Analysis& analysis, const RunResult& result,
                                          const AnalysisInputs& inputs);

}  // namespace sulcus::bids
