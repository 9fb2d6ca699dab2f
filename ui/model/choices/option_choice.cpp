#include "ui/model/choices/option_choice.h"

#include "core/base/error.h"
#include "core/base/sanitized.h"

#include <algorithm>
#include <utility>

namespace sulcus::ui::model {

OptionValues defaultsOf(const std::vector<OptionInfo>& options) {
  OptionValues values;
  for (const auto& option : options) values[option.name] = option.defaultValue;
  return values;
}

OptionValues optionsOfRun(const Analysis& analysis, OptionValues options) {
  for (const OptionInfo& option : analysis.options)
    if (option.adjustable) options.erase(option.name);
  return options;
}

std::optional<std::string> presetOf(const Analysis& analysis, const OptionValues& options,
                                    const std::vector<Preset>& own) {
  const auto matches = [&](const OptionValues& named) {
    return std::all_of(analysis.options.begin(), analysis.options.end(), [&](const OptionInfo& option) {
      const auto value = named.find(option.name);
      if (value == named.end()) return option.adjustable || options.at(option.name) == option.defaultValue;
      return options.at(option.name) == checkedOption(option, value->second);
    });
  };
  if (matches({})) return "";
  const Preset* best = nullptr;  // the most specific one
  for (const auto* presets : {&analysis.presets, &own})
    for (const Preset& preset : *presets)
      if (matches(preset.values) && (!best || preset.values.size() > best->values.size())) best = &preset;
  return best ? std::optional(best->name) : std::nullopt;
}

OptionChoice::OptionChoice(const Analysis& analysis)
    : analysis_(analysis), values_(defaultsOf(analysis.options)) {}

OptionValues OptionChoice::with(const OptionValues& values) const {
  OptionValues next = values_, given = values;
  for (const OptionInfo& option : analysis_.options) dropRetired(given, option);
  for (const auto& [name, value] : given) {
    const OptionValues one{{name, value}};
    const auto info =
        std::find_if(analysis_.options.begin(), analysis_.options.end(),
                     [&one](const OptionInfo& option) { return findOption(one, option) != one.end(); });
    if (info == analysis_.options.end())
      throw Error("Unknown parameter '" + name + "'", "it would have no effect", "check its spelling",
                  ErrorKind::usage);
    next[info->name] = checkedOption(*info, value);
  }
  return next;
}

void OptionChoice::set(const OptionValues& values) {
  OptionValues next = with(values);
  std::set<std::string> names;
  for (const auto& [name, value] : next)
    if (value != values_.at(name)) names.insert(name);
  if (names.empty()) return;
  values_ = std::move(next);
  emit changed(names);
}

void OptionChoice::reset() { set(defaultsOf(analysis_.options)); }

std::optional<std::string> OptionChoice::preset() const { return presetOf(analysis_, values_, ownPresets_); }

void OptionChoice::setPreset(const std::string& name) {
  OptionValues values = defaultsOf(analysis_.options);
  for (const auto* presets : {&analysis_.presets, &std::as_const(ownPresets_)})
    for (const Preset& preset : *presets)
      if (preset.name == name)
        for (const auto& [option, value] : preset.values) values[option] = value;
  set(values);
}

void OptionChoice::takeParameters(const OptionValues& given) {
  OptionValues values = defaultsOf(analysis_.options), left = given;
  for (const OptionInfo& option : analysis_.options)
    if (const auto value = takeOption(left, option)) values[option.name] = checkedOption(option, *value);
  if (!left.empty())
    throw Error(analysis_.title + " has no parameter " + inQuotes(left.begin()->first, 40),
                "the file belongs to another analysis or version", "choose another file, or remove it there");
  set(values);
}

void OptionChoice::setOwnPresets(std::vector<Preset> presets) {
  ownPresets_ = std::move(presets);
  emit presetsChanged();
}

void OptionChoice::savePreset(const std::string& name) {
  const auto named = [&name](const Preset& preset) { return preset.name == name; };
  if (name.empty() || std::ranges::any_of(analysis_.presets, named))
    throw Error(name.empty() ? std::string("The preset has no name")
                             : inQuotes(name) + " is a preset of " + analysis_.title,
                "it could not be selected later", "give another name", ErrorKind::usage);
  Preset preset{name, {}, {}};
  for (const OptionInfo& option : analysis_.options)
    if (values_.at(option.name) != option.defaultValue) preset.values[option.name] = values_.at(option.name);
  std::erase_if(ownPresets_, named);
  ownPresets_.push_back(std::move(preset));
  emit presetsChanged();
}

void OptionChoice::removePreset(const std::string& name) {
  if (std::erase_if(ownPresets_, [&name](const Preset& preset) { return preset.name == name; }) > 0)
    emit presetsChanged();
}

}  // namespace sulcus::ui::model
