#pragma once

#include "app/cli/parser.h"
#include "core/analysis/analysis.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace sulcus::app::cli {

/// The flags made from an analysis's description, and the values given for them.
using GivenOptions = std::shared_ptr<std::map<std::string, std::string>>;

/// Adds one flag for each of `infos`, with help, unit, range and default. The flag of a list may be repeated:
/// its values are joined by "; ".
GivenOptions addOptionFlags(CLI::App& parser, const std::vector<OptionInfo>& infos);

/// Adds --preset, if there are any.
void addPresetFlag(CLI::App& parser, const std::vector<Preset>& presets, std::string& name);

/// Refuses an empty text for `flag` (a flag or the name of a positional argument), which scripts pass by
/// mistake.
CLI::Validator notEmpty(const std::string& flag);

/// Adds a flag or a positional argument that takes a text which must not be empty, such as a file or a name.
///
/// @param type  what the help calls the text: "FILE"
CLI::Option* addText(CLI::App& parser, const std::string& flag, std::string& value, const std::string& help,
                     const std::string& type = "");

/// The values of the preset `name`, none for ""; throws Error (usage) that lists the existing ones.
OptionValues presetValues(const std::vector<Preset>& presets, const std::string& name);

/// All of `infos` with a value: that of the flag, else of the JSON file `paramsFile` ("": none), else of the
/// preset, else the default. Throws Error (usage) for unknown names and values out of range.
OptionValues resolveOptions(const std::vector<OptionInfo>& infos, const OptionValues& preset,
                            const std::map<std::string, std::string>& given, const std::string& paramsFile);

}  // namespace sulcus::app::cli
