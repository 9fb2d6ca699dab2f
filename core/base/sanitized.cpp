#include "core/base/sanitized.h"

#include "core/base/utf8.h"

#include <algorithm>

namespace sulcus {
namespace {

bool continues(char byte) { return (static_cast<unsigned char>(byte) & 0xc0) == 0x80; }

/// Length in bytes of the UTF-8 character that `text` starts with; 0 if it is invalid.
std::size_t lengthOfCharacter(std::string_view text, char32_t& code) {
  const auto first = static_cast<unsigned char>(text[0]);
  code = first;
  if (first < 0x80) return 1;
  const std::size_t length = 2 + (first >= 0xe0) + (first >= 0xf0);
  if (first < 0xc2 || first > 0xf4 || text.size() < length) return 0;
  code = first & (0x7f >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if (!continues(text[i])) return 0;
    code = code << 6 | (static_cast<unsigned char>(text[i]) & 0x3f);
  }
  constexpr char32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xd800 && code < 0xe000;
  return code < smallest[length] || code > 0x10ffff || surrogate ? 0 : length;
}

/// Length in bytes of the character that `text` starts with; 0 if it is invalid or must not be shown.
std::size_t lengthOfShown(std::string_view text) {
  char32_t code = 0;
  const std::size_t length = lengthOfCharacter(text, code);
  const bool controls = code < 0x20 || (code >= 0x7f && code < 0xa0);
  const bool turns = (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
  return controls || turns ? 0 : length;
}

/// Adds a byte to `shown` as \xe9.
void addByte(std::string& shown, char byte) {
  constexpr char digits[] = "0123456789abcdef";
  const auto value = static_cast<unsigned char>(byte);
  shown.append("\\x").append(1, digits[value >> 4]).append(1, digits[value & 15]);
}

}  // namespace

std::string sanitizedForDisplay(std::string_view text, std::size_t most) {
  if (text.size() > most) {
    std::size_t head = most - most / 3, tail = text.size() - most / 3;
    while (head > 0 && continues(text[head])) --head;
    while (tail < text.size() && continues(text[tail])) ++tail;
    return sanitizedForDisplay(text.substr(0, head)) + "…" + sanitizedForDisplay(text.substr(tail));
  }
  std::string shown;
  shown.reserve(text.size());
  while (true) {
    const auto plain =
        std::find_if(text.begin(), text.end(), [](unsigned char c) { return c < 0x20 || c >= 0x7f; });
    shown.append(text.begin(), plain);
    text.remove_prefix(std::size_t(plain - text.begin()));
    if (text.empty()) break;
    const std::size_t length = lengthOfShown(text);
    if (length > 0)
      shown += text.substr(0, length);
    else
      addByte(shown, text[0]);
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return shown;
}

void appendUtf8(std::string& text, char32_t code) {
  if (code < 0x80) {
    text += char(code);
    return;
  }
  if (code < 0x800) {
    text += char(0xc0 | code >> 6);
  } else {
    text += char(0xe0 | code >> 12);
    text += char(0x80 | (code >> 6 & 0x3f));
  }
  text += char(0x80 | (code & 0x3f));
}

std::string withoutStrayBytes(std::string_view text) {
  std::string valid;
  while (!text.empty()) {
    char32_t code = 0;
    const std::size_t length = lengthOfCharacter(text, code);
    if (length > 0)
      valid += text.substr(0, length);
    else
      addByte(valid, text[0]);
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return valid;
}

std::string inQuotes(std::string_view text, std::size_t most) {
  return "'" + sanitizedForDisplay(text, most) + "'";
}

std::string escapedForXml(std::string_view text) {
  std::string escaped;
  for (const char c : sanitizedForDisplay(text)) {
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      case '\'':
        escaped += "&#39;";
        break;
      default:
        escaped += c;
    }
  }
  return escaped;
}

}  // namespace sulcus
