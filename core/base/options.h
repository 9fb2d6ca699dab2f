#pragma once

#include "core/base/error.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

namespace sulcus {

/// One value of an option as used by forms, flags, JSON and provenance; a choice is its name.
using OptionValue = std::variant<bool, std::int64_t, double, std::string>;
using OptionValues = std::map<std::string, OptionValue>;  // by OptionInfo::name

/// Describes one option: enough to make a form row, a command-line flag and a help text.
struct OptionInfo {
  std::string name;                           ///< kebab-case: the flag without --, the JSON key
  std::string label;                          ///< of the form row
  std::string help;                           ///< what it does to the result, one or two sentences
  std::string unit;                           ///< "" if none
  double minimum = 0, maximum = 0, step = 0;  ///< numbers only; an infinite maximum means no bound
  std::vector<std::string> choices;           ///< if not empty, the value is one of these
  bool advanced = false;                      ///< hidden under "More" in a form
  bool flagOnly = false;                      ///< a form shows it only while it is not at its default
  bool adjustable = false;                    ///< can be changed on a finished result without a new run
  std::string lowest;                         ///< what a form calls the smallest value, e.g. "auto"
  bool words = false;  ///< a text of words separated by spaces: a flag takes any number of them
  bool list = false;   ///< a text whose parts are separated by ';': a flag given repeatedly
  std::vector<std::string> formerNames;  ///< still accepted, as flags and in files
  /// Former options with the only value left of each, which flags and files may still give.
  std::map<std::string, std::string> retired;
  std::string unless;  ///< another option, which overrides this one unless at its smallest value; "": none
  OptionValue defaultValue;
};

/// An option that is on or off.
inline OptionInfo toggleOption(std::string name, std::string label, std::string help) {
  OptionInfo info;
  info.name = std::move(name);
  info.label = std::move(label);
  info.help = std::move(help);
  return info;
}

/// The values that a number may have; `step` is what one click of a spin box adds.
struct NumberRange {
  double minimum, maximum, step;
};

/// A number within a range.
inline OptionInfo numberOption(std::string name, std::string label, std::string unit,
                               const NumberRange& range, std::string help) {
  OptionInfo info = toggleOption(std::move(name), std::move(label), std::move(help));
  info.unit = std::move(unit);
  info.minimum = range.minimum;
  info.maximum = range.maximum;
  info.step = range.step;
  return info;
}

/// One of several names; for an enum, in the order of its values 0, 1, 2, ….
inline OptionInfo choiceOption(std::string name, std::string label, std::vector<std::string> choices,
                               std::string help) {
  OptionInfo info = toggleOption(std::move(name), std::move(label), std::move(help));
  info.choices = std::move(choices);
  return info;
}

/// Free text.
inline OptionInfo textOption(std::string name, std::string label, std::string help) {
  return toggleOption(std::move(name), std::move(label), std::move(help));
}

/// Numbers or names separated by spaces.
inline OptionInfo wordsOption(std::string name, std::string label, std::string help) {
  OptionInfo info = textOption(std::move(name), std::move(label), std::move(help));
  info.words = true;
  return info;
}

/// Marks an option that can be changed on a finished result without a new run.
inline OptionInfo adjustable(OptionInfo info) {
  info.adjustable = true;
  return info;
}

/// Gives the smallest value of a number a name, such as "auto".
inline OptionInfo withLowest(std::string name, OptionInfo info) {
  info.lowest = std::move(name);
  return info;
}

/// Marks an option that the form shows only under "More".
inline OptionInfo advanced(OptionInfo info) {
  info.advanced = true;
  return info;
}

/// Renames an option, which is still accepted by its former name.
inline OptionInfo formerly(std::string name, OptionInfo info) {
  info.formerNames.push_back(std::move(name));
  return info;
}

/// Marks an option for flags, files and presets.
inline OptionInfo flagOnly(OptionInfo info) {
  info.flagOnly = true;
  return info;
}

/// Retires another option, of which only this value is left.
inline OptionInfo retiring(std::string name, std::string value, OptionInfo info) {
  info.retired.emplace(std::move(name), std::move(value));
  return info;
}

/// Marks an option that has no effect unless another one is at its smallest value.
inline OptionInfo unless(std::string other, OptionInfo info) {
  info.unless = std::move(other);
  return info;
}

/// Finds the value of an option by its name or a former name; end() if there is none.
template <class Values>
auto findOption(Values& values, const OptionInfo& info) {
  auto found = values.find(info.name);
  for (const std::string& name : info.formerNames)
    if (found == values.end()) found = values.find(name);
  return found;
}

/// Removes what this option retired from `values`; throws Error (usage) where its value is no longer there.
void dropRetired(OptionValues& values, const OptionInfo& info);
/// Removes the value of an option and what it retired, see dropRetired(), from `values`; returns the value.
std::optional<OptionValue> takeOption(OptionValues& values, const OptionInfo& info);

/// `text` as a value of this option; throws Error (usage) that names the flag and the valid values.
OptionValue parseOption(const OptionInfo& info, std::string_view text);
/// `value` in the option's own type and range; throws Error (usage) otherwise.
OptionValue checkedOption(const OptionInfo& info, const OptionValue& value);
std::string formatOption(const OptionValue& value);

namespace detail {

template <class T>
OptionValue toOptionValue(const T& field, const OptionInfo& info) {
  if constexpr (std::is_same_v<T, bool> || std::is_same_v<T, std::string>)
    return field;
  else if constexpr (std::is_enum_v<T>)
    return info.choices.at(static_cast<std::size_t>(field));
  else if constexpr (std::is_integral_v<T>)
    return static_cast<std::int64_t>(field);
  else
    return static_cast<double>(field);
}

template <class T>
void assignOption(T& field, const OptionValue& value, const OptionInfo& info) {
  if constexpr (std::is_enum_v<T>) {
    const auto& name = std::get<std::string>(value);
    for (std::size_t i = 0; i < info.choices.size(); ++i)
      if (info.choices[i] == name) field = static_cast<T>(i);
  } else if constexpr (std::is_same_v<T, bool> || std::is_same_v<T, std::string>) {
    field = std::get<T>(value);
  } else if constexpr (std::is_integral_v<T>) {
    field = static_cast<T>(std::get<std::int64_t>(value));
  } else {
    field = static_cast<T>(std::get<double>(value));
  }
}

}  // namespace detail

// An options struct has plain members with defaults and one
//   template <class Visit> void describe(Visit&& visit) { visit(member, numberOption(…)); … }
// on which the three functions below rely.

/// The options of a struct in the order of its describe().
template <class Options>
std::vector<OptionInfo> describeOptions() {
  std::vector<OptionInfo> infos;
  Options defaults;
  defaults.describe([&](const auto& field, OptionInfo info) {
    info.defaultValue = detail::toOptionValue(field, info);
    infos.push_back(std::move(info));
  });
  return infos;
}

/// All members as values.
template <class Options>
OptionValues optionValues(Options options) {
  OptionValues values;
  options.describe([&](const auto& field, const OptionInfo& info) {
    values[info.name] = detail::toOptionValue(field, info);
  });
  return values;
}

/// The struct with `values` set and defaults for the rest; throws Error (usage) for an unknown name, a wrong
/// type or a value out of range.
template <class Options>
Options optionsFrom(OptionValues values) {
  Options options;
  options.describe([&](auto& field, OptionInfo info) {
    const auto given = takeOption(values, info);
    if (!given) return;
    info.defaultValue = detail::toOptionValue(field, info);
    detail::assignOption(field, checkedOption(info, *given), info);
  });
  if (!values.empty())
    throw Error("Unknown parameter '" + values.begin()->first + "'", "nothing would read it",
                "check its spelling against {help}"_message, ErrorKind::usage);
  return options;
}

}  // namespace sulcus
