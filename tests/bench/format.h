#pragma once

#include <cstdio>
#include <string>

namespace sulcus::bench {

/// Text from a printf format, at most 400 bytes.
template <class... Args>
std::string format(const char* pattern, Args... args) {
  char text[400];
  std::snprintf(text, sizeof text, pattern, args...);
  return text;
}

}  // namespace sulcus::bench
