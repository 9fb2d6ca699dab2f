// Workspace: what the user has set for all sessions.
#include "core/base/error.h"
#include "core/base/provenance.h"
#include "core/io/files.h"
#include "ui/model/workspace.h"

#include <QScopedValueRollback>
#include <algorithm>

namespace sulcus::ui::model {
namespace {

/// A free text, e.g. contrasts, belongs to the inputs that it was written for.
bool isRemembered(const OptionInfo& option) {
  return !option.choices.empty() || !std::holds_alternative<std::string>(option.defaultValue);
}

/// The one GPU that the preferences name, or why there is none.
DeviceReport chosenDevice(DeviceReport report, int gpu) {
  if (report.devices.empty()) return report;
  if (gpu < 0) return {{}, "switched off in the preferences", report.driver};
  if (gpu >= int(report.devices.size()))
    return {{},
            "the preferences name GPU " + std::to_string(gpu) + ", and the last one is GPU " +
                std::to_string(report.devices.size() - 1),
            report.driver};
  report.devices = {report.devices[std::size_t(gpu)]};
  return report;
}

}  // namespace

void Workspace::setPreferences(const Preferences& preferences) {
  if (preferences == preferences_) return;
  const bool otherGpu =
      preferences.gpu != preferences_.gpu || preferences.gpuMachine != preferences_.gpuMachine;
  preferences_ = preferences;
  savePreferences(settings_, preferences_);
  applyPreferences();
  if (otherGpu) askDevices();
  emit preferencesChanged();
}

void Workspace::applyPreferences() {
  const QScopedValueRollback applying(applyingPreferences_, true);
  view_.setRadiological(preferences_.radiological);
  view_.setMouseScheme(preferences_.rightButton);
  runs_.setThreads(preferences_.threads);
  for (const auto& presenter : presenters_) {
    presenter->setMemoryLimit(preferences_.memory * 1e9);
    presenter->setGpuPlace(QString::fromStdString(preferences_.gpuMachine));
  }
  session_->setAutosaveInterval(1000 * preferences_.autosave);
}

void Workspace::askDevices() {
  struct Answer {
    QString processor;
    DeviceReport report;
  };
  computing_.submit(
      [ask = devices_, choose = chooseGpu_, gpu = preferences_.gpu,
       machine = preferences_.gpuMachine](const Progress&) {
        if (choose.machine) choose.machine(machine);
        const DeviceReport chosen = machine.empty() ? chosenDevice(ask(), gpu) : ask();
        if (choose.index && machine.empty() && !chosen.devices.empty()) choose.index(gpu);
        return Answer{QString::fromStdString(cpuName()), chosen};
      },
      [this](const Answer& answer) {
        for (const auto& presenter : presenters_) presenter->setDevices({true, answer.report});
        emit devicesKnown(answer.processor, answer.report);
      });
}

void Workspace::setUpMachine() {
  const auto found = std::make_shared<std::string>();
  const std::string machine = preferences_.gpuMachine;
  fileJobs_.work(
      tr("Set up %1").arg(QString::fromStdString(machine)),
      [found, machine, setUp = chooseGpu_.setUp](const Progress& progress) {
        *found = setUp(machine, progress);
      },
      [this, found] {
        askDevices();
        emit machineSetUp(QString::fromStdString(*found).trimmed());
      });
}

void Workspace::rememberParameters(AnalysisPresenter& presenter) {
  const QString name = QString::fromStdString(presenter.analysis().name);
  const QString last = QStringLiteral("parameters/") + name, own = QStringLiteral("presets/") + name;
  const auto read = [&presenter](const QString& text) {
    try {
      const OptionValues values = io::optionsFromJson(text.toStdString());
      presenter.optionsWith(values);  // throws where an option has another name or range by now
      return std::optional(values);
    } catch (const Error&) {
      return std::optional<OptionValues>();
    }
  };
  std::vector<Preset> presets;
  const QStringList stored = settings_.value(own).toStringList();  // name, values, name, values, …
  for (qsizetype i = 0; i + 1 < stored.size(); i += 2)
    if (const auto values = read(stored[i + 1])) presets.push_back({stored[i].toStdString(), {}, *values});
  presenter.setOwnPresets(std::move(presets));
  if (preferences_.keepParameters)
    if (const auto values = read(settings_.value(last).toString())) presenter.setOptions(*values);
  connect(&presenter, &AnalysisPresenter::optionsChanged, this, [this, &presenter, last] {
    OptionValues values;
    for (const OptionInfo& option : presenter.analysis().options)
      if (isRemembered(option) && presenter.options().at(option.name) != option.defaultValue)
        values[option.name] = presenter.options().at(option.name);
    settings_.setValue(last, QString::fromStdString(io::optionsJson(values)));
  });
  connect(&presenter, &AnalysisPresenter::presetsChanged, this, [this, &presenter, own] {
    QStringList texts;
    for (const Preset& preset : presenter.ownPresets())
      texts << QString::fromStdString(preset.name) << QString::fromStdString(io::optionsJson(preset.values));
    settings_.setValue(own, texts);
  });
}

}  // namespace sulcus::ui::model
