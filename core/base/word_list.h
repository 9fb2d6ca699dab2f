#pragma once

#include <string>
#include <vector>

namespace sulcus {

/// "a", "a and b", "a, b and c".
inline std::string wordList(const std::vector<std::string>& words, const std::string& last = "and") {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 < words.size() ? ", " : " " + last + " ";
    text += words[i];
  }
  return text;
}

}  // namespace sulcus
