#include "core/activation/design/names.h"

#include <algorithm>
#include <cctype>
#include <set>

namespace sulcus::activation {
namespace {

constexpr std::size_t kLongest = 60;

bool isAscii(char c) { return static_cast<unsigned char>(c) < 0x80; }

std::string lower(std::string text) {
  for (char& c : text)
    if (isAscii(c)) c = char(std::tolower(c));
  return text;
}

/// The bytes of a UTF-8 character of several, by its first one.
std::size_t bytesFrom(unsigned char first) {
  if (first >= 0xf0) return 4;
  return first >= 0xe0 ? 3 : 2;
}

/// Removes the last UTF-8 character if its bytes are incomplete.
void cutHalfCharacter(std::string& text) {
  std::size_t start = text.size();
  while (start > 0 && (static_cast<unsigned char>(text[start - 1]) & 0xc0) == 0x80) --start;
  if (start == 0 || isAscii(text[--start])) return;
  if (text.size() - start < bytesFrom(static_cast<unsigned char>(text[start]))) text.resize(start);
}

}  // namespace

std::string fileSafeName(std::string_view name, std::string_view prefix) {
  std::string safe;
  for (const char c : name) {
    const bool stays = !isAscii(c) || std::isalnum(c) || c == '_' || c == '.' || c == '-';
    if (stays || (!safe.empty() && safe.back() != '_')) safe += stays ? c : '_';
  }
  while (!safe.empty() && (safe.back() == '_' || safe.back() == '.')) safe.pop_back();
  if (safe.empty() || (isAscii(safe[0]) && !std::isalpha(safe[0]))) safe.insert(0, prefix);
  if (safe.size() > kLongest) {
    safe.resize(kLongest);
    cutHalfCharacter(safe);
  }
  return safe;
}

std::string uniqueName(const std::string& name, const std::vector<std::string>& taken) {
  std::set<std::string> known;
  for (const std::string& other : taken) known.insert(lower(other));
  std::string unique = name;
  for (int i = 2; known.count(lower(unique)) > 0; ++i) unique = name + "_" + std::to_string(i);
  return unique;
}

std::string listed(const std::vector<std::string>& names, std::size_t most) {
  std::string text;
  for (std::size_t i = 0; i < std::min(most, names.size()); ++i) {
    if (i > 0) text += ", ";
    text += names[i];
  }
  if (names.size() > most) text = text + " and " + std::to_string(names.size() - most) + " more";
  return text;
}

}  // namespace sulcus::activation
