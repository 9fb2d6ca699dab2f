#pragma once

#include "core/base/numbers.h"

#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// JSON written by the engines, which need no library for it.
namespace sulcus {

/// A number with nine digits; "null" if it is not finite.
inline std::string jsonNumber(double value) { return std::isfinite(value) ? nineDigits(value) : "null"; }

/// A text in quotation marks; control characters become blanks.
inline std::string jsonString(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return quoted + '"';
}

/// What stands before the first member or value, between two, and after the last. With `indent` blanks each
/// is on a line of its own; with 0 all are on one line.
struct JsonLines {
  std::string begin, between = ", ", end;
  explicit JsonLines(int indent) {
    if (indent == 0) return;
    begin = '\n' + std::string(std::size_t(indent), ' ');
    between = ',' + begin;
    end = begin.substr(0, begin.size() - 2);
  }
};

/// A list of values that are JSON.
inline std::string jsonList(const std::vector<std::string>& values, int indent = 0) {
  if (values.empty()) return "[]";
  const JsonLines lines(indent);
  std::string list;
  for (const std::string& value : values) list += (list.empty() ? lines.begin : lines.between) + value;
  return "[" + list + lines.end + "]";
}

/// An object that is written member by member.
class JsonObject {
 public:
  explicit JsonObject(int indent = 2) : lines_(indent) {}

  /// A member whose value is JSON.
  JsonObject& raw(std::string_view name, const std::string& value) {
    text_ += (text_.empty() ? lines_.begin : lines_.between) + jsonString(name) + ": " + value;
    return *this;
  }
  JsonObject& number(std::string_view name, double value) { return raw(name, jsonNumber(value)); }
  JsonObject& count(std::string_view name, std::int64_t value) { return raw(name, std::to_string(value)); }
  JsonObject& text(std::string_view name, std::string_view value) { return raw(name, jsonString(value)); }

  std::string done() const { return "{" + text_ + lines_.end + "}"; }

 private:
  JsonLines lines_;
  std::string text_;
};

}  // namespace sulcus
