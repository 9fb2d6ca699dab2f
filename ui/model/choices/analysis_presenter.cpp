#include "ui/model/choices/analysis_presenter.h"

#include "core/analysis/command_line.h"
#include "core/base/error.h"
#include "core/base/platform/memory/host_memory.h"
#include "core/base/sanitized.h"
#include "ui/model/choices/presets.h"
#include "ui/model/text/localize.h"

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

QString formatBytes(double bytes) {
  const char* const units[] = {"B", "kB", "MB", "GB", "TB"};
  int unit = 0;
  while (bytes >= 999.5 && unit < 4) bytes /= 1000, ++unit;
  return QStringLiteral("%1 %2")
      .arg(bytes, 0, 'f', unit > 0 && bytes < 9.95 ? 1 : 0)
      .arg(QLatin1String(units[unit]));
}

namespace {

/// Whether a slot accepts a layer; no slot accepts null.
bool fits(const InputSlot& slot, const LayerState* state) {
  return state && state->origin != Origin::temporary && (!slot.accepts || slot.accepts(*state->layer));
}

/// Slurm selects a GPU only when it starts the run.
bool hasKnownMemory(const DeviceReport& report) {
  return !report.devices.empty() && report.devices.front().memoryBytes > 0;
}

}  // namespace

AnalysisPresenter::AnalysisPresenter(const Analysis& analysis, LayerStack& layers, QObject* parent)
    : QObject(parent), analysis_(analysis), layers_(layers), options_(defaultsOf(analysis.options)) {
  connect(&layers_, &LayerStack::added, this, &AnalysisPresenter::layerAdded);
  connect(&layers_, &LayerStack::removed, this, &AnalysisPresenter::layerGone);
  connect(&layers_, &LayerStack::contentChanged, this, &AnalysisPresenter::contentChanged);
  connect(&layers_, &LayerStack::reordered, this, [this] { offerDiffers_ = true; });
  connect(&layers_, &LayerStack::changed, this, [this] {
    if (std::exchange(offerDiffers_, false)) emit inputsChanged();
  });
  for (const auto& layer : layers_.layers()) layerAdded(layer.id);
}

std::vector<LayerId> AnalysisPresenter::fitting(const InputSlot& slot) const {
  const auto number = std::size_t(slotNamed(slot.name) - analysis_.inputs.data());
  std::vector<LayerId> ids;
  const auto& all = layers_.layers();
  for (auto layer = all.rbegin(); layer != all.rend(); ++layer)
    if (const auto known = fits_.find(layer->id); known != fits_.end() && known->second[number])
      ids.push_back(layer->id);
  return ids;
}

const InputSlot* AnalysisPresenter::slotNamed(const std::string& name) const {
  const auto slot = std::find_if(analysis_.inputs.begin(), analysis_.inputs.end(),
                                 [&](const InputSlot& s) { return s.name == name; });
  return slot == analysis_.inputs.end() ? nullptr : &*slot;
}

LayerId AnalysisPresenter::input(const std::string& slot) const {
  const auto found = chosen_.lower_bound(slot);
  return found == chosen_.end() || found->first != slot ? 0 : found->second;
}

std::vector<LayerId> AnalysisPresenter::inputsOf(const std::string& slot) const {
  std::vector<LayerId> ids;
  const auto [begin, end] = chosen_.equal_range(slot);
  for (auto chosen = begin; chosen != end; ++chosen) ids.push_back(chosen->second);
  return ids;
}

void AnalysisPresenter::setInput(const std::string& slotName, LayerId id) {
  const InputSlot* slot = slotNamed(slotName);
  const LayerState* state = layers_.find(id);
  if (!slot || (id != 0 && !fits(*slot, state))) return;
  setInputs(slotName, id == 0 ? std::vector<LayerId>{} : std::vector{id});
}

