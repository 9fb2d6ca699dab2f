#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sulcus {

/// How a program is started.
struct ProgramStart {
  static constexpr int kAsHere = -1, kNothing = -2;
  /// Descriptors that become its standard streams. kAsHere: that of this program; kNothing: empty, or thrown
  /// away.
  int input = kNothing, output = kAsHere, complaint = kAsHere;
  int kept = -1;  ///< a descriptor that it gets besides, as number 3 (not on Windows)
  enum class Group {
    same,
    own,
    session
  } group = Group::same;  ///< a key pressed reaches only this program in `own`
  bool isolated =
      false;  ///< whatever else this program has open stays here, and signals do what they usually do
};

/// Starts a program, without a shell: the first word is its path, or its name in the PATH. 0, or the number
/// of the error.
int startProgram(const std::vector<std::string>& words, const ProgramStart& start, int& program);

/// The same for a program that ends with this one, also where this one is killed (only Linux can do that).
int startBoundProgram(const std::vector<std::string>& words, const ProgramStart& start, int& program);

/// How a program ended.
struct ProgramEnd {
  int code = -1;       ///< its exit code; −1 where it was killed
  std::string killed;  ///< by what
};
/// Waits until one of the programs has ended, so many milliseconds at most; numbers that are not above 0 are
/// none of a program.
bool awaitEnds(std::span<const int> programs, int milliseconds);
/// How it has ended, if it has, or waits for that. To be called once: the number may be another one's
/// afterwards.
std::optional<ProgramEnd> takeEnd(int program);
ProgramEnd awaitEnd(int program);

/// Asks a program to stop what it does, as by Ctrl+C; asks it to end; ends it.
void interruptProgram(int program) noexcept;
void askToEnd(int program) noexcept;
void killProgram(int program) noexcept;

}  // namespace sulcus
