#pragma once

#include <filesystem>
#include <string>
#include <vector>

// Queries to Slurm, by its own programs.
namespace sulcus::app::cli {

/// Submits a script to Slurm; returns the job number.
///
/// @param options  of sbatch, in addition to those in the script
/// @param what     what is submitted, for the message: "the participants"
/// @throws Error   (unavailable) with sbatch's message
std::string submitToSlurm(const std::filesystem::path& script, const std::vector<std::string>& options,
                          const std::string& what);

/// The state of a job.
struct SlurmState {
  enum class Kind { waits, runs, over, unknown } kind = Kind::unknown;
  std::string word;  ///< from Slurm: "PENDING", "TIMEOUT"; "" if it has forgotten the job or does not answer
  std::string reason;  ///< why it is waiting: "Resources"
};
/// Queries Slurm; for an array job, the task that is least advanced. A job that Slurm has forgotten has
/// ended; if Slurm does not answer, the state is unknown.
SlurmState slurmState(const std::string& id);

/// The partitions of the cluster with their GPUs: "all*", "long gpu:4"; none without Slurm.
std::vector<std::string> slurmPartitions();

/// Cancels a job. No effect on a job that has ended.
void cancelInSlurm(const std::string& id);

}  // namespace sulcus::app::cli
