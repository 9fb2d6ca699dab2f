#pragma once

#include <map>
#include <string>

namespace sulcus::app::cli {

namespace exit_code {
inline constexpr int done = 0, differs = 1, internal = 5, interrupted = 130;  // 2, 3, 4: see ErrorKind
}

/// How a command talks: --json, --quiet, --filter-progress.
struct CliContext {
  bool json = false;
  bool quiet = false;
  bool filterProgress = false;  ///< progress goes to 3D Slicer
  std::string call;             ///< the whole command line, for provenance

  // What a run is told that another machine asked for.
  std::string place;  ///< how it calls this one; "": the run is not asked for elsewhere
  std::map<std::string, std::string> names;  ///< of inputs as they are called there, by those here
};

}  // namespace sulcus::app::cli
