#include "core/base/printable.h"

#include <algorithm>

namespace sulcus {
namespace {

bool continues(char byte) { return (static_cast<unsigned char>(byte) & 0xc0) == 0x80; }

/// Bytes of the UTF-8 character that `text` starts with; 0 when it is none, or none to show.
std::size_t lengthOfCharacter(std::string_view text) {
  const auto first = static_cast<unsigned char>(text[0]);
  if (first < 0x80) return first >= 0x20 && first != 0x7f;
  const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || text.size() < length) return 0;
  char32_t code = first & (0x7f >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if (!continues(text[i])) return 0;
    code = code << 6 | (static_cast<unsigned char>(text[i]) & 0x3f);
  }
  constexpr char32_t smallest[] = {0, 0, 0xa0, 0x800, 0x10000};  // U+0080 to U+009F are control characters
  const bool surrogate = code >= 0xd800 && code < 0xe000;
  const bool turns = (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
  return code < smallest[length] || code > 0x10ffff || surrogate || turns ? 0 : length;
}

}  // namespace

std::string printable(std::string_view text, std::size_t most) {
  if (text.size() > most) {
    std::size_t head = most - most / 3, tail = text.size() - most / 3;
    while (head > 0 && continues(text[head])) --head;
    while (tail < text.size() && continues(text[tail])) ++tail;
    return printable(text.substr(0, head)) + "…" + printable(text.substr(tail));
  }
  std::string shown;
  shown.reserve(text.size());
  while (true) {
    const auto plain = std::find_if(text.begin(), text.end(), [](char c) { return c < 0x20 || c == 0x7f; });
    shown.append(text.begin(), plain);
    text.remove_prefix(std::size_t(plain - text.begin()));
    if (text.empty()) break;
    std::size_t length = lengthOfCharacter(text);
    if (length > 0) {
      shown += text.substr(0, length);
    } else {
      constexpr char digits[] = "0123456789abcdef";
      const auto byte = static_cast<unsigned char>(text[0]);
      shown.append("\\x").append(1, digits[byte >> 4]).append(1, digits[byte & 15]);
      length = 1;
    }
    text.remove_prefix(length);
  }
  return shown;
}

}  // namespace sulcus
