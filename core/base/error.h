#pragma once

#include <stdexcept>
#include <string>

namespace sulcus {

/// What kind of trouble an Error is; the values are the exit codes of sulcus-cli.
enum class ErrorKind { usage = 2, badInput = 3, unavailable = 4 };

/// A mistake in what the user gave or asked for, worded *problem (why it matters): what to do*.
/// Programmer errors are assertions instead.
class Error : public std::runtime_error {
 public:
  Error(const std::string& problem, const std::string& why, const std::string& whatToDo,
        ErrorKind kind = ErrorKind::badInput)
      : std::runtime_error(problem + " (" + why + "): " + whatToDo), kind_(kind) {}

  ErrorKind kind() const noexcept { return kind_; }

 private:
  ErrorKind kind_;
};

/// Thrown where a run notices that it was asked to stop. Caught only by JobQueue and main.
struct Cancelled : std::exception {
  const char* what() const noexcept override { return "cancelled"; }
};

}  // namespace sulcus
