#include "core/base/error.h"

#include "core/base/sanitized.h"

namespace sulcus {

Error::Error(const std::string& problem, const std::string& why, const std::string& whatToDo, ErrorKind kind)
    : std::runtime_error(sanitizedForDisplay(problem, kLongest) + " (" + sanitizedForDisplay(why, kLongest) +
                         "): " + sanitizedForDisplay(whatToDo, kLongest)),
      kind_(kind) {}

}  // namespace sulcus
