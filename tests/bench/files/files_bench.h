#pragma once

#include "tests/bench/report.h"

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

// What a person waits for: from the command to its exit, files included.

namespace sulcus::bench {

struct FilesOptions {
  std::filesystem::path program;  ///< sulcus-cli; empty: beside this program
  std::filesystem::path data;     ///< real scans as tests have them; what is not there is left out
  /// tests/bench/peers/file_to_file.py, by which other programs are measured in the same call; empty: none
  std::filesystem::path peers;
  bool quick = false;  ///< small generated files
  /// Voxels along each axis of the pairs of heads; above 256 these are interpolated.
  std::vector<int> heads{96, 192};
  bool onlyHeads = false;  ///< the heads alone
  std::string backend;     ///< cpu or gpu alone; empty: both
  int repetitions = 3;
};

/// Makes the inputs in a folder of its own, runs each command on the CPU and, where there is one, on a GPU,
/// and reads what each says it waited for.
///
/// @throws Error  where sulcus-cli is not there or fails
Report runFilesBench(const FilesOptions& options, const Machine& machine,
                     const std::function<void(const std::string&)>& tell);

}  // namespace sulcus::bench
