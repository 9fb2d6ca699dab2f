#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>

namespace sulcus {

/// The kind of an Error; the values are the exit codes of sulcus-cli.
enum class ErrorKind { usage = 2, badInput = 3, unavailable = 4 };

/// A mistake in the user's input or request, worded *problem (why it matters): what to do*.
/// Programmer errors are assertions instead. Text from a file or its name passes sanitizedForDisplay() and is
/// shortened.
class Error : public std::runtime_error {
 public:
  static constexpr std::size_t kLongest = 1000;  ///< bytes of each of the three parts

  Error(const std::string& problem, const std::string& why, const std::string& whatToDo,
        ErrorKind kind = ErrorKind::badInput);

  ErrorKind kind() const noexcept { return kind_; }

 private:
  ErrorKind kind_;
};

/// Thrown when a run notices that it was asked to stop. Caught only by JobQueue and main.
struct Cancelled : std::exception {
  const char* what() const noexcept override { return "cancelled"; }
};

}  // namespace sulcus
