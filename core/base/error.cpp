#include "core/base/error.h"

#include "core/base/printable.h"

namespace sulcus {

Error::Error(const std::string& problem, const std::string& why, const std::string& whatToDo, ErrorKind kind)
    : std::runtime_error(printable(problem, kLongest) + " (" + printable(why, kLongest) +
                         "): " + printable(whatToDo, kLongest)),
      kind_(kind) {}

}  // namespace sulcus
