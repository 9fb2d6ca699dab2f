#include "app/cli/wrap.h"

#include <algorithm>
#include <sstream>

namespace sulcus::app::cli {

int displayWidth(const std::string& text) {
  return int(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

std::string wrapped(const std::string& text, int width, int indent) {
  std::string lines;
  int used = 0;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    const int length = displayWidth(word);
    if (used > 0 && used + 1 + length > width) {
      lines += "\n" + std::string(std::size_t(indent), ' ');
      used = 0;
    }
    if (used > 0) {
      lines += " ";
      ++used;
    }
    lines += word;
    used += length;
  }
  return lines;
}

}  // namespace sulcus::app::cli
