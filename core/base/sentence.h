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

/// Words one after the other, with `separator` between them.
template <class Words>
std::string joined(const Words& words, const std::string& separator) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : separator) + word;
  return text;
}

}  // namespace sulcus
