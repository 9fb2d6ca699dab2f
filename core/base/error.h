#pragma once

#include "core/base/message.h"

#include <cstddef>
#include <memory>
#include <stdexcept>

namespace sulcus {

/// The kind of an Error; the values are the exit codes of sulcus-cli.
enum class ErrorKind { usage = 2, badInput = 3, unavailable = 4 };

/// A mistake in the user's input or request, worded *problem (why it matters): what to do*.
/// what() is its line. Programmer errors are assertions instead. Text from a file or its name passes
/// sanitizedForDisplay() and is shortened.
class Error : public std::runtime_error {
 public:
  static constexpr std::size_t kLongest = 1000;  ///< bytes of each text between options

  Error(const Message& problem, const Message& why, const Message& whatToDo,
        ErrorKind kind = ErrorKind::badInput);

  const Message& message() const noexcept { return *message_; }
  ErrorKind kind() const noexcept { return kind_; }

 private:
  Error(Message message, ErrorKind kind);

  std::shared_ptr<const Message> message_;  ///< shared, since copying an exception must not throw
  ErrorKind kind_;
};

/// What an exception says: the message of an Error, else what().
Message messageOf(const std::exception& fault);

/// Thrown when a run notices that it was asked to stop. Caught only by JobQueue and main.
struct Cancelled : std::exception {
  const char* what() const noexcept override { return "cancelled"; }
};

}  // namespace sulcus
