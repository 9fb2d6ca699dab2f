#include "ui/model/choices/presets.h"

#include <algorithm>

namespace sulcus::ui::model {

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

}  // namespace sulcus::ui::model
