#pragma once

#include <string>

namespace sulcus::app::cli {

namespace exit_code {
inline constexpr int done = 0, differs = 1, internal = 5, interrupted = 130;  // 2, 3, 4: see ErrorKind
}

/// How a command talks: --json, --quiet, --filter-progress.
struct Session {
  bool json = false;
  bool quiet = false;
  bool filterProgress = false;  ///< progress goes to 3D Slicer
  std::string call;             ///< the whole command line, for provenance
};

}  // namespace sulcus::app::cli
