#pragma once

#include <sstream>
#include <string>

namespace sulcus {

/// The parts one after the other, numbers with three digits.
template <class... Parts>
std::string text(const Parts&... parts) {
  std::ostringstream stream;
  stream.precision(3);
  (stream << ... << parts);
  return stream.str();
}

}  // namespace sulcus
