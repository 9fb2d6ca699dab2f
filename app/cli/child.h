#pragma once

#include <cstdio>
#include <functional>
#include <string>
#include <vector>

namespace sulcus::app::cli {

/// The outcome of a called program.
struct ChildAnswer {
  int code = 0;  ///< its exit code; -1 if it could not be started or was killed
  std::string out, complaint;
};

/// Calls a program on the PATH, without a shell, and waits for it to end.
ChildAnswer callProgram(const std::vector<std::string>& words);

/// Calls two programs, the second of which reads the output of the first, and waits for both to end. The
/// answer is that of the second, or of the first if that fails and the second does not.
ChildAnswer callPiped(const std::vector<std::string>& first, const std::vector<std::string>& second);

/// Calls programs at the same time and waits until all have ended. Each has its own process group, so that a
/// key press reaches only this program; when `stop` returns true, each receives SIGINT.
///
/// @param talk their output goes where this program's output goes; else it is in the answers
std::vector<ChildAnswer> callSideBySide(const std::vector<std::vector<std::string>>& calls, bool talk,
                                        const std::function<bool()>& stop);

/// A program on the PATH with pipes to its standard input and output. It has its own process group. The
/// destructor closes both and waits for it to end.
class TalkingChild {
 public:
  /// Starts it, without a shell. Throws Error (unavailable) if that is not possible.
  explicit TalkingChild(const std::vector<std::string>& words);
  ~TalkingChild();
  TalkingChild(const TalkingChild&) = delete;
  TalkingChild& operator=(const TalkingChild&) = delete;

  int output() const { return output_; }  ///< to read from
  int input() const { return input_; }    ///< to write to; does not block
  void closeInput();
  /// Stops it with SIGINT; its final output can still be read.
  void interrupt() const;
  /// Closes both and waits for it to end; after two seconds it is interrupted. What it printed on standard
  /// output is not in the answer.
  ChildAnswer end();

 private:
  int input_ = -1, output_ = -1, id_ = 0;
  std::FILE* complaint_ = nullptr;
  ChildAnswer answer_;
};

}  // namespace sulcus::app::cli
