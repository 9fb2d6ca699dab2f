#pragma once

#include "app/cli/study/memory_gate.h"
#include "app/cli/study/study.h"
#include "core/base/memory/memo.h"
#include "core/bids/report/figures.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace sulcus::app::cli {

/// How one job ended.
struct JobOutcome {
  enum class Status { done, doneBefore, failed } status;
  std::string problem;
  int code = exit_code::done;
  std::vector<bids::Figure> figures;
};

/// Runs the jobs of a study, none of them while another process does. Several threads may each run one at the
/// same time, as far as they fit into memory together.
class JobRunner {
 public:
  JobRunner(const StudyRequest& request, const bids::Study& study, const CliContext& session);

  /// Runs a job, or records why it failed; none if another process is working on it. Throws Cancelled, and
  /// Error if not even the failure could be recorded.
  std::optional<JobOutcome> runUnlessTaken(const bids::Job& job, const Progress& progress);
  /// Runs a job once another process that is working on it has ended.
  JobOutcome run(const bids::Job& job, const Progress& progress);
  /// Whether there is nothing to do: the same job was done before, and its results are there.
  bool isDone(const bids::Job& job, const Progress& progress) const;
  /// An estimate of what a run of this job needs, including reading, before it is made.
  struct Need {
    double bytes = 0, seconds = 0;  ///< of computing on one thread
  };
  Need needOf(const bids::Job& job, const Progress& progress);

 private:
  const Analysis& analysis() const { return *request_.run.analysis; }
  JobOutcome runLocked(const bids::Job& job, const Progress& progress);
  JobOutcome executeCatching(const bids::Job& job, const Progress& progress);
  std::string lockNameOf(const bids::Job& job) const;
  JobOutcome execute(const bids::Job& job, const Progress& progress);
  std::vector<InputFile> inputFilesOf(const bids::Job& job, const Progress& progress) const;
  bool isDone(const bids::Job& job, const std::vector<InputFile>& files) const;
  std::string runKeyOf(const std::vector<InputFile>& files) const;
  std::vector<std::filesystem::path> pathsOf(const bids::Job& job, const std::string& slot) const;
  AnalysisInputs openInputs(const bids::Job& job, const Progress& progress);

  const StudyRequest& request_;
  const bids::Study& study_;
  const CliContext& session_;
  OptionValues parameters_;
  Memo<std::filesystem::path, LayerPtr> shared_;  // inputs that scans have in common
  MemoryGate gate_;
};

}  // namespace sulcus::app::cli
