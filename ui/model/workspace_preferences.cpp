// Workspace: the user's settings for all sessions.
#include "core/base/error.h"
#include "core/base/provenance.h"
#include "core/io/files.h"
#include "ui/model/runs/remote_hosts.h"
#include "ui/model/workspace.h"

#include <QScopedValueRollback>
#include <algorithm>

namespace sulcus::ui::model {
namespace {

/// Free text, e.g. contrasts, belongs to the inputs for which it was written.
bool isRemembered(const OptionInfo& option) {
  return !option.choices.empty() || !std::holds_alternative<std::string>(option.defaultValue);
}

/// The GPU chosen in the preferences, or why there is none.
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
  const bool otherGpu = preferences.gpu != preferences_.gpu || preferences.place != preferences_.place;
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
  layers_.setScanColors(preferences_.scanColors);
  runs_.setThreads(preferences_.threads);
  for (const auto& presenter : presenters_) {
    presenter->setMemoryLimit(preferences_.memory * 1e9);
    presenter->setGpuHost(QString::fromStdString(preferences_.place));
  }
  session_->setAutosaveInterval(1000 * preferences_.autosave);
}

void Workspace::askDevices() {
  struct Answer {
    QString processor;
    DeviceReport report;
  };
  const std::string place = preferences_.place;
  // A remote machine is queried through a connection, which may take long.
  (place.empty() ? computing_ : remote_)
      .submit(
          [ask = devices_, choose = chooseGpu_, gpu = preferences_.gpu, place](const Progress&) {
            if (choose.place) choose.place(place);
            const DeviceReport chosen = place.empty() ? chosenDevice(ask(), gpu) : ask();
            if (choose.index && place.empty() && !chosen.devices.empty()) choose.index(gpu);
            return Answer{QString::fromStdString(cpuName()), chosen};
          },
          [this, place](const Answer& answer) {
            if (place != preferences_.place) return;  // another one is queried meanwhile
            for (const auto& presenter : presenters_) presenter->setDevices({true, answer.report});
            emit devicesKnown(answer.processor, answer.report);
          });
}

void Workspace::addPlace(const QString& place) {
  if (chooseGpu_.check) chooseGpu_.check(place.toStdString());
  Preferences now = preferences_;
  now.places = remoteHostsText(remoteHostsIn(now.places + "," + place.toStdString()));
  setPreferences(now);
}

void Workspace::removePlace(const QString& place) {
  Preferences now = preferences_;
  QStringList places = remoteHostsIn(now.places);
  places.removeAll(place);
  now.places = remoteHostsText(places);
  if (now.place == place.toStdString()) now.place.clear();
  setPreferences(now);
}

void Workspace::choosePlace(const QString& place) {
  Preferences now = preferences_;
  now.place = place.toStdString();
  setPreferences(now);
}

void Workspace::setUp(const QString& place) {
  if (!chooseGpu_.setUp) return;
  const auto found = std::make_shared<std::string>();
  fileJobs_.work(
      tr("Set up %1").arg(remoteHostTitle(place)),
      [found, place = place.toStdString(), setUp = chooseGpu_.setUp](const Progress& progress) {
        *found = setUp(place, progress);
      },
      [this, found] {
        askDevices();
        emit placeSetUp(QString::fromStdString(*found).trimmed());
      });
}

void Workspace::rememberParameters(AnalysisPresenter& presenter) {
  const QString name = QString::fromStdString(presenter.analysis().name);
  const QString last = QStringLiteral("parameters/") + name, own = QStringLiteral("presets/") + name,
                lastScan = QStringLiteral("parametersFor/") + name;
  const auto read = [&presenter](const QString& text) {
    try {
      const OptionValues values = io::optionsFromJson(text.toStdString());
      presenter.optionsWith(values);  // throws if an option has a different name or range by now
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
    if (const auto values = read(settings_.value(last).toString())) {
      presenter.setOptions(*values);
      const QStringList scan = settings_.value(lastScan).toStringList();
      if (scan.size() == 2) presenter.setChosenFor({scan[0], scan[1]});
    }
  connect(&presenter, &AnalysisPresenter::optionsChanged, this, [this, &presenter, last, lastScan] {
    OptionValues values;
    for (const OptionInfo& option : presenter.analysis().options)
      if (isRemembered(option) && presenter.options().at(option.name) != option.defaultValue)
        values[option.name] = presenter.options().at(option.name);
    settings_.setValue(last, QString::fromStdString(io::optionsJson(values)));
    settings_.setValue(lastScan, QStringList{presenter.chosenFor().name, presenter.chosenFor().file});
  });
  connect(&presenter, &AnalysisPresenter::presetsChanged, this, [this, &presenter, own] {
    QStringList texts;
    for (const Preset& preset : presenter.ownPresets())
      texts << QString::fromStdString(preset.name) << QString::fromStdString(io::optionsJson(preset.values));
    settings_.setValue(own, texts);
  });
}

}  // namespace sulcus::ui::model