void AnalysisPresenter::setInputs(const std::string& slotName, const std::vector<LayerId>& ids) {
  const InputSlot* slot = slotNamed(slotName);
  if (!slot) return;
  std::vector<LayerId> taken;
  for (const LayerId id : ids) {
    const bool known = std::find(taken.begin(), taken.end(), id) != taken.end();
    if (fits(*slot, layers_.find(id)) && !known) taken.push_back(id);
  }
  if (!slot->many && taken.size() > 1) taken.erase(taken.begin() + 1, taken.end());
  unasked_.erase(slotName);
  leftEmpty_.erase(slotName);
  if (taken.empty()) leftEmpty_.insert(slotName);
  if (taken == inputsOf(slotName)) return;
  chosen_.erase(slotName);
  if (!taken.empty())
    for (const InputSlot* other : insteadOf(*slot)) chosen_.erase(other->name);
  for (const LayerId id : taken) chosen_.emplace(slotName, id);
  emit inputsChanged();
  changed();
}

bool AnalysisPresenter::takeInstead(LayerId id) {
  for (const InputSlot& slot : analysis_.inputs) {
    if (!unasked_.contains(slot.name) || !fits(slot, layers_.find(id))) continue;
    setInput(slot.name, id);
    unasked_.insert(slot.name);
    return true;
  }
  return false;
}

void AnalysisPresenter::addInput(const std::string& slotName, LayerId id) {
  const InputSlot* slot = slotNamed(slotName);
  if (!slot || !slot->many) return setInput(slotName, id);
  std::vector<LayerId> ids = inputsOf(slotName);
  ids.push_back(id);
  setInputs(slotName, ids);
}

bool AnalysisPresenter::takesUnasked() const {
  return std::ranges::all_of(chosen_, [this](const auto& chosen) { return unasked_.contains(chosen.first); });
}

AnalysisInputs AnalysisPresenter::inputs() const {
  AnalysisInputs inputs;
  for (const auto& [slot, id] : chosen_)
    if (const LayerState* state = layers_.find(id)) inputs.emplace(slot, state->layer);
  return inputs;
}

void AnalysisPresenter::setOption(const std::string& name, const OptionValue& value) {
  setOptions({{name, value}});
}

