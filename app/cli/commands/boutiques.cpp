#include "app/cli/descriptors.h"
#include "core/analysis/command_line.h"
#include "core/io/streams/file_json.h"
#include "core/io/streams/result_folder.h"

#include <algorithm>
#include <cctype>
#include <cmath>

#include <CLI/CLI.hpp>

namespace sulcus::app::cli {
namespace {

using nlohmann::ordered_json;

/// "max-peaks" as an identifier: "max_peaks".
std::string idOf(std::string name) {
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

std::string keyOf(std::string name) {
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return char(std::toupper(c)); });
  return "[" + idOf(name) + "]";
}

ordered_json inputOf(const std::string& name, const std::string& title, const std::string& help,
                     const std::string& type, bool required) {
  return {{"id", idOf(name)},
          {"name", title},
          {"description", help},
          {"type", type},
          {"optional", !required},
          {"value-key", keyOf(name)},
          {"command-line-flag", "--" + name}};
}

ordered_json inputOf(const InputSlot& slot) {
  auto input = inputOf(slot.name, slot.label, slot.help, "File", slot.required);
  if (slot.many || !slot.overflow.empty()) input["list"] = true;
  return input;
}

ordered_json inputOf(const OptionInfo& info) {
  const std::string help = info.help + (info.unit.empty() ? "" : " Unit: " + info.unit + ".");
  if (const bool* on = std::get_if<bool>(&info.defaultValue)) {
    if (*on) return inputOf("no-" + info.name, info.label, "Not: " + help, "Flag", false);
    return inputOf(info.name, info.label, help, "Flag", false);
  }
  const bool isText = std::holds_alternative<std::string>(info.defaultValue);
  auto input = inputOf(info.name, info.label, help, isText ? "String" : "Number", false);
  if (info.words) input["list"] = true;
  if (!info.choices.empty()) input["value-choices"] = info.choices;
  if (!isText) input["integer"] = std::holds_alternative<std::int64_t>(info.defaultValue);
  if (!isText && info.maximum > info.minimum) {
    input["minimum"] = info.minimum;
    if (std::isfinite(info.maximum)) input["maximum"] = info.maximum;
  }
  if (const std::string standard = formatOption(info.defaultValue); !standard.empty())
    input["description"] = help + " Default: " + standard + ".";
  return input;
}

/// "peaks.nii.gz" as an identifier: "peaks_nii_gz".
std::string fileId(std::string file) {
  std::replace(file.begin(), file.end(), '.', '_');
  return idOf(std::move(file));
}

/// The results with a unique name, each in the folder of --out.
ordered_json outputsOf(const Analysis& analysis) {
  auto outputs = ordered_json::array();
  const auto add = [&](const std::string& id, const std::string& title, const std::string& path) {
    outputs.push_back({{"id", id}, {"name", title}, {"path-template", "[OUT]" + path}, {"optional", true}});
  };
  add("folder", "Folder of the results", "");
  outputs.back()["optional"] = false;
  add("provenance", "How they were made", "/provenance.json");
  for (const auto& name : analysis.outputs)
    if (name.find('*') == name.npos)
      for (const auto& file : io::resultNames({name}))
        if (file != "provenance.json") add(fileId(file), name, "/" + file);
  return outputs;
}

}  // namespace

std::string boutiquesText(const Analysis& analysis) {
  auto inputs = ordered_json::array();
  for (const auto& slot : analysis.inputs) inputs.push_back(inputOf(slot));
  if (std::any_of(analysis.inputs.begin(), analysis.inputs.end(),
                  [](const InputSlot& slot) { return slot.name == kDiffusionSlot; })) {
    inputs.push_back(
        inputOf("bval", "b-values", "b-values of --dwi (FSL); default: the files next to it", "File", false));
    inputs.push_back(inputOf("bvec", "Directions", "Gradient directions of --dwi (FSL)", "File", false));
    inputs.push_back(inputOf("grad", "Gradient table", "Gradient table of --dwi (MRtrix)", "File", false));
    inputs.push_back(
        inputOf(kGradientAxes, "Axes of the directions",
                "Flips or exchanges the axes of the image for the directions of --dwi, such as '-x y z'",
                "String", false));
  }
  inputs.push_back(inputOf("out", "Results", "Folder for the results", "String", true));
  for (const auto& info : analysis.options) inputs.push_back(inputOf(info));
  for (const auto& info : runOptions()) inputs.push_back(inputOf(info));
  inputs.push_back(inputOf("overwrite", "Overwrite", "Replace results that exist", "Flag", false));
  std::string call = "sulcus-cli " + analysis.name;
  for (const auto& input : inputs) call += " " + input["value-key"].get<std::string>();
  ordered_json json{{"name", "sulcus " + analysis.name},
                    {"description", analysis.summary},
                    {"author", "Sulcus developers"},
                    {"tool-version", sulcusVersion()},
                    {"schema-version", "0.5"},
                    {"command-line", call},
                    {"inputs", inputs},
                    {"output-files", outputsOf(analysis)}};
  auto groups = ordered_json::array();
  std::map<std::string, std::vector<std::string>> alternatives;
  for (const auto& slot : analysis.inputs)
    if (!slot.oneOf.empty()) alternatives[slot.oneOf].push_back(idOf(slot.name));
  for (const auto& [name, members] : alternatives)
    if (members.size() > 1)
      groups.push_back({{"id", name + "_group"},
                        {"name", "One of " + std::to_string(members.size())},
                        {"members", members},
                        {"mutually-exclusive", true},
                        {"one-is-required", true}});
  if (!groups.empty()) json["groups"] = groups;
  return io::jsonText(json);
}

void addDescriptorFlags(CLI::App& parser, const Analysis& analysis) {
  const auto add = [&](const char* flag, const char* help, std::string (*text)(const Analysis&)) {
    // Like --version it is answered at once, before anything missing is reported.
    parser
        .add_flag_function(
            flag, [&analysis, text](std::int64_t) { throw CLI::CallForVersion(text(analysis), 0); }, help)
        ->trigger_on_parse()
        ->disable_flag_override()
        ->group("Common");
  };
  add("--boutiques", "Print this command as a Boutiques descriptor", boutiquesText);
  add("--xml", "Print this command as a module of 3D Slicer (Slicer execution model)", slicerText);
}

}  // namespace sulcus::app::cli
