#pragma once

#include "app/cli/run.h"
#include "core/bids/jobs.h"
#include "core/bids/records.h"

#include <filesystem>
#include <string>
#include <vector>

// What the command bids is made of: an analysis on every scan of a study, and what is made of all of them.
namespace sulcus::app::cli {

/// What was asked for on the command line.
struct StudyRequest {
  std::string folder, out, level;  ///< BIDS_DIR, OUT_DIR, "participant" or "group"
  RunRequest run;                  ///< of each scan; without an analysis where none was named
  bids::Selection selection;
  std::string analysisName, filterFile;
  bool skipValidation = false, dryRun = false;

  /// Every parameter with its value.
  OptionValues parameters() const;
};

/// Finds what there is to do. Throws Error.
bids::Jobs jobsOf(const StudyRequest& request, const bids::Study& study);

/// Opens the study that was asked for and makes the output folder ready. Throws Error where either cannot be
/// used.
bids::Study openStudyFor(const StudyRequest& request);

/// Runs the analysis on every scan that is not done. What fails is told and does not stop the rest. Returns
/// the exit code of the worst failure.
int runParticipants(const StudyRequest& request, const Session& session);

/// Makes tables, mean maps and the report of all that was run. Returns the exit code.
int runGroup(const StudyRequest& request, const Session& session);

/// Writes participants.tsv and participants.json, and the pages of these participants.
void writeParticipants(const StudyRequest& request, const bids::Study& study,
                       const std::vector<bids::Record>& records, const std::vector<std::string>& subjects);

}  // namespace sulcus::app::cli
