#pragma once

#include "core/analysis/analysis.h"
#include "core/bids/jobs.h"
#include "core/bids/report/figures.h"
#include "core/bids/report/pictures.h"

#include <functional>
#include <span>
#include <string>
#include <vector>

// What a study must know about an analysis besides what every run does: its BIDS traits.
namespace sulcus::bids {

/// The scans of a study that an analysis is run on.
struct ScanTraits {
  std::string filter;                        ///< their key in a filter file: "dwi"
  std::string slot;                          ///< the input slot that takes one
  std::string datatype;                      ///< their folder: "func"
  std::string suffix;                        ///< suffix of their names: "bold"
  std::vector<std::string> companions = {};  ///< inputs that are found beside the scan
  /// Of copies in several spaces, the one in the first of these is used; "" is scanner space.
  std::vector<std::string> spaces = {""};
  std::vector<std::string> alternatives =
      {};  ///< inputs that may replace `slot`; they cannot be given once for all scans
  std::vector<std::string> joined =
      {};  ///< inputs that each run of a task has of its own; empty: no joint model
  /// A scan is registered to a reference, or else to the first session of its participant.
  bool ontoReference = false;
  /// Whether a file of this name is such a scan, if suffix and `desc` alone do not decide.
  std::function<bool(const Name&, const Filter&)> accepts = {};
  /// The input slot for a scan of this name, if it is not always `slot`.
  std::function<std::string(const Name&)> slotFor = {};
};

/// The part of an analysis that is needed for studies. An analysis without it cannot be run on a study.
struct StudyTraits {
  ScanTraits scans;
  /// The name of a layer of the result without its extension; see outputName().
  std::function<Name(const Job&, const std::string& stem, const std::string& extension,
                     const std::string& model)>
      layerName;
  /// The model that a result was made with, if names contain it.
  std::function<std::string(const RunResult&)> modelOf = {};
  std::function<std::vector<Figure>(const RunResult&, const AnalysisInputs&)> figures = {};
  std::function<std::vector<ReportPicture>(const RunResult&, const AnalysisInputs&)> pictures = {};
};

/// The traits of this analysis for studies.
///
/// @throws Error  (usage) if it has none
const StudyTraits& studyTraits(const Analysis& analysis);

/// The analyses of a table that can be run on a study.
std::vector<const Analysis*> studyAnalyses(std::span<const Analysis> table);

}  // namespace sulcus::bids
