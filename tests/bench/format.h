#pragma once

#include <cstdio>
#include <string>

namespace sulcus::bench {

/// Text by a pattern of printf, 400 bytes at most.
template <class... Args>
std::string format(const char* pattern, Args... args) {
  char text[400];
  std::snprintf(text, sizeof text, pattern, args...);
  return text;
}

}  // namespace sulcus::bench
