#pragma once

#include "core/analysis/analysis.h"
#include "core/bids/name.h"
#include "core/bids/report/figures.h"
#include "core/bids/report/pictures.h"

#include <optional>
#include <string>
#include <vector>

// The preparation of a raw scan on the pages of a study, from the layers prepared_… of its result.
namespace sulcus::app::analyses {

/// The name of a layer prepared_… in fMRIPrep and QSIPrep; none for other layers.
///
/// @param source  name of the results of the raw scan
std::optional<bids::Name> preparedName(const bids::Name& source, const std::string& stem);

/// How far the head moved and how much the signal changed; empty for a scan that was not prepared.
std::vector<bids::Figure> preparationFigures(const RunResult& result);

/// The traces of motion with the carpet plot of the series below them, and the scan before and after with the
/// outline of the mask; empty for a scan that was not prepared.
///
/// @param slot  the input with the raw scan
std::vector<bids::ReportPicture> preparationPictures(const RunResult& result, const AnalysisInputs& inputs,
                                                     const std::string& slot);

}  // namespace sulcus::app::analyses
