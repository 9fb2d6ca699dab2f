#pragma once

#include "core/analysis/analysis.h"
#include "core/bids/figures.h"
#include "core/bids/name.h"
#include "core/bids/pictures.h"

#include <optional>
#include <string>
#include <vector>

// What a study's pages say of the preparation of a raw scan, by the layers prepared_… of its result.
namespace sulcus::app::analyses {

/// The name of a layer prepared_…, as fMRIPrep and QSIPrep call theirs; none for other layers.
///
/// @param source  of the raw scan's results
std::optional<bids::Name> preparedName(const bids::Name& source, const std::string& stem);

/// How far the head moved and how much the signal changes; none of a scan that was not prepared.
std::vector<bids::Figure> preparationFigures(const RunResult& result);

/// The traces of motion with the carpet of the series below them, and the scan before and after with the
/// outline of the mask; none of a scan that was not prepared.
///
/// @param slot  the input that took the raw scan
std::vector<bids::ReportPicture> preparationPictures(const RunResult& result, const AnalysisInputs& inputs,
                                                     const std::string& slot);

}  // namespace sulcus::app::analyses
