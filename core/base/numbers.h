#pragma once

#include <charconv>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>

namespace sulcus {

/// All of `text` as a number, independent of the locale; "nan" and "inf" are numbers here. nullopt if it is
/// anything else or does not fit into a double.
inline std::optional<double> numberIn(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  if (text.starts_with('+')) return {};
  double value = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (fault != std::errc() || end != text.data() + text.size()) return {};
  return value;
}

/// A number with six significant digits, for sentences and generated names.
inline std::string numberText(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", value);
  return text;
}

/// A number with nine significant digits, for tables and reports of results: different floats stay different.
inline std::string nineDigits(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.9g", value);
  return text;
}

}  // namespace sulcus
