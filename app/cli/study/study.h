#pragma once

#include "app/cli/run.h"
#include "core/bids/jobs.h"
#include "core/bids/results/records.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

// The parts of the command bids: an analysis of every scan of a study, and group-level results.
namespace sulcus::app::cli {

struct StudyOutcome;

/// How a study is submitted to Slurm.
struct SlurmRequest {
  bool submit = false, dryRun = false;
  std::string partition, time;
  std::optional<int> gpus;  ///< per task; determined by the backend if not given
  int jobs = 0;             ///< tasks at a time, 0: as many as the cluster allows
  bool wanted() const { return submit || dryRun; }
};

/// The request made by a command line.
struct StudyRequest {
  std::string folder, out, level;  ///< BIDS_DIR, OUT_DIR, "participant" or "group"
  RunRequest run;                  ///< for each scan; without an analysis if none was named
  bids::Selection selection;
  std::string analysisName, filterFile;
  bool skipValidation = false, dryRun = false;
  bool joinRuns = false;       ///< of a participant, session and task in one model
  std::vector<int> devices;    ///< GPUs among which the participants are divided
  int runsAtOnce = 0;          ///< on each GPU, or on the CPU; 0: not given, see atOnce()
  bool isWorker = false;       ///< this program processes one share: another one reports on all
  bool makesTemplate = false;  ///< of the participants, at the level group
  std::string maps;            ///< which maps of participants are compared: a part of their names
  SlurmRequest slurm;
  std::vector<std::string> words;  ///< of the command line, without the program

  /// Every parameter with its value.
  OptionValues parameters() const;
  /// The words of the command line, with the folders and the level right after the command.
  std::vector<std::string> call() const;
  /// How many runs this program makes at a time: by default several if a GPU computes, so that some read and
  /// write meanwhile.
  int atOnce() const;
};

/// Finds what has to be done. Throws Error.
bids::Jobs jobsOf(const StudyRequest& request, const bids::Study& study);

/// Opens the requested study and prepares the output folder. Throws Error if either cannot be used.
bids::Study openStudyFor(const StudyRequest& request);

/// Runs the analysis on every scan that is not done. A failure is reported and does not stop the others.
/// Returns the exit code of the worst failure.
int runParticipants(const StudyRequest& request, const CliContext& session);

/// Divides the participants among the named GPUs, each with its own worker. Returns the exit code of the
/// worst failure.
int runShares(const StudyRequest& request, const bids::Study& study, const bids::Jobs& found,
              const CliContext& session);

/// The participants for whom there is something to run, without duplicates.
std::vector<std::string> subjectsOf(const bids::Jobs& found);

/// Writes the table of participants, prints a summary, and returns the exit code of the command.
int endStudy(const StudyRequest& request, const bids::Study& study, const bids::Jobs& found,
             const CliContext& session, const StudyOutcome& outcome);

/// Submits the participants that are not done to Slurm, as one array job with a task for each, and the group
/// level as a job that waits for it. Returns the exit code; throws Error if Slurm rejects them or already has
/// them.
int submitParticipants(const StudyRequest& request, const bids::Study& study, const bids::Jobs& found,
                       const CliContext& session);

/// Makes the tables, mean maps and report of everything that was run. Returns the exit code.
int runGroup(const StudyRequest& request, const CliContext& session);

/// Writes participants.tsv and participants.json, and the pages of these participants.
void writeParticipants(const StudyRequest& request, const bids::Study& study,
                       const std::vector<bids::Record>& records, const std::vector<std::string>& subjects);

}  // namespace sulcus::app::cli
