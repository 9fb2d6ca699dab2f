#pragma once

#include <map>
#include <string>

namespace sulcus::app::cli {

namespace exit_code {
inline constexpr int done = 0, differs = 1, internal = 5, interrupted = 130;  // 2, 3, 4: see ErrorKind
}

/// How a command communicates: --json, --quiet, --filter-progress.
struct CliContext {
  bool json = false;
  bool quiet = false;
  bool filterProgress = false;  ///< report progress to 3D Slicer
  std::string call;             ///< the whole command line, for provenance

  // For a run requested by another machine.
  std::string place;                         ///< its name for this one; "": a local run
  std::map<std::string, std::string> names;  ///< names of inputs there, by their local names
};

}  // namespace sulcus::app::cli
