#include "core/io/volumes/header_text.h"

#include "core/base/error.h"
#include "core/io/surfaces/mesh_files.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace sulcus::io {
namespace {

constexpr std::size_t kLongestLine = 1 << 16, kLongestHeader = 4'000'000;
constexpr const char* kRemedy = "correct the header, or convert the scan again";

/// Whether two texts have the same words, comparing numbers by value and other words case-insensitively.
bool meanTheSame(std::string_view a, std::string_view b) {
  const auto left = wordsOf(a), right = wordsOf(b);
  return std::equal(left.begin(), left.end(), right.begin(), right.end(), [](auto word, auto other) {
    const auto value = numberOf(word), same = numberOf(other);
    return value && same ? *value == *same : lowered(word) == lowered(other);
  });
}

}  // namespace

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n\v\f";
  const auto first = text.find_first_not_of(kBlanks);
  return first == text.npos ? std::string_view()
                            : text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

std::string lowered(std::string_view text) {
  std::string lower(text);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = char(c - 'A' + 'a');
  return lower;
}

std::vector<std::string_view> wordsOf(std::string_view text) {
  std::vector<std::string_view> words;
  while (!(text = trimmed(text)).empty()) {
    words.push_back(text.substr(0, text.find_first_of(" \t")));
    text.remove_prefix(words.back().size());
  }
  return words;
}

std::optional<double> numberOf(std::string_view word) {
  if (word.size() > 1 && word[0] == '+' && word[1] != '-') word.remove_prefix(1);
  double value = 0;
  const auto [stop, fault] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (word.empty() || fault != std::errc() || stop != word.data() + word.size()) return std::nullopt;
  return value;
}

std::optional<std::string> HeaderLines::next() {
  std::size_t end = 0;
  while ((end = ahead_.find('\n', at_)) == ahead_.npos && !ended_ && ahead_.size() - at_ <= kLongestLine) {
    ahead_.erase(0, at_);
    at_ = 0;
    std::array<char, 4096> chunk;
    const std::size_t got = source_.readSome(chunk);
    ahead_.append(chunk.data(), got);
    ended_ = got == 0;
  }
  const std::size_t length = std::min(end, ahead_.size()) - at_;
  const auto failLength = [this](std::size_t most, const char* where) {
    throw Error(quoted(file_) + " has a header that is too long",
                "it has more than " + byteText(double(most)) + where, kRemedy);
  };
  if (length > kLongestLine) failLength(kLongestLine, " in one line");
  if (position_ > kLongestHeader) failLength(kLongestHeader, "");
  if (end == ahead_.npos && length == 0) return std::nullopt;
  std::string line = ahead_.substr(at_, length);
  if (line.find('\0') != line.npos) fail("it holds binary data where text should be");
  at_ += length;
  position_ += length;
  if (end != ahead_.npos) {
    ++at_;
    ++position_;
  }
  if (line.ends_with('\r')) line.pop_back();
  return line;
}

void HeaderLines::fail(const std::string& why) const {
  throw Error(quoted(file_) + " has a damaged header", why, kRemedy);
}

void HeaderFields::add(const std::string& name, std::string_view value) {
  const auto [at, fresh] = values_.emplace(name, value);
  if (!fresh && at->second != value)
    throw Error(quoted(file_) + " gives " + quotedWord(name) + " twice",
                "as " + quotedWord(at->second) + " and as " + quotedWord(value), kRemedy);
}

const std::string& HeaderFields::text(const std::string& name) const {
  static const std::string kNone;
  const auto found = values_.find(name);
  return found == values_.end() ? kNone : found->second;
}

std::vector<double> HeaderFields::numbers(const std::string& name, std::size_t count) const {
  const auto words = wordsOf(text(name));
  if (words.size() != count)
    fail(name, std::to_string(count) + (count == 1 ? " number is" : " numbers are") + " needed");
  std::vector<double> numbers;
  for (const auto word : words) {
    const auto value = numberOf(word);
    if (!value) fail(name, quotedWord(word) + " is not a number");
    numbers.push_back(*value);
  }
  return numbers;
}

std::vector<std::int64_t> HeaderFields::wholeNumbers(const std::string& name, std::size_t count,
                                                     std::int64_t lowest, std::int64_t largest) const {
  std::vector<std::int64_t> whole;
  for (const double value : numbers(name, count)) {
    if (!(value >= double(lowest) && value <= double(largest)) || value != std::floor(value))
      fail(name,
           "integers from " + std::to_string(lowest) + " to " + std::to_string(largest) + " are allowed");
    whole.push_back(std::int64_t(value));
  }
  return whole;
}

std::string HeaderFields::oneOf(std::initializer_list<const char*> names) const {
  std::string first;
  for (const char* const name : names) {
    if (!has(name)) continue;
    if (first.empty())
      first = name;
    else if (!meanTheSame(text(name), text(first)))
      fail(name, "its " + first + " is " + quotedWord(text(first)) + ", and both mean the same");
  }
  return first;
}

double HeaderFields::millimetersPer(const std::string& name, std::string_view unit, Notes& notes) const {
  const std::string known = std::string("|").append(lowered(trimmed(unit))).append("|");
  const auto isOf = [&](std::string_view names) { return names.find(known) != names.npos; };
  if (isOf("||mm|millimeter|millimeters|millimetre|millimetres|")) return 1;
  if (isOf("|um|µm|micron|microns|")) return 1e-3;
  if (known == "|cm|") return 10;
  if (known == "|m|") return 1000;
  if (!isOf("|?|pixel|pixels|voxel|voxels|")) fail(name, "lengths can be in mm, um, cm or m");
  const std::string note = "The header measures in " + quotedWord(unit) + " (" + name + "): mm assumed.";
  if (std::find(notes.begin(), notes.end(), note) == notes.end()) notes.push_back(note);
  return 1;
}

void HeaderFields::fail(const std::string& name, const std::string& why) const {
  if (!has(name)) throw Error(quoted(file_) + " names no " + name + " in its header", why, kRemedy);
  throw Error(quoted(file_) + " has " + quotedWord(text(name)) + " as " + name, why, kRemedy);
}

}  // namespace sulcus::io
