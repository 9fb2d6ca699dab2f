#pragma once

#include "tests/bench/report.h"

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

// The time that a user waits: from the command to its exit, including files.

namespace sulcus::bench {

struct FilesOptions {
  std::filesystem::path program;  ///< sulcus-cli; empty: next to this program
  std::filesystem::path data;     ///< real scans of the tests; missing ones are skipped
  /// tests/bench/peers/file_to_file.py, which measures other programs in the same call; empty: none
  std::filesystem::path peers;
  bool quick = false;  ///< small generated files
  /// Voxels along each axis of the pairs of heads; above 256 these are interpolated.
  std::vector<int> heads{96, 192};
  bool onlyHeads = false;  ///< only the heads
  std::string backend;     ///< only cpu or gpu; empty: both
  int repetitions = 3;
};

/// Generates the inputs in a temporary folder, runs each command on the CPU and, if there is one, on a GPU,
/// and reads the times that each reports.
///
/// @throws Error  if sulcus-cli is missing or fails
Report runFilesBench(const FilesOptions& options, const Machine& machine,
                     const std::function<void(const std::string&)>& tell);

}  // namespace sulcus::bench
