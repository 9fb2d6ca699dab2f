#pragma once

#include <cstdio>
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

/// Calls two programs of which the second reads what the first prints, and waits for the end of both. The
/// answer is that of the second, or of the first where that fails and the second does not.
ChildAnswer callPiped(const std::vector<std::string>& first, const std::vector<std::string>& second);

/// Calls programs at the same time and waits until all have ended. Each has a process group of its own, so
/// that a key pressed reaches only this program; when `stop` says so, each is asked by SIGINT to end.
///
/// @param talk  what they print goes where this program prints; else it is in the answers
std::vector<ChildAnswer> callSideBySide(const std::vector<std::vector<std::string>>& calls, bool talk,
                                        const std::function<bool()>& stop);

/// A program of the PATH that is talked with through its standard input and output. It has a process group of
/// its own. The destructor closes both and waits for its end.
class TalkingChild {
 public:
  /// Starts it, without a shell. Throws Error (unavailable) where that is not possible.
  explicit TalkingChild(const std::vector<std::string>& words);
  ~TalkingChild();
  TalkingChild(const TalkingChild&) = delete;
  TalkingChild& operator=(const TalkingChild&) = delete;

  int output() const { return output_; }  ///< to read from
  int input() const { return input_; }    ///< to write to; does not block
  void closeInput();
  /// Asks it by SIGINT to stop; what it says of that can be read.
  void interrupt() const;
  /// Closes both and waits for its end; after two seconds it is asked to. What it printed on standard output
  /// is not in the answer.
  ChildAnswer end();

 private:
  int input_ = -1, output_ = -1, id_ = 0;
  std::FILE* complaint_ = nullptr;
  ChildAnswer answer_;
};

}  // namespace sulcus::app::cli
