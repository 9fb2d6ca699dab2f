#pragma once

#include "app/cli/memory_gate.h"
#include "app/cli/study.h"
#include "core/base/memo.h"
#include "core/bids/figures.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace sulcus::app::cli {

/// How one job ended.
struct Ended {
  enum class Status { done, doneBefore, failed } status;
  std::string problem;
  int code = exit_code::done;
  std::vector<bids::Figure> figures;
};

/// Runs the jobs of a study, none of them while another process does. Several threads may run one each at the
/// same time, as far as memory holds them together.
class JobRunner {
 public:
  JobRunner(const StudyRequest& request, const bids::Study& study, const Session& session);

  /// Runs one, or writes down why it failed; none where another process works on it. Throws Cancelled, and
  /// Error where not even that could be written.
  std::optional<Ended> runUnlessTaken(const bids::Job& job, const Progress& progress);
  /// The same, once another process that works on it has ended.
  Ended run(const bids::Job& job, const Progress& progress);
  /// Whether there is nothing to do: the same was done before, and its results are there.
  bool isDone(const bids::Job& job, const Progress& progress) const;
  /// What a run of this job takes, what is read included, before it is made.
  struct Need {
    double bytes = 0, seconds = 0;  ///< of computing on one thread
  };
  Need needOf(const bids::Job& job, const Progress& progress);

 private:
  const Analysis& analysis() const { return *request_.run.analysis; }
  Ended runHeld(const bids::Job& job, const Progress& progress);
  Ended tried(const bids::Job& job, const Progress& progress);
  std::string lockOf(const bids::Job& job) const;
  Ended finished(const bids::Job& job, const Progress& progress);
  std::vector<InputFile> filesOf(const bids::Job& job, const Progress& progress) const;
  bool isDone(const bids::Job& job, const std::vector<InputFile>& files) const;
  std::string keyOf(const std::vector<InputFile>& files) const;
  std::vector<std::filesystem::path> pathsOf(const bids::Job& job, const std::string& slot) const;
  AnalysisInputs opened(const bids::Job& job, const Progress& progress);

  const StudyRequest& request_;
  const bids::Study& study_;
  const Session& session_;
  OptionValues parameters_;
  Memo<std::filesystem::path, LayerPtr> shared_;  // what scans have in common
  MemoryGate gate_;
};

}  // namespace sulcus::app::cli
