#pragma once

#include "app/cli/previews.h"
#include "app/cli/study/slurm_queue.h"
#include "app/remote/wire.h"

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>

// The side that computes for another machine.
namespace sulcus::app::remote {

/// What --previews names in the folder of a job.
inline constexpr const char* kPreviews = "previews";

/// Where inputs and jobs are kept: sulcus in the user's cache folder, which other users cannot read.
class RemoteCache {
 public:
  RemoteCache();
  /// The file with this checksum, whether it is there or not.
  std::filesystem::path input(const std::string& sha256) const;
  std::filesystem::path job(const std::string& id) const;
  double freeBytes() const;
  /// Removes inputs that were not used for a month, and abandoned jobs.
  void removeOld() const;

 private:
  std::filesystem::path folder_;
};

/// One run in a folder of its own: the inputs under their names, the description of the run, what it says and
/// its results. It goes on when the line breaks. It is a process that holds a lock in the folder as long as
/// it lives, or a job of Slurm.
class RemoteJob {
 public:
  explicit RemoteJob(std::filesystem::path folder) : folder_(std::move(folder)) {}

  /// Whether it runs or waits to run.
  bool isRunning() const;
  /// Why it does not run yet, while it waits; "" when it runs.
  std::string waiting() const;
  /// "code" and "complaint" of a run that has ended; none for one that was not started.
  std::optional<Wire::Json> end() const;
  /// Starts it anew, unless it runs. `request` has "files", "texts", "words", "call", "place", and for Slurm
  /// "slurm" with "name", "memoryBytes", "cpus", "gpus" and "partition". Throws Error.
  void start(const RemoteCache& cache, const Wire::Json& request) const;
  /// Asks it to stop.
  void cancel() const;
  /// Removes all of it, unless it runs.
  void remove() const;

  std::filesystem::path progress() const { return folder_ / "progress"; }  ///< one JSON object a line
  std::filesystem::path results() const { return folder_ / "results"; }
  cli::PreviewFolder previews() const { return cli::PreviewFolder(folder_ / kPreviews); }
  std::string printed() const;

  /// The job itself, in a process of its own: runs what the folder says and writes down how it ended.
  static void carryOut(const std::filesystem::path& folder);

 private:
  /// The number of the job of Slurm; "" for a process.
  std::string slurmId() const;
  /// What Slurm said last; it is not asked more often than every few seconds.
  const cli::SlurmState& slurm() const;

  std::filesystem::path folder_;
  mutable cli::SlurmState slurm_;
  mutable std::chrono::steady_clock::time_point asked_{};
};

}  // namespace sulcus::app::remote
