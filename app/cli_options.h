#pragma once

#include "core/base/options.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace sulcus::app {

/// The flags made from an analysis' description, and what was given for them.
using GivenOptions = std::shared_ptr<std::map<std::string, std::string>>;

/// Adds one flag for each of `infos`, with help, unit, range and default.
GivenOptions addOptionFlags(CLI::App& parser, const std::vector<OptionInfo>& infos);

/// All of `infos` with a value: of the flag, else of the JSON file `paramsFile` ("": none), else the default.
/// Throws Error (usage) for unknown names and values out of range.
OptionValues resolveOptions(const std::vector<OptionInfo>& infos,
                            const std::map<std::string, std::string>& given, const std::string& paramsFile);

/// "0 … 8, default 0", "auto, adc or csd; default auto"
std::string allowedValues(const OptionInfo& info);

}  // namespace sulcus::app
