#include "core/base/error.h"

#include "core/base/sanitized.h"

#include <string>
#include <utility>

namespace sulcus {
namespace {

Message sanitized(const Message& message) {
  Message clean;
  for (const Message::Part& part : message.parts())
    clean +=
        part.isOption ? Message::option(part.text) : Message(sanitizedForDisplay(part.text, Error::kLongest));
  return clean;
}

}  // namespace

Error::Error(const Message& problem, const Message& why, const Message& whatToDo, ErrorKind kind)
    : Error(sanitized(problem) + " (" + sanitized(why) + "): " + sanitized(whatToDo), kind) {}

Error::Error(Message message, ErrorKind kind)
    : std::runtime_error(message.line()),
      message_(std::make_shared<const Message>(std::move(message))),
      kind_(kind) {}

Message messageOf(const std::exception& fault) {
  const auto* const error = dynamic_cast<const Error*>(&fault);
  return error ? error->message() : Message(fault.what());
}

}  // namespace sulcus
