#pragma once

#include <string>
#include <vector>

namespace sulcus::bids {

/// The resources to request from Slurm.
struct SlurmPlan {
  std::string name;                       ///< of the jobs
  std::vector<std::string> call;          ///< the words of the command, without the participants
  std::vector<std::string> participants;  ///< labels, one a task
  std::string folder;                     ///< that the command is called in
  std::string logs;                       ///< folder of what the tasks print
  std::string partition, time;            ///< "": the cluster's own
  double memoryBytes = 0;                 ///< of one task
  int cpus = 0, gpus = 0;                 ///< of one task; 0 cpus: the cluster's own
  int most = 0;                           ///< tasks at a time; 0: no limit
};

/// The script of an array job with a task for each participant. A task that was killed or pre-empted may run
/// again: it goes on with what is not done.
///
/// @throws Error (usage)  for a text that a line of options cannot hold
std::string arrayScript(const SlurmPlan& plan);

/// The script of a job of one task, for example the group level.
std::string singleScript(const SlurmPlan& plan);

/// The words of a command line with those of `fixed` right after the first word, wherever they stood: a list
/// of values, before which any word may stand, takes all that follow it.
std::vector<std::string> withThoseFirst(std::vector<std::string> words,
                                        const std::vector<std::string>& fixed);

/// The words of a command line without the flags of these names and their values.
///
/// @param flags   with one value each, which may be joined by "="
/// @param lists   with any number of values
/// @param alone   without a value
std::vector<std::string> withoutFlags(const std::vector<std::string>& words,
                                      const std::vector<std::string>& flags,
                                      const std::vector<std::string>& lists,
                                      const std::vector<std::string>& alone);

}  // namespace sulcus::bids
