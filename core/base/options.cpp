#include "core/base/options.h"

#include "core/base/sanitized.h"
#include "core/base/sentence.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <sstream>

namespace sulcus {
namespace {

[[noreturn]] void refuse(const OptionInfo& info, const std::string& given, const std::string& wanted) {
  throw Error(Message::option(info.name) + " cannot be " + inQuotes(given), info.label + " is " + wanted,
              "give " + wanted, ErrorKind::usage);
}

std::string number(double value) {
  std::ostringstream text;
  text.precision(10);
  text << value;
  return text.str();
}

/// Every whole number up to this one is exact as a double.
constexpr double kLargestWhole = 9007199254740992;

std::string boundText(double bound) {
  const bool isWhole = bound == std::floor(bound) && std::abs(bound) <= kLargestWhole;
  return isWhole ? std::to_string(static_cast<std::int64_t>(bound)) : number(bound);
}

std::string rangeText(const OptionInfo& info, const char* kind) {
  const std::string unit = info.unit.empty() ? info.unit : " " + info.unit;
  if (std::isinf(info.maximum)) return kind + (" of at least " + boundText(info.minimum) + unit);
  return kind + (" from " + boundText(info.minimum) + " to " + boundText(info.maximum) + unit);
}

std::string wantedText(const OptionInfo& info) {
  if (!info.choices.empty()) return "one of " + joined(info.choices, " ");
  if (std::holds_alternative<bool>(info.defaultValue)) return "true or false";
  if (std::holds_alternative<std::int64_t>(info.defaultValue)) return rangeText(info, "a whole number");
  if (std::holds_alternative<double>(info.defaultValue)) return rangeText(info, "a number");
  return "a text";
}

}  // namespace

std::string formatOption(const OptionValue& value) {
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return std::to_string(*whole);
  if (const auto* real = std::get_if<double>(&value)) return number(*real);
  return std::get<std::string>(value);
}

OptionValue checkedOption(const OptionInfo& info, const OptionValue& value) {
  OptionValue checked = value;
  if (std::holds_alternative<double>(info.defaultValue) && std::holds_alternative<std::int64_t>(value))
    checked = static_cast<double>(std::get<std::int64_t>(value));
  if (std::holds_alternative<std::int64_t>(info.defaultValue) && std::holds_alternative<double>(value)) {
    const double real = std::get<double>(value);
    if (real == std::floor(real) && std::abs(real) <= kLargestWhole)
      checked = static_cast<std::int64_t>(real);
  }
  if (checked.index() != info.defaultValue.index()) refuse(info, formatOption(value), wantedText(info));
  if (!info.choices.empty()) {
    const auto& name = std::get<std::string>(checked);
    if (std::find(info.choices.begin(), info.choices.end(), name) == info.choices.end())
      refuse(info, name, wantedText(info));
  }
  double numeric = info.minimum;
  if (const auto* whole = std::get_if<std::int64_t>(&checked)) numeric = static_cast<double>(*whole);
  if (const auto* real = std::get_if<double>(&checked)) numeric = *real;
  if (!(numeric >= info.minimum && numeric <= info.maximum) || std::isinf(numeric))
    refuse(info, formatOption(value), wantedText(info));
  return checked;
}

void dropRetired(OptionValues& values, const OptionInfo& info) {
  for (const auto& [name, left] : info.retired) {
    const auto found = values.find(name);
    if (found == values.end()) continue;
    if (found->second != OptionValue(left))
      throw Error(Message::option(name) + " cannot be " + inQuotes(formatOption(found->second)) + " any more",
                  "only '" + left + "' is left of this option", "leave it out", ErrorKind::usage);
    values.erase(found);
  }
}

std::optional<OptionValue> takeOption(OptionValues& values, const OptionInfo& info) {
  dropRetired(values, info);
  const auto found = findOption(values, info);
  if (found == values.end()) return std::nullopt;
  OptionValue value = std::move(found->second);
  values.erase(found);
  return value;
}

OptionValue parseOption(const OptionInfo& info, std::string_view text) {
  const std::string given(text);
  if (std::holds_alternative<std::string>(info.defaultValue)) return checkedOption(info, given);
  if (std::holds_alternative<bool>(info.defaultValue)) {
    if (given == "true" || given == "1" || given == "on" || given == "yes") return true;
    if (given == "false" || given == "0" || given == "off" || given == "no") return false;
    refuse(info, given, wantedText(info));
  }
  double real = 0;
  const auto [end, fault] = std::from_chars(given.data(), given.data() + given.size(), real);
  if (fault != std::errc() || end != given.data() + given.size()) refuse(info, given, wantedText(info));
  return checkedOption(info, real);
}

}  // namespace sulcus
