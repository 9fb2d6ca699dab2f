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
  bool quick = false;             ///< small generated files
  int repetitions = 3;
};

struct FilesRow {
  std::string command, backend;
  double megabytes = 0;                                  ///< of the inputs
  double seconds = 0, slowest = 0;                       ///< from the command to its exit: median, most
  double start = 0, read = 0, compute = 0, written = 0;  ///< of the median run, as waited.json has them
  std::string stages;                                    ///< of computing, s, in their order
};

/// Makes the inputs in a folder of its own, runs each command on the CPU and, where there is one, on a GPU,
/// and reads what each says it waited for.
///
/// @throws Error  where sulcus-cli is not there or fails
std::vector<FilesRow> runFilesBench(const FilesOptions& options, const Machine& machine,
                                    const std::function<void(const std::string&)>& tell);

Report reportOf(const std::vector<FilesRow>& rows, const Machine& machine);

}  // namespace sulcus::bench
