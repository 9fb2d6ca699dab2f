#pragma once

#include "core/analysis/analysis.h"
#include "core/bids/figures.h"
#include "core/bids/jobs.h"
#include "core/bids/pictures.h"

#include <functional>
#include <span>
#include <string>
#include <vector>

// What a study must know of an analysis beside what every run does: its row of BIDS.
namespace sulcus::bids {

/// The scans of a study that an analysis is run on.
struct ScanTraits {
  std::string filter;                        ///< what a file of filters calls them: "dwi"
  std::string slot;                          ///< the input that takes one
  std::string datatype;                      ///< the folder they lie in: "func"
  std::string suffix;                        ///< of their names: "bold"
  std::vector<std::string> companions = {};  ///< inputs that are found beside the scan
  /// Of several copies in different spaces the first of these is taken; "" is the scanner's.
  std::vector<std::string> spaces = {""};
  std::vector<std::string> alternatives =
      {};  ///< inputs that may stand for `slot`; no user gives them for all
  std::vector<std::string> joined =
      {};  ///< inputs of which each run of a task has its own; none: no joint model
  /// A scan is brought onto a reference, else onto the first session of its participant.
  bool ontoReference = false;
  /// Whether a file of this name is such a scan, where suffix and `desc` alone do not tell.
  std::function<bool(const Name&, const Filter&)> accepts = {};
  /// The input that takes a scan of this name, where it is not always `slot`.
  std::function<std::string(const Name&)> slotFor = {};
};

/// A row's part for studies. An analysis without one cannot be run on a study.
struct StudyTraits {
  ScanTraits scans;
  /// The name of a layer of the result, but for its extension; see outputName().
  std::function<Name(const Job&, const std::string& stem, const std::string& extension,
                     const std::string& model)>
      layerName;
  /// The model that a result was made with, where names tell it.
  std::function<std::string(const RunResult&)> modelOf = {};
  std::function<std::vector<Figure>(const RunResult&, const AnalysisInputs&)> figures = {};
  std::function<std::vector<ReportPicture>(const RunResult&, const AnalysisInputs&)> pictures = {};
};

/// The part of this analysis for studies.
///
/// @throws Error  (usage) where it has none
const StudyTraits& studyTraits(const Analysis& analysis);

/// Those of a table that can be run on a study.
std::vector<const Analysis*> studyAnalyses(std::span<const Analysis> table);

}  // namespace sulcus::bids
