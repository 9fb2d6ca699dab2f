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

/// The value of --previews in the folder of a job.
inline constexpr const char* kPreviews = "previews";

/// The location of inputs and jobs: sulcus in the user's cache folder, which other users cannot read.
class RemoteCache {
 public:
  RemoteCache();
  /// The path of the file with this checksum, whether it exists or not.
  std::filesystem::path input(const std::string& sha256) const;
  std::filesystem::path job(const std::string& id) const;
  double freeBytes() const;
  /// Removes inputs that were not used for a month, and abandoned jobs.
  void removeOld() const;

 private:
  std::filesystem::path folder_;
};

/// One run in its own folder: the inputs under their names, the description of the run, its messages and its
/// results. It continues if the connection breaks. It is a process that holds a lock in the folder as long as
/// it lives, or a Slurm job.
class RemoteJob {
 public:
  explicit RemoteJob(std::filesystem::path folder) : folder_(std::move(folder)) {}

  /// Whether it is running or waiting to run.
  bool isRunning() const;
  /// Why it is waiting to run; "" if it is running.
  std::string waiting() const;
  /// "code" and "complaint" of a run that has ended; none for one that was not started.
  std::optional<Wire::Json> end() const;
  /// Starts it from the beginning, unless it is running. `request` has "files", "texts", "words", "call",
  /// "place", and for Slurm "slurm" with "name", "memoryBytes", "cpus", "gpus" and "partition". Throws Error.
  void start(const RemoteCache& cache, const Wire::Json& request) const;
  /// Asks it to stop.
  void cancel() const;
  /// Removes all of it, unless it is running.
  void remove() const;

  std::filesystem::path progress() const { return folder_ / "progress"; }  ///< one JSON object per line
  std::filesystem::path results() const { return folder_ / "results"; }
  cli::PreviewFolder previews() const { return cli::PreviewFolder(folder_ / kPreviews); }
  std::string printed() const;

  /// The job itself, in its own process: runs what the folder describes and records how it ended.
  static void carryOut(const std::filesystem::path& folder);

 private:
  /// The number of the Slurm job; "" for a process.
  std::string slurmId() const;
  /// Slurm's last answer; it is queried at most every few seconds.
  const cli::SlurmState& slurm() const;

  std::filesystem::path folder_;
  mutable cli::SlurmState slurm_;
  mutable std::chrono::steady_clock::time_point asked_{};
};

}  // namespace sulcus::app::remote
