#pragma once

#include <string>
#include <string_view>

namespace sulcus {

/// `text` as a message repeats it: of a long one the first `most` bytes, up to a whole UTF-8 character, and
/// "…".
inline std::string shortened(std::string_view text, std::size_t most = 60) {
  if (text.size() <= most) return std::string(text);
  while (most > 0 && (text[most] & 0xC0) == 0x80) --most;
  return std::string(text.substr(0, most)) + "…";
}

}  // namespace sulcus
