// AnalysisPresenter: named sets of parameters, and parameters chosen for another scan.
#include "core/base/error.h"
#include "core/base/sanitized.h"
#include "ui/model/runs/analysis_presenter.h"
#include "ui/model/runs/presets.h"

#include <algorithm>
#include <utility>

namespace sulcus::ui::model {

const LayerState* AnalysisPresenter::scanned() const {
  for (const InputSlot& slot : analysis_.inputs)
    if (const LayerState* state = layers_.find(input(slot.name))) return state;
  return nullptr;
}

AnalysisPresenter::ScanName AnalysisPresenter::scan() const {
  if (const LayerState* state = scanned()) return {state->name, QString::fromStdString(state->layer->source)};
  return {};
}

QString AnalysisPresenter::keptFrom() const {
  const ScanName now = scan();
  const bool known = !now.name.isEmpty() && !chosenFor_.name.isEmpty();
  const bool same = now.file.isEmpty() ? now == chosenFor_ : now.file == chosenFor_.file;
  return known && !same && options_ != defaultsOf(analysis_.options) ? chosenFor_.name : QString();
}

std::optional<std::string> AnalysisPresenter::preset() const {
  return presetOf(analysis_, options_, ownPresets_);
}

void AnalysisPresenter::setPreset(const std::string& name) {
  OptionValues values = defaultsOf(analysis_.options);
  const std::vector<Preset>& own = ownPresets_;
  for (const auto* presets : {&analysis_.presets, &own})
    for (const Preset& preset : *presets)
      if (preset.name == name)
        for (const auto& [option, value] : preset.values) values[option] = value;
  setOptions(values);
}

void AnalysisPresenter::takeParameters(const OptionValues& given) {
  OptionValues values = defaultsOf(analysis_.options), left = given;
  for (const OptionInfo& option : analysis_.options) {
    dropRetired(left, option);
    const auto found = findOption(left, option);
    if (found == left.end()) continue;
    values[option.name] = checkedOption(option, found->second);
    left.erase(found);
  }
  if (!left.empty())
    throw Error(analysis_.title + " has no parameter '" + sanitizedForDisplay(left.begin()->first, 40) + "'",
                "the file belongs to another analysis or version", "choose another file, or remove it there");
  setOptions(values);
}

void AnalysisPresenter::takeExampleParameters(const OptionValues& given) {
  const LayerState* const now = scanned();
  OptionValues options = defaultsOf(analysis_.options);
  for (const auto& [name, value] : given) options[name] = value;
  // First, as what is remembered depends on it.
  example_ = ExampleParameters{std::move(options), options_, chosenFor_, now ? now->id : 0};
  takeParameters(given);
}

void AnalysisPresenter::leaveExample() {
  const LayerState* const now = scanned();
  if (!example_ || (now ? now->id : 0) == example_->scan) return;
  const bool untouched = areOfExample();
  const ExampleParameters example = *std::exchange(example_, std::nullopt);
  if (!untouched) return;
  setOptions(example.before);
  chosenFor_ = example.chosenFor;
}

void AnalysisPresenter::setOwnPresets(std::vector<Preset> presets) {
  ownPresets_ = std::move(presets);
  emit presetsChanged();
}

void AnalysisPresenter::savePreset(const std::string& name) {
  const auto named = [&name](const Preset& preset) { return preset.name == name; };
  if (name.empty() || std::ranges::any_of(analysis_.presets, named))
    throw Error(name.empty() ? std::string("The preset has no name")
                             : "'" + sanitizedForDisplay(name, 60) + "' is a preset of " + analysis_.title,
                "it could not be selected later", "give another name", ErrorKind::usage);
  Preset preset{name, {}, {}};
  for (const OptionInfo& option : analysis_.options)
    if (options_.at(option.name) != option.defaultValue)
      preset.values[option.name] = options_.at(option.name);
  std::erase_if(ownPresets_, named);
  ownPresets_.push_back(std::move(preset));
  emit presetsChanged();
}

void AnalysisPresenter::removePreset(const std::string& name) {
  if (std::erase_if(ownPresets_, [&name](const Preset& preset) { return preset.name == name; }) > 0)
    emit presetsChanged();
}

void AnalysisPresenter::setMemoryLimit(double bytes) {
  if (bytes == memoryLimit_) return;
  memoryLimit_ = bytes;
  emit readinessChanged();
}

}  // namespace sulcus::ui::model
