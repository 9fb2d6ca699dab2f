#pragma once

#include "core/analysis/analysis.h"
#include "core/base/progress.h"
#include "core/bids/results/records.h"
#include "core/io/streams/result_folder.h"

#include <filesystem>
#include <string>
#include <vector>

namespace sulcus::bids {

/// The outcome of a job.
struct Finished {
  const Analysis* analysis = nullptr;
  AnalysisInputs inputs;
  RunResult result;                     ///< of the first backend; this one is written
  std::vector<AgreementRow> agreement;  ///< with the second backend, empty without one
  std::string key;                      ///< see runKey()
  io::ResultChoice choice;              ///< which parts of it are written
};

/// Writes maps, tables, pictures and record of a run into a derivatives data set. They appear together and
/// replace those of an earlier run of the same scan. The record of a failed run is removed.
///
/// @throws Error, Cancelled  and then leaves existing files unchanged
Record writeRun(const Job& job, Finished run, const Study& study, const std::filesystem::path& out,
                const Progress& progress);

/// Records that a job failed. The results of an earlier run are kept.
void writeFailure(const Job& job, const std::string& analysis, const std::string& problem,
                  const std::filesystem::path& out);

/// Removes the record of a failure, since the run is done, now or before.
void forgetFailure(const Job& job, const std::string& analysis, const std::filesystem::path& out);

/// Whether the results of a run with this key exist with all files, so that nothing is left to do.
bool isDone(const Job& job, const std::string& analysis, const std::string& key,
            const std::filesystem::path& out);

}  // namespace sulcus::bids
