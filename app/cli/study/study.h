#pragma once

#include "app/cli/run.h"
#include "core/bids/jobs.h"
#include "core/bids/records.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

// What the command bids is made of: an analysis on every scan of a study, and what is made of all of them.
namespace sulcus::app::cli {

struct StudyOutcome;

/// How a study is handed to Slurm.
struct SlurmRequest {
  bool submit = false, dryRun = false;
  std::string partition, time;
  std::optional<int> gpus;  ///< of a task; by the backend where it is not given
  int jobs = 0;             ///< tasks at a time, 0: as many as the cluster gives
  bool wanted() const { return submit || dryRun; }
};

/// What the command line requests.
struct StudyRequest {
  std::string folder, out, level;  ///< BIDS_DIR, OUT_DIR, "participant" or "group"
  RunRequest run;                  ///< of each scan; without an analysis where none was named
  bids::Selection selection;
  std::string analysisName, filterFile;
  bool skipValidation = false, dryRun = false;
  bool joinRuns = false;       ///< of a person, session and task in one model
  std::vector<int> devices;    ///< GPUs that share out the participants
  int runsAtOnce = 0;          ///< on each GPU, or on the processor; 0: not said, see atOnce()
  bool isWorker = false;       ///< this program does the share of one of them: another reports on all
  bool makesTemplate = false;  ///< of the participants, at the level group
  std::string maps;            ///< which maps of participants are compared: a part of their names
  SlurmRequest slurm;
  std::vector<std::string> words;  ///< of the command line, without the program

  /// Every parameter with its value.
  OptionValues parameters() const;
  /// The words of the command line, the folders and the level right after the command.
  std::vector<std::string> call() const;
  /// How many runs this program makes at a time: unless it was said several where a GPU computes, so that
  /// some read and write meanwhile.
  int atOnce() const;
};

/// Finds what there is to do. Throws Error.
bids::Jobs jobsOf(const StudyRequest& request, const bids::Study& study);

/// Opens the requested study and makes the output folder ready. Throws Error where either cannot be
/// used.
bids::Study openStudyFor(const StudyRequest& request);

/// Runs the analysis on every scan that is not done. A failure is reported and does not stop the rest.
/// Returns the exit code of the worst failure.
int runParticipants(const StudyRequest& request, const CliContext& session);

/// Shares out the participants among the GPUs that are named, each of which has a program of its own. Returns
/// the exit code of the worst failure.
int runShares(const StudyRequest& request, const bids::Study& study, const bids::Jobs& found,
              const CliContext& session);

/// The participants for whom there is something to run, each once.
std::vector<std::string> subjectsOf(const bids::Jobs& found);

/// Writes the table of participants, prints a summary, and returns the exit code of the command.
int endStudy(const StudyRequest& request, const bids::Study& study, const bids::Jobs& found,
             const CliContext& session, const StudyOutcome& outcome);

/// Hands the participants that are not done to Slurm, as one array job with a task for each, and the group
/// level as a job that waits for it. Returns the exit code; throws Error where Slurm does not take them or
/// has them already.
int submitParticipants(const StudyRequest& request, const bids::Study& study, const bids::Jobs& found,
                       const CliContext& session);

/// Makes tables, mean maps and the report of all that was run. Returns the exit code.
int runGroup(const StudyRequest& request, const CliContext& session);

/// Writes participants.tsv and participants.json, and the pages of these participants.
void writeParticipants(const StudyRequest& request, const bids::Study& study,
                       const std::vector<bids::Record>& records, const std::vector<std::string>& subjects);

}  // namespace sulcus::app::cli
