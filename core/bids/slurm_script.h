#pragma once

#include <string>
#include <vector>

namespace sulcus::bids {

/// The resources to request from Slurm.
struct SlurmPlan {
  std::string name;                       ///< of the jobs
  std::vector<std::string> call;          ///< the words of the command, without the participants
  std::vector<std::string> participants;  ///< labels, one per task
  std::string folder;                     ///< working directory of the command
  std::string logs;                       ///< folder for the output of the tasks
  std::string partition, time;            ///< "": the cluster's default
  double memoryBytes = 0;                 ///< of one task
  int cpus = 0, gpus = 0;                 ///< of one task; 0 cpus: the cluster's default
  int most = 0;                           ///< largest number of concurrent tasks; 0: no limit
};

/// The script of an array job with one task per participant. A task that was killed or preempted may be run
/// again: it continues with what is not done.
///
/// @throws Error (usage)  for a text that cannot be written in an option line
std::string arrayScript(const SlurmPlan& plan);

/// The script of a job with a single task, for example the group level.
std::string singleScript(const SlurmPlan& plan);

/// Moves the words of `fixed` to directly after the first word of a command line: a list of values takes all
/// words that follow it, so nothing else may follow one.
std::vector<std::string> withThoseFirst(std::vector<std::string> words,
                                        const std::vector<std::string>& fixed);

/// The words of a command line without the flags of these names and their values.
///
/// @param flags   flags with one value each, which may be joined by "="
/// @param lists   flags with any number of values
/// @param alone   flags without a value
std::vector<std::string> withoutFlags(const std::vector<std::string>& words,
                                      const std::vector<std::string>& flags,
                                      const std::vector<std::string>& lists,
                                      const std::vector<std::string>& alone);

}  // namespace sulcus::bids
