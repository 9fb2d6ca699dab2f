#pragma once

#include <string>
#include <vector>

namespace sulcus::app::cli {

/// What a program that was called had to say.
struct ChildAnswer {
  int code = 0;  ///< its exit code; -1 where it could not be started or was killed
  std::string out, complaint;
};

/// Calls a program of the PATH, without a shell, and waits for its end.
ChildAnswer callProgram(const std::vector<std::string>& words);

}  // namespace sulcus::app::cli
