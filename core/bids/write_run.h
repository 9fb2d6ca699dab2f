#pragma once

#include "core/analysis/analysis.h"
#include "core/base/progress.h"
#include "core/bids/records.h"
#include "core/io/streams/result_folder.h"

#include <filesystem>
#include <string>
#include <vector>

namespace sulcus::bids {

/// What came out of a job.
struct Finished {
  const Analysis* analysis = nullptr;
  AnalysisInputs inputs;
  RunResult result;                     ///< of the first backend: what is written
  std::vector<AgreementRow> agreement;  ///< with the second one, none where there is none
  std::string key;                      ///< see runKey()
  io::ResultChoice choice;              ///< what of it is written
};

/// Writes maps, tables, pictures and record of a run into a derivatives data set. They appear together, and
/// replace those of an earlier run of the same scan. The report of a failed one goes.
///
/// @throws Error, Cancelled  and leaves what was there
Record writeRun(const Job& job, Finished run, const Study& study, const std::filesystem::path& out,
                const Progress& progress);

/// Writes down that a job failed. What an earlier run made stays.
void writeFailure(const Job& job, const std::string& analysis, const std::string& problem,
                  const std::filesystem::path& out);

/// What was written down of a failure is no longer so: the run is done, now or before.
void forgetFailure(const Job& job, const std::string& analysis, const std::filesystem::path& out);

/// Whether a run with this key is there with all of its files; then nothing is to be done.
bool isDone(const Job& job, const std::string& analysis, const std::string& key,
            const std::filesystem::path& out);

}  // namespace sulcus::bids
