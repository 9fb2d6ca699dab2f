#include "ui/model/analysis_presenter.h"

#include "core/analysis/command_line.h"

#include <algorithm>

namespace sulcus::ui {

OptionValues defaultsOf(const std::vector<OptionInfo>& options) {
  OptionValues values;
  for (const auto& option : options) values[option.name] = option.defaultValue;
  return values;
}

QString formatBytes(double bytes) {
  const char* const units[] = {"B", "kB", "MB", "GB", "TB"};
  int unit = 0;
  while (bytes >= 999.5 && unit < 4) bytes /= 1000, ++unit;
  return QStringLiteral("%1 %2")
      .arg(bytes, 0, 'f', unit > 0 && bytes < 9.95 ? 1 : 0)
      .arg(QLatin1String(units[unit]));
}

AnalysisPresenter::AnalysisPresenter(const Analysis& analysis, LayerStack& layers, QObject* parent)
    : QObject(parent), analysis_(analysis), layers_(layers), options_(defaultsOf(analysis.options)) {
  connect(&layers_, &LayerStack::added, this, &AnalysisPresenter::layerAdded);
  connect(&layers_, &LayerStack::removed, this, &AnalysisPresenter::layerGone);
  connect(&layers_, &LayerStack::contentChanged, this, &AnalysisPresenter::layerGone);
  const auto namesMayDiffer = [this] { emit inputsChanged(); };
  connect(&layers_, &LayerStack::reordered, this, namesMayDiffer);
  for (const auto& layer : layers_.layers()) layerAdded(layer.id);
}

std::vector<LayerId> AnalysisPresenter::fitting(const InputSlot& slot) const {
  std::vector<LayerId> ids;
  const auto& all = layers_.layers();
  for (auto layer = all.rbegin(); layer != all.rend(); ++layer)
    if (!slot.accepts || slot.accepts(*layer->layer)) ids.push_back(layer->id);
  return ids;
}

LayerId AnalysisPresenter::input(const std::string& slot) const {
  const auto found = chosen_.find(slot);
  return found == chosen_.end() ? 0 : found->second;
}

void AnalysisPresenter::setInput(const std::string& slotName, LayerId id) {
  if (id == input(slotName)) return;
  const auto slot = std::find_if(analysis_.inputs.begin(), analysis_.inputs.end(),
                                 [&](const InputSlot& s) { return s.name == slotName; });
  if (slot == analysis_.inputs.end()) return;
  if (id == 0) {
    chosen_.erase(slotName);
  } else {
    const auto fits = fitting(*slot);
    if (std::find(fits.begin(), fits.end(), id) == fits.end()) return;
    chosen_[slotName] = id;
  }
  emit inputsChanged();
  changed();
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

void AnalysisPresenter::setOptions(const OptionValues& values) {
  OptionValues next = options_;
  for (const auto& [name, value] : values) {
    const auto info = std::find_if(analysis_.options.begin(), analysis_.options.end(),
                                   [&name = name](const OptionInfo& option) { return option.name == name; });
    if (info == analysis_.options.end())
      throw Error("Unknown parameter '" + name + "'", "nothing would read it", "check its spelling",
                  ErrorKind::usage);
    next[name] = checkedOption(*info, value);
  }
  if (next == options_) return;
  options_ = std::move(next);
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
    if (slot.required && input(slot.name) == 0)
      return tr("Choose “%1” first.").arg(QString::fromStdString(slot.label));
  if (chosen_.empty() && !analysis_.inputs.empty()) return tr("Choose what to work on first.");
  return {};
}

QString AnalysisPresenter::whyNot(RunChoice choice) const {
  if (choice != RunChoice::cpu) {
    if (!analysis_.gpu) return tr("GPU: this analysis has no GPU version");
    if (!devices_.known) return tr("GPU: looking for devices…");
    if (devices_.report.devices.empty())
      return tr("GPU: %1").arg(QString::fromStdString(
          devices_.report.reason.empty() ? std::string("no CUDA device") : devices_.report.reason));
  }
  if (const QString missing = missingInput(); !missing.isEmpty()) return missing;
  if (choice != RunChoice::cpu) {
    const double needed = outlook().need.deviceBytes, free = devices_.report.devices.front().freeBytes;
    if (needed > free) return tr("GPU: %1 needed, %2 free").arg(formatBytes(needed), formatBytes(free));
  }
  return {};
}

const AnalysisPresenter::Outlook& AnalysisPresenter::outlook() const {
  if (outlook_) return *outlook_;
  outlook_.emplace();
  if (!missingInput().isEmpty()) return *outlook_;
  try {
    const AnalysisInputs given = inputs();
    if (analysis_.memory) outlook_->need = analysis_.memory(given, options_);
    if (analysis_.advice) outlook_->advice = QString::fromStdString(analysis_.advice(given, options_));
  } catch (const std::exception& fault) {
    outlook_->advice = QString::fromUtf8(fault.what());
  }
  return *outlook_;
}

QString AnalysisPresenter::advice() const { return outlook().advice; }

QString AnalysisPresenter::memoryLine() const {
  const MemoryNeed& need = outlook().need;
  if (!(need.hostBytes > 0) && !(need.deviceBytes > 0)) return {};
  QString line = tr("Needs %1 of memory").arg(formatBytes(need.hostBytes));
  if (devices_.known && !devices_.report.devices.empty())
    line += tr("; on the GPU %1 of %2 free")
                .arg(formatBytes(need.deviceBytes), formatBytes(devices_.report.devices.front().freeBytes));
  return line;
}

void AnalysisPresenter::changed() {
  outlook_.reset();
  emit readinessChanged();
}

QString AnalysisPresenter::commandLine(RunChoice choice) const {
  AnalysisInputs named = inputs();
  for (auto& [slot, layer] : named) {  // names as they are on screen
    auto copy = std::make_shared<Layer>(*layer);
    copy->name = layers_.find(input(slot))->name.toStdString();
    layer = std::move(copy);
  }
  const char* const backend[] = {"cpu", "gpu", "both"};
  return QString::fromStdString(sulcus::commandLine(analysis_, named, options_, backend[int(choice)]));
}

void AnalysisPresenter::layerAdded(LayerId id) {
  const LayerState* state = layers_.find(id);
  // The first slot and those that must be filled take the first layer that fits; no layer replaces a choice.
  for (const auto& slot : analysis_.inputs)
    if ((slot.required || &slot == &analysis_.inputs.front()) && input(slot.name) == 0 &&
        (!slot.accepts || slot.accepts(*state->layer)))
      chosen_[slot.name] = id;
  emit inputsChanged();
  changed();
}

void AnalysisPresenter::layerGone(LayerId id) {
  for (const auto& slot : analysis_.inputs) {
    if (input(slot.name) != id) continue;
    const LayerState* state = layers_.find(id);
    if (!state || (slot.accepts && !slot.accepts(*state->layer))) chosen_.erase(slot.name);
  }
  emit inputsChanged();
  changed();
}

}  // namespace sulcus::ui
