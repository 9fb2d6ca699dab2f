#include "ui/model/choices/analysis_presenter.h"

#include "core/analysis/command_line.h"
#include "core/base/platform/memory/host_memory.h"
#include "ui/model/text/localize.h"

#include <algorithm>
#include <utility>

namespace sulcus::ui::model {

QString formatBytes(double bytes) {
  const char* const units[] = {"B", "kB", "MB", "GB", "TB"};
  int unit = 0;
  while (bytes >= 999.5 && unit < 4) bytes /= 1000, ++unit;
  return QStringLiteral("%1 %2")
      .arg(bytes, 0, 'f', unit > 0 && bytes < 9.95 ? 1 : 0)
      .arg(QLatin1String(units[unit]));
}

namespace {

/// Slurm selects a GPU only when it starts the run.
bool hasKnownMemory(const DeviceReport& report) {
  return !report.devices.empty() && report.devices.front().memoryBytes > 0;
}

}  // namespace

AnalysisPresenter::AnalysisPresenter(const Analysis& analysis, LayerStack& layers, QObject* parent)
    : QObject(parent),
      analysis_(analysis),
      layers_(layers),
      options_(analysis),
      inputs_(analysis, options_, layers),
      chosenFor_(scanName()) {
  connect(&options_, &OptionChoice::changed, this, &AnalysisPresenter::optionsChanged);
  connect(&inputs_, &InputChoice::contentChanged, this, &AnalysisPresenter::inputsChanged);
}

void AnalysisPresenter::optionsChanged(const std::set<std::string>& names) {
  OptionValues adjustable;
  bool numbersOnly = true, ofRun = false;
  for (const OptionInfo& option : analysis_.options) {
    if (!names.contains(option.name)) continue;
    ofRun = ofRun || !option.adjustable;
    if (option.adjustable) adjustable[option.name] = options_.values().at(option.name);
    const bool number = std::holds_alternative<double>(option.defaultValue) ||
                        std::holds_alternative<std::int64_t>(option.defaultValue);
    numbersOnly = numbersOnly && option.adjustable && number;
  }
  if (ofRun) chosenFor_ = restoredFor_ ? *restoredFor_ : scanName();
  if (std::ranges::any_of(analysis_.inputs,
                          [&](const InputSlot& slot) { return names.contains(slot.usedWith); })) {
    validation_.reset();
    inputs_.followOptions();
  }
  if (!adjustable.empty()) emit adjustableChanged(adjustable);
  if (!numbersOnly) inputsChanged();  // a number that is applied to a finished result does not affect a run
}

void AnalysisPresenter::restore(const Choices& choices) {
  example_.reset();  // these are chosen
  if (choices == this->choices()) return;
  options_.restore(choices.options);
  inputs_.restore(choices.inputs, choices.automatic);
  chosenFor_ = scanName();
  validation_.reset();
  emit inputs_.changed();
  emit options_.changed({});
  inputsChanged();
}

void AnalysisPresenter::setDevices(const DeviceState& devices) {
  devices_ = devices;
  emit readinessChanged();
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
  if (const QString missing = inputs_.missing(); !missing.isEmpty()) return missing;
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
  if (!inputs_.missing().isEmpty()) return *validation_;
  try {
    const AnalysisInputs given = inputs_.contents();
    if (analysis_.memory) validation_->need = analysis_.memory(given, options_.values());
    if (analysis_.advice)
      validation_->advice = localizeForWindow(analysis_, analysis_.advice(given, options_.values()));
  } catch (const std::exception& fault) {
    validation_->refusal = localizeForWindow(analysis_, messageOf(fault));
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

void AnalysisPresenter::setInputFault(const Message& fault) {
  const QString said = localizeForWindow(analysis_, fault);
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

void AnalysisPresenter::inputsChanged() {
  leaveExample();
  validation_.reset();
  if (chosenFor_.name.isEmpty()) chosenFor_ = scanName();
  emit readinessChanged();
}

QString AnalysisPresenter::commandLine(RunChoice choice) const {
  AnalysisInputs named;
  for (const auto& [slot, id] : inputs_.ids()) {  // names as they are on screen
    const LayerState* state = layers_.find(id);
    if (!state) continue;
    auto copy = std::make_shared<Layer>(*state->layer);
    copy->name = state->name.toStdString();
    named.emplace(slot, std::move(copy));
  }
  const char* const here[] = {"cpu", "gpu", "both"};
  const bool remote = choice != RunChoice::cpu && !gpuHost_.isEmpty();
  const std::string backend = remote ? gpuHost_.toStdString() : here[int(choice)];
  return QString::fromStdString(sulcus::commandLine(analysis_, named, options_.values(), backend));
}

QString AnalysisPresenter::studyCommandLine(const QString& study) const {
  return QString::fromStdString(sulcus::studyCommandLine(analysis_, options_.values(), study.toStdString()));
}

AnalysisPresenter::ScanName AnalysisPresenter::scanName() const {
  if (const LayerState* state = inputs_.scan())
    return {state->name, QString::fromStdString(state->layer->source)};
  return {};
}

QString AnalysisPresenter::keptFrom() const {
  const ScanName now = scanName();
  const bool known = !now.name.isEmpty() && !chosenFor_.name.isEmpty();
  const bool same = now.file.isEmpty() ? now == chosenFor_ : now.file == chosenFor_.file;
  return known && !same && options_.values() != defaultsOf(analysis_.options) ? chosenFor_.name : QString();
}

void AnalysisPresenter::takeExampleParameters(const OptionValues& given) {
  const LayerState* const now = inputs_.scan();
  OptionValues options = defaultsOf(analysis_.options);
  for (const auto& [name, value] : given) options[name] = value;
  // First, as what is remembered depends on it.
  example_ = ExampleParameters{std::move(options), options_.values(), chosenFor_, now ? now->id : 0};
  options_.takeParameters(given);
}

void AnalysisPresenter::leaveExample() {
  const LayerState* const now = inputs_.scan();
  if (!example_ || (now ? now->id : 0) == example_->scan) return;
  const bool untouched = areOfExample();
  const ExampleParameters example = *std::exchange(example_, std::nullopt);
  if (!untouched) return;
  restoredFor_ = example.chosenFor;
  options_.set(example.before);
  restoredFor_.reset();
}

void AnalysisPresenter::setMemoryLimit(double bytes) {
  if (bytes == memoryLimit_) return;
  memoryLimit_ = bytes;
  emit readinessChanged();
}

}  // namespace sulcus::ui::model
