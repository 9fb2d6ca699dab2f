#pragma once

#include <filesystem>
#include <string>
#include <vector>

// What is asked of Slurm, by its own programs.
namespace sulcus::app::cli {

/// Hands a script to Slurm; the number of its job.
///
/// @param options  of sbatch, besides those in the script
/// @param what     of ours it is, for the message: "the participants"
/// @throws Error (unavailable)  with what sbatch complains of
std::string submitToSlurm(const std::filesystem::path& script, const std::vector<std::string>& options,
                          const std::string& what);

/// How far a job is.
struct SlurmState {
  enum class Kind { waits, runs, over, unknown } kind = Kind::unknown;
  std::string word;    ///< of Slurm: "PENDING", "TIMEOUT"; "" where it has forgotten the job or says nothing
  std::string reason;  ///< why it waits: "Resources"
};
/// Asks Slurm; of an array job that task that is least far. A job that Slurm has forgotten is over; where
/// Slurm does not answer the state is unknown.
SlurmState slurmState(const std::string& id);

/// The partitions of the cluster with their GPUs: "all*", "long gpu:4"; none where there is no Slurm.
std::vector<std::string> slurmPartitions();

/// Ends a job. What was over stays as it is.
void cancelInSlurm(const std::string& id);

}  // namespace sulcus::app::cli
