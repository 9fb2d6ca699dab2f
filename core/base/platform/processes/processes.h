#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sulcus {

/// How a program is started.
struct ProgramStart {
  static constexpr int kAsHere = -1, kNothing = -2;
  /// Descriptors that become its standard streams. kAsHere: the one of this program; kNothing: empty input,
  /// or discarded output.
  int input = kNothing, output = kAsHere, complaint = kAsHere;
  int kept = -1;  ///< another descriptor it inherits, as number 3 (not on Windows)
  enum class Group {
    same,
    own,
    session
  } group = Group::same;  ///< `own`: a key pressed, such as Ctrl+C, reaches only this program
  bool isolated =
      false;  ///< the program inherits no other descriptors, and its signals have their default actions
};

/// Starts a program without a shell: the first word is its path or its name in the PATH. Returns 0 or the
/// error number.
int startProgram(const std::vector<std::string>& words, const ProgramStart& start, int& program);

/// Starts a program that ends with this one, even if this one is killed (only possible on Linux).
int startBoundProgram(const std::vector<std::string>& words, const ProgramStart& start, int& program);

/// How a program ended.
struct ProgramEnd {
  int code = -1;       ///< exit code; −1 if it was killed
  std::string killed;  ///< by which signal
};
/// Waits at most `milliseconds` until one of the programs has ended; numbers that are not positive are
/// ignored.
bool awaitEnds(std::span<const int> programs, int milliseconds);
/// takeEnd() returns how the program ended, if it has; awaitEnd() waits for it. Call once only: the number
/// may be reused afterwards.
std::optional<ProgramEnd> takeEnd(int program);
ProgramEnd awaitEnd(int program);

/// Interrupts a program, as Ctrl+C does; asks it to terminate; kills it.
void interruptProgram(int program) noexcept;
void askToEnd(int program) noexcept;
void killProgram(int program) noexcept;

}  // namespace sulcus
