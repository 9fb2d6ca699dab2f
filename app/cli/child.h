#pragma once

#include <functional>
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

/// Calls programs at the same time and waits until all have ended. Each has a process group of its own, so
/// that a key pressed reaches only this program; when `stop` says so, each is asked by SIGINT to end.
///
/// @param talk  what they print goes where this program prints; else it is in the answers
std::vector<ChildAnswer> callSideBySide(const std::vector<std::vector<std::string>>& calls, bool talk,
                                        const std::function<bool()>& stop);

}  // namespace sulcus::app::cli
