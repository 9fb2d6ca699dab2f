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
};

/// What a result is judged by: fiber directions over the series, effects over the series, the deformed image
/// with the edges of the reference, the denoised surface over its image. None where a layer is missing.
std::vector<ReportPicture> resultPictures(const RunResult& result, const AnalysisInputs& inputs);

}  // namespace sulcus::bids
