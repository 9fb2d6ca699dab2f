#pragma once

#include "app/cli/run.h"
#include "app/remote/remote_target.h"
#include "app/remote/wire.h"
#include "core/base/progress.h"

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace sulcus::app::remote {

/// A run as it is sent to another machine: a sulcus-cli command line whose files have remote names that no
/// shell interprets and no other run uses.
struct SentRun {
  struct File {
    std::string there;           ///< below the folder of the job: in/NUMBER/NAME
    std::filesystem::path here;  ///< as the user gave it
    std::string sha256;
    std::uint64_t bytes = 0;
  };
  std::vector<std::string> words;            ///< of the remote command line, without the program
  std::vector<File> files;                   ///< inputs, and the files next to them that belong to them
  std::map<std::string, std::string> names;  ///< local names of files and folders, by remote names
  std::map<std::string, std::string> texts;  ///< files that are created there
  std::string id;                            ///< the same for the same inputs, parameters and version
  Wire::Json slurm;  ///< the resources to request from Slurm, see RemoteJob::start(); null: no Slurm

  /// The request to the other side.
  Wire::Json request(const RemoteTarget& place, const std::string& call, bool fresh) const;
};

/// Throws Error if an input cannot be read.
SentRun sentRun(const cli::RunRequest& request, const RemoteTarget& place, const OptionValues& values,
                bool json, const Progress& progress);

/// The resources to request from Slurm; memory is estimated by the analysis, which opens the inputs. Throws
/// Error.
Wire::Json slurmDemand(const cli::RunRequest& request, const RemoteTarget& place, const OptionValues& values,
                       const Progress& progress);

}  // namespace sulcus::app::remote
