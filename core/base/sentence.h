#pragma once

#include <cstdint>
#include <sstream>
#include <string>

namespace sulcus {

/// Concatenates the parts, numbers with three significant digits.
template <class... Parts>
std::string text(const Parts&... parts) {
  std::ostringstream stream;
  stream.precision(3);
  (stream << ... << parts);
  return stream.str();
}

/// Joins words with `separator` between them.
template <class Words>
std::string joined(const Words& words, const std::string& separator) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : separator) + word;
  return text;
}

/// A count with its noun, such as "1 edge" or "2 edges".
///
/// @param many  the plural; empty: `one` with an s
inline std::string counted(std::int64_t count, const std::string& one, const std::string& many = {}) {
  if (count == 1) return "1 " + one;
  return std::to_string(count) + " " + (many.empty() ? one + "s" : many);
}

}  // namespace sulcus
