#include "core/analysis/command_line.h"

#include "core/image/grids/axis_change.h"

#include <algorithm>

namespace sulcus {

std::vector<GradientFlag> gradientFlags(const AnalysisInputs& inputs) {
  const auto found = inputs.find(kDiffusionSlot);
  if (found == inputs.end() || !found->second) return {};
  const auto* volume = std::get_if<VolumeLayer>(&found->second->content);
  if (!volume) return {};
  const auto& files = volume->gradients.files;
  std::vector<GradientFlag> flags;
  for (std::size_t i = 0; i < files.size(); ++i) {
    const char* flag = i == 0 ? "bval" : "bvec";
    if (files.size() == 1) flag = "grad";
    const auto& stamps = volume->gradients.stamps;
    flags.push_back({flag, files[i], i < stamps.size() ? stamps[i] : FileStamp()});
  }
  return flags;
}

std::string gradientAxes(const AnalysisInputs& inputs) {
  const auto found = inputs.find(kDiffusionSlot);
  if (found == inputs.end() || !found->second) return {};
  AxisChange all;
  for (const Reinterpretation& reinterpretation : found->second->reinterpretations)
    if (reinterpretation.how.starts_with(kAxesReinterpretation))
      all = followed(all, axesFrom(reinterpretation.how.substr(std::string(kAxesReinterpretation).size())));
  return all.asGiven() ? "" : axesText(all);
}

bool isAsInItsFile(const Layer& layer) {
  return !layer.source.empty() &&
         std::all_of(layer.reinterpretations.begin(), layer.reinterpretations.end(),
                     [](const auto& one) { return one.how.starts_with(kAxesReinterpretation); });
}

std::string fileOf(const Layer& layer) {
  return isAsInItsFile(layer) ? layer.source : layer.name + usualExtension(layer);
}

namespace {

std::string changedFlags(const Analysis& analysis, const OptionValues& values) {
  std::string flags;
  for (const auto& info : analysis.options) {
    const auto value = values.find(info.name);
    if (value != values.end() && value->second != info.defaultValue)
      flags += " --" + info.name + " " + shellQuoted(formatOption(value->second));
  }
  return flags;
}

}  // namespace

std::string commandLine(const Analysis& analysis, const AnalysisInputs& inputs, const OptionValues& values,
                        const std::string& backend) {
  std::string call = "sulcus-cli " + analysis.name;
  const auto add = [&](const std::string& flag, const std::string& value) {
    call += " --" + flag + " " + shellQuoted(value);
  };
  for (const auto& slot : analysis.inputs) {
    const auto [begin, end] = inputs.equal_range(slot.name);
    for (auto input = begin; input != end; ++input)
      if (const LayerPtr& layer = input->second) add(slot.name, fileOf(*layer));
    if (slot.name != kDiffusionSlot) continue;
    for (const auto& one : gradientFlags(inputs)) add(one.flag, one.file);
    if (const std::string axes = gradientAxes(inputs); !axes.empty()) add(kGradientAxes, axes);
  }
  return call + changedFlags(analysis, values) + " --backend " + backend + " --out " + analysis.name +
         "_results";
}

std::string studyCommandLine(const Analysis& analysis, const OptionValues& values,
                             const std::filesystem::path& study) {
  return "sulcus-cli bids " + shellQuoted(study.string()) + " " +
         shellQuoted((study / "derivatives" / "sulcus").string()) + " participant --analysis " +
         analysis.name + changedFlags(analysis, values);
}

std::string shellQuoted(const std::string& word) {
  static constexpr const char* kPlain =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./:=+,@%-";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) return word;
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

}  // namespace sulcus