OptionValues AnalysisPresenter::optionsWith(const OptionValues& values) const {
  OptionValues next = options_, given = values;
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

void AnalysisPresenter::setOptions(const OptionValues& values) {
  OptionValues next = optionsWith(values);
  if (next == options_) return;
  OptionValues adjustable;
  bool numbersOnly = true, ofRun = false;
  for (const OptionInfo& option : analysis_.options) {
    if (next.at(option.name) == options_.at(option.name)) continue;
    ofRun = ofRun || !option.adjustable;
    if (option.adjustable) adjustable[option.name] = next.at(option.name);
    const bool number = std::holds_alternative<double>(option.defaultValue) ||
                        std::holds_alternative<std::int64_t>(option.defaultValue);
    numbersOnly = numbersOnly && option.adjustable && number;
  }
  const bool changesUse = std::ranges::any_of(analysis_.inputs, [&](const InputSlot& slot) {
    return !slot.usedWith.empty() && next.at(slot.usedWith) != options_.at(slot.usedWith);
  });
  options_ = std::move(next);
  if (ofRun) chosenFor_ = scan();
  emit optionsChanged();
  if (changesUse) followOptions();
  if (!adjustable.empty()) emit adjustableChanged(adjustable);
  if (!numbersOnly) changed();  // a number that is applied to a finished result does not affect a run
}

bool AnalysisPresenter::isUsed(const InputSlot& slot) const {
  const auto option = std::ranges::find(analysis_.options, slot.usedWith, &OptionInfo::name);
  if (option == analysis_.options.end()) return true;
  const OptionValue& value = options_.at(option->name);
  return value != (option->choices.empty() ? OptionValue(false) : OptionValue(option->choices.front()));
}

void AnalysisPresenter::followOptions() {
  const auto before = chosen_;
  std::erase_if(chosen_, [this](const auto& chosen) {
    return unasked_.contains(chosen.first) && !isUsed(*slotNamed(chosen.first));
  });
  for (const LayerState& state : layers_.layers())
    takeUnasked(state.id, [](const InputSlot& slot) { return !slot.usedWith.empty(); });
  if (chosen_ != before) emit inputsChanged();
}

void AnalysisPresenter::restore(const Choices& choices) {
  example_.reset();  // these are chosen
  if (choices == this->choices()) return;
  chosen_ = choices.inputs;
  std::erase_if(chosen_, [this](const auto& chosen) {
    const InputSlot* slot = slotNamed(chosen.first);
    return !slot || !fits(*slot, layers_.find(chosen.second));
  });
  unasked_ = choices.unasked;
  options_ = choices.options;
  chosenFor_ = scan();
  emit inputsChanged();
  emit optionsChanged();
  changed();
}

void AnalysisPresenter::resetOptions() { setOptions(defaultsOf(analysis_.options)); }

void AnalysisPresenter::setDevices(const DeviceState& devices) {
  devices_ = devices;
  emit readinessChanged();
}

QString AnalysisPresenter::missingInput() const {
  for (const auto& slot : analysis_.inputs)
    if (slot.required && input(slot.name) == 0) return tr("Choose “%1” first.").arg(words(slot.label));
  for (const auto& slot : analysis_.inputs) {
    if (slot.oneOf.empty() || input(slot.name) != 0) continue;
    const auto others = insteadOf(slot);
    if (std::none_of(others.begin(), others.end(),
                     [this](const InputSlot* other) { return input(other->name) != 0; }))
      return tr("Choose %1 first.").arg(labelsOf(slot.oneOf));
  }
  if (chosen_.empty() && !analysis_.inputs.empty()) return tr("Choose what to work on first.");
  return {};
}

QString AnalysisPresenter::labelsOf(const std::string& oneOf) const {
  QStringList labels;
  for (const auto& slot : analysis_.inputs)
    if (slot.oneOf == oneOf) labels << QStringLiteral("“%1”").arg(words(slot.label));
  const QString last = labels.takeLast();
  return labels.isEmpty() ? last : tr("%1 or %2").arg(labels.join(QStringLiteral(", ")), last);
}

void AnalysisPresenter::setGpuHost(const QString& place) {
  if (place == gpuHost_) return;
  gpuHost_ = place;
  devices_ = {};  // those on the new machine are queried
  emit readinessChanged();
}

QString AnalysisPresenter::whyNot(RunChoice choice) const {
  if (choice != RunChoice::cpu) {
    if (!analysis_.gpu) return tr("GPU: this analysis has no GPU version");
    if (!devices_.known) return tr("GPU: looking for devices…");
    if (devices_.report.devices.empty())
      return tr("GPU: %1").arg(
          words(devices_.report.reason.empty() ? std::string("no CUDA device") : devices_.report.reason));
  }
  if (const QString missing = missingInput(); !missing.isEmpty()) return missing;
  if (!validation().refusal.isEmpty()) return validation().refusal;
  if (memoryLimit_ > 0 && validation().need.hostBytes > memoryLimit_)
    return tr("%1 of memory needed, the preferences allow %2")
        .arg(formatBytes(validation().need.hostBytes), formatBytes(memoryLimit_));
  if (choice != RunChoice::cpu) {
    const double needed = validation().need.deviceBytes, free = devices_.report.devices.front().freeBytes;
    if (needed > free && hasKnownMemory(devices_.report))
      return tr("GPU: %1 needed, %2 free").arg(formatBytes(needed), formatBytes(free));
  }
  return {};
}

const AnalysisPresenter::Validation& AnalysisPresenter::validation() const {
  if (validation_) return *validation_;
  validation_.emplace();
  if (!missingInput().isEmpty()) return *validation_;
  try {
    const AnalysisInputs given = inputs();
    if (analysis_.memory) validation_->need = analysis_.memory(given, options_);
    if (analysis_.advice)
      validation_->advice = localizeForWindow(analysis_, analysis_.advice(given, options_));
  } catch (const std::exception& fault) {
    validation_->refusal = localizeForWindow(analysis_, fault.what());
  }
  return *validation_;
}

QString AnalysisPresenter::advice() const {
  QStringList lines{validation().advice, inputFault_};
  lines.removeAll(QString());
  lines.removeDuplicates();
  return lines.join(QLatin1Char('\n'));
}

void AnalysisPresenter::setLive(bool on) {
  if (on == live_) return;
  live_ = on;
  emit liveChanged();
}

void AnalysisPresenter::setInputFault(const QString& sentence) {
  const QString said = localizeForWindow(analysis_, sentence.toStdString());
  if (said == inputFault_) return;
  inputFault_ = said;
  emit readinessChanged();
}

void AnalysisPresenter::setSpans(const std::map<std::string, Range>& spans) {
  if (spans == spans_) return;
  spans_ = spans;
  emit spansChanged();
}

QString AnalysisPresenter::memoryLine() const {
  const MemoryNeed& need = validation().need;
  if (!(need.hostBytes > 0) && !(need.deviceBytes > 0)) return {};
  QString line = tr("Needs %1 of memory").arg(formatBytes(need.hostBytes));
  if (const double free = freeHostMemory(); free > 0 && need.hostBytes > free)
    line += tr(", %1 are free").arg(formatBytes(free));
  if (devices_.known && hasKnownMemory(devices_.report))
    line += tr("; on the GPU %1 of %2 free")
                .arg(formatBytes(need.deviceBytes), formatBytes(devices_.report.devices.front().freeBytes));
  return line;
}

void AnalysisPresenter::changed() {
  leaveExample();
  validation_.reset();
  if (chosenFor_.name.isEmpty()) chosenFor_ = scan();
  emit readinessChanged();
}

QString AnalysisPresenter::commandLine(RunChoice choice) const {
  AnalysisInputs named;
  for (const auto& [slot, id] : chosen_) {  // names as they are on screen
    const LayerState* state = layers_.find(id);
    if (!state) continue;
    auto copy = std::make_shared<Layer>(*state->layer);
    copy->name = state->name.toStdString();
    named.emplace(slot, std::move(copy));
  }
  const char* const here[] = {"cpu", "gpu", "both"};
  const bool remote = choice != RunChoice::cpu && !gpuHost_.isEmpty();
  const std::string backend = remote ? gpuHost_.toStdString() : here[int(choice)];
  return QString::fromStdString(sulcus::commandLine(analysis_, named, options_, backend));
}

QString AnalysisPresenter::studyCommandLine(const QString& study) const {
  return QString::fromStdString(sulcus::studyCommandLine(analysis_, options_, study.toStdString()));
}

void AnalysisPresenter::layerAdded(LayerId id) {
  fits_[id] = fitsOf(id);
  // Required slots take the first layer that fits, each a different one, and so do suggested slots while none
  // of their alternatives is chosen. No layer replaces a choice.
  const bool taken = takeUnasked(id, [](const InputSlot&) { return true; });
  // To a scan an earlier layer may belong: its mask, its field map.
  const auto& all = layers_.layers();
  for (auto other = all.rbegin(); taken && other != all.rend(); ++other)
    takeUnasked(other->id, [](const InputSlot& slot) { return !slot.onGridOf.empty() || slot.belongsTo; });
  offerDiffers_ = true;
  if (taken) changed();  // results bring many layers that are no inputs: advice is not requested for each
}

bool AnalysisPresenter::takeUnasked(LayerId id, const std::function<bool(const InputSlot&)>& into) {
  const LayerState& state = *layers_.find(id);
  const auto isChosen = [id](const auto& choice) { return choice.second == id; };
  if (state.origin != Origin::given || std::any_of(chosen_.begin(), chosen_.end(), isChosen)) return false;
  for (std::size_t i = 0; i < analysis_.inputs.size(); ++i) {
    const InputSlot& slot = analysis_.inputs[i];
    if (!into(slot) || !fits_[id][i] || !takesUnasked(slot, *state.layer)) continue;
    chosen_.emplace(slot.name, id);
    unasked_.insert(slot.name);
    return true;
  }
  return false;
}

bool AnalysisPresenter::takesUnasked(const InputSlot& slot, const Layer& layer) const {
  const auto isOnGridOf = [&](LayerId id) {
    const LayerState* other = layers_.find(id);
    const Grid *grid = other ? gridOf(*other->layer) : nullptr, *own = gridOf(layer);
    return grid && own && sameGrid(*grid, *own);
  };
  if (const LayerId first = input(slot.name)) {
    const bool takesAll = slot.many && (slot.suggested || slot.belongsTo) && unasked_.contains(slot.name);
    if (!takesAll || (!slot.onAnyGrid && !isOnGridOf(first))) return false;
  }
  if (!isUsed(slot) || (slot.unasked && !slot.unasked(layer))) return false;
  if (!slot.onGridOf.empty() && !isOnGridOf(input(slot.onGridOf))) return false;
  if (slot.required) return true;
  if (leftEmpty_.contains(slot.name)) return false;
  const auto others = insteadOf(slot);
  const auto isFilled = [&](const InputSlot* other) { return input(other->name) != 0; };
  return (slot.suggested && std::none_of(others.begin(), others.end(), isFilled)) ||
         belongsToChosen(slot, layer);
}

bool AnalysisPresenter::belongsToChosen(const InputSlot& slot, const Layer& layer) const {
  return slot.belongsTo && std::any_of(chosen_.begin(), chosen_.end(), [&](const auto& choice) {
           const LayerState* other = layers_.find(choice.second);
           return choice.first != slot.name && other && slot.belongsTo(layer, *other->layer);
         });
}

std::vector<const InputSlot*> AnalysisPresenter::insteadOf(const InputSlot& slot) const {
  std::vector<const InputSlot*> others;
  for (const InputSlot& other : analysis_.inputs)
    if (!slot.oneOf.empty() && other.oneOf == slot.oneOf && other.name != slot.name) others.push_back(&other);
  return others;
}

std::vector<bool> AnalysisPresenter::fitsOf(LayerId id) const {
  const LayerState* state = layers_.find(id);
  std::vector<bool> offered;
  for (const InputSlot& slot : analysis_.inputs) offered.push_back(fits(slot, state));
  return offered;
}

void AnalysisPresenter::contentChanged(LayerId id) {
  const bool chosen =
      std::any_of(chosen_.begin(), chosen_.end(), [id](const auto& c) { return c.second == id; });
  const auto fits = fitsOf(id);
  if (!chosen && fits == fits_[id]) return;  // e.g. a preview, which comes several times per second
  layerGone(id);
}

void AnalysisPresenter::layerGone(LayerId id) {
  const auto fits = fits_[id] = fitsOf(id);
  if (!layers_.find(id)) fits_.erase(id);
  if (layers_.empty()) leftEmpty_.clear();  // whatever comes next is a new start
  bool concerned = false;
  std::erase_if(chosen_, [&](const auto& chosen) {
    if (chosen.second != id) return false;
    concerned = true;
    const auto slot = slotNamed(chosen.first) - analysis_.inputs.data();
    return !fits[std::size_t(slot)];
  });
  offerDiffers_ = true;
  if (concerned) changed();
}

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
  for (const OptionInfo& option : analysis_.options)
    if (const auto value = takeOption(left, option)) values[option.name] = checkedOption(option, *value);
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
