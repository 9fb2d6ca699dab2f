#include "app/cli/options.h"

#include "core/base/error.h"
#include "core/base/sanitized.h"
#include "core/base/sentence.h"
#include "core/base/word_list.h"
#include "core/io/files.h"

#include <algorithm>
#include <cmath>

#include <CLI/CLI.hpp>

namespace sulcus::app::cli {
namespace {

std::string typeName(const OptionInfo& info) {
  if (info.list) return "TEXT";
  if (!info.choices.empty() || std::holds_alternative<std::string>(info.defaultValue)) return "NAME";
  return std::holds_alternative<std::int64_t>(info.defaultValue) ? "N" : "X";
}

/// Joins the parts of a list that was given by repeating its flag; throws Error (usage) for an empty part.
std::string listText(const std::string& flag, const std::vector<std::string>& parts) {
  const auto isBlank = [](const std::string& part) { return part.find_first_not_of(" \t;") == part.npos; };
  if (parts.empty() || std::any_of(parts.begin(), parts.end(), isBlank))
    throw Error(flag + " is empty", "it would have no effect", "give a text, or leave the flag out",
                ErrorKind::usage);
  return joined(parts, "; ");
}

/// "0 … 8, default 0", "auto, adc or csd; default auto"
std::string allowedValues(const OptionInfo& info) {
  std::string text;
  if (!info.choices.empty()) {
    text += wordList(info.choices, "or") + "; ";
  } else if (info.maximum > info.minimum) {
    const auto bound = [&](double value) {
      const bool isWhole = std::holds_alternative<std::int64_t>(info.defaultValue) && std::isfinite(value);
      return isWhole ? formatOption(static_cast<std::int64_t>(value)) : formatOption(value);
    };
    text += bound(info.minimum) + " … " + bound(info.maximum);
    text += (info.unit.empty() ? "" : " " + info.unit) + "; ";
  }
  if (info.list) text += "may be repeated; ";
  const std::string standard = formatOption(info.defaultValue);
  return text + (standard.empty() ? "default: none" : "default " + standard);
}

}  // namespace

GivenOptions addOptionFlags(CLI::App& parser, const std::vector<OptionInfo>& infos) {
  auto given = std::make_shared<std::map<std::string, std::string>>();
  for (const auto& info : infos) {
    const std::string flag = "--" + info.name, help = info.help + " (" + allowedValues(info) + ")";
    const auto keep = [given, name = info.name](const std::string& text) { (*given)[name] = text; };
    if (std::holds_alternative<bool>(info.defaultValue))
      parser
          .add_flag_function(
              flag + ",!--no-" + info.name, [keep](std::int64_t on) { keep(on > 0 ? "true" : "false"); },
              help)
          ->group("Parameters");
    else if (info.list)
      parser
          .add_option_function<std::vector<std::string>>(
              flag, [keep, flag](const std::vector<std::string>& parts) { keep(listText(flag, parts)); },
              help)
          ->allow_extra_args(false)  // one per flag
          ->type_name(typeName(info))
          ->group("Parameters");
    else if (info.words)
      parser
          .add_option_function<std::vector<std::string>>(
              flag, [keep](const std::vector<std::string>& words) { keep(joined(words, " ")); }, help)
          ->type_name("X...")
          ->group("Parameters");
    else
      parser.add_option_function<std::string>(flag, keep, help)
          ->type_name(typeName(info))
          ->group("Parameters");
    for (const std::string& name : info.formerNames)
      parser.add_option_function<std::string>("--" + name, keep)->group("");
    for (const auto& entry : info.retired)
      parser
          .add_option_function<std::string>("--" + entry.first,
                                            [info, name = entry.first](const std::string& text) {
                                              OptionValues values{{name, text}};
                                              dropRetired(values, info);
                                            })
          ->group("");
  }
  return given;
}

CLI::Validator notEmpty(const std::string& flag) {
  return CLI::Validator(
      [flag](const std::string& text) {
        if (text.empty())
          throw Error(flag + " is empty", "it names nothing", "give a name", ErrorKind::usage);
        return std::string();
      },
      "");
}

CLI::Option* addText(CLI::App& parser, const std::string& flag, std::string& value, const std::string& help,
                     const std::string& type) {
  CLI::Option* const option = parser.add_option(flag, value, help)->check(notEmpty(flag));
  return type.empty() ? option : option->type_name(type);
}

void addPresetFlag(CLI::App& parser, const std::vector<Preset>& presets, std::string& name) {
  if (presets.empty()) return;
  std::string help = "Start from parameters of this name; --params and flags override them.";
  for (const auto& preset : presets) help += " " + preset.name + ": " + preset.help + ".";
  addText(parser, "--preset", name, help, "NAME")->group("Parameters");
}

OptionValues presetValues(const std::vector<Preset>& presets, const std::string& name) {
  std::string names;
  for (const auto& preset : presets) {
    if (preset.name == name) return preset.values;
    names += (names.empty() ? "" : ", ") + preset.name;
  }
  if (name.empty()) return {};
  throw Error("--preset cannot be '" + name + "'", "there are no parameters of that name",
              "give one of " + names, ErrorKind::usage);
}

OptionValues resolveOptions(const std::vector<OptionInfo>& infos, const OptionValues& preset,
                            const std::map<std::string, std::string>& given, const std::string& paramsFile) {
  OptionValues fromFile;
  if (!paramsFile.empty()) fromFile = io::openOptions(paramsFile);
  OptionValues values;
  for (const auto& info : infos) {
    const auto flag = given.find(info.name);
    const auto stored = takeOption(fromFile, info);
    const auto named = preset.find(info.name);
    OptionValue& value = values[info.name] = info.defaultValue;
    if (flag != given.end())
      value = parseOption(info, flag->second);
    else if (stored)
      value = checkedOption(info, *stored);
    else if (named != preset.end())
      value = checkedOption(info, named->second);
  }
  if (!fromFile.empty())
    throw Error("'" + paramsFile + "' sets " + inQuotes(fromFile.begin()->first, 40),
                "there is no such parameter here", "remove it or check its spelling against --help",
                ErrorKind::usage);
  return values;
}

}  // namespace sulcus::app::cli
