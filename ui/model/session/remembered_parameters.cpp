#include "ui/model/session/remembered_parameters.h"

#include "core/base/error.h"
#include "core/io/files.h"

#include <optional>
#include <utility>

namespace sulcus::ui::model {
namespace {

/// Free text, e.g. contrasts, belongs to the inputs for which it was written.
bool isRemembered(const OptionInfo& option) {
  return !option.choices.empty() || !std::holds_alternative<std::string>(option.defaultValue);
}

}  // namespace

void rememberParameters(AnalysisPresenter& presenter, QSettings& settings, bool keep) {
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
  const QStringList stored = settings.value(own).toStringList();  // name, values, name, values, …
  for (qsizetype i = 0; i + 1 < stored.size(); i += 2)
    if (const auto values = read(stored[i + 1])) presets.push_back({stored[i].toStdString(), {}, *values});
  presenter.setOwnPresets(std::move(presets));
  if (keep)
    if (const auto values = read(settings.value(last).toString())) {
      presenter.setOptions(*values);
      const QStringList scan = settings.value(lastScan).toStringList();
      if (scan.size() == 2) presenter.setChosenFor({scan[0], scan[1]});
    }
  QObject::connect(&presenter, &AnalysisPresenter::optionsChanged, [&settings, &presenter, last, lastScan] {
    if (presenter.areOfExample()) return;
    OptionValues values;
    for (const OptionInfo& option : presenter.analysis().options)
      if (isRemembered(option) && presenter.options().at(option.name) != option.defaultValue)
        values[option.name] = presenter.options().at(option.name);
    settings.setValue(last, QString::fromStdString(io::optionsJson(values)));
    settings.setValue(lastScan, QStringList{presenter.chosenFor().name, presenter.chosenFor().file});
  });
  QObject::connect(&presenter, &AnalysisPresenter::presetsChanged, [&settings, &presenter, own] {
    QStringList texts;
    for (const Preset& preset : presenter.ownPresets())
      texts << QString::fromStdString(preset.name) << QString::fromStdString(io::optionsJson(preset.values));
    settings.setValue(own, texts);
  });
}

}  // namespace sulcus::ui::model
