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

/// The parameters in a text that was stored; nothing if an option has a different name or range by now.
std::optional<OptionValues> valuesFrom(const QString& text, const AnalysisPresenter& presenter) {
  try {
    OptionValues values = io::optionsFromJson(text.toStdString());
    presenter.options().with(values);  // throws for those that are not understood
    return values;
  } catch (const Error&) {
    return {};
  }
}

}  // namespace

void rememberParameters(AnalysisPresenter& presenter, QSettings& settings, bool keep) {
  const QString name = QString::fromStdString(presenter.analysis().name);
  const QString last = QStringLiteral("parameters/") + name, own = QStringLiteral("presets/") + name,
                lastScan = QStringLiteral("parametersFor/") + name;
  std::vector<Preset> presets;
  const QStringList stored = settings.value(own).toStringList();  // name, values, name, values, …
  for (qsizetype i = 0; i + 1 < stored.size(); i += 2)
    if (const auto values = valuesFrom(stored[i + 1], presenter))
      presets.push_back({stored[i].toStdString(), {}, *values});
  presenter.options().setOwnPresets(std::move(presets));
  if (keep)
    if (const auto values = valuesFrom(settings.value(last).toString(), presenter)) {
      presenter.options().set(*values);
      const QStringList scan = settings.value(lastScan).toStringList();
      if (scan.size() == 2) presenter.setChosenFor({scan[0], scan[1]});
    }
  QObject::connect(&presenter.options(), &OptionChoice::changed, [&settings, &presenter, last, lastScan] {
    if (presenter.areOfExample()) return;
    OptionValues values;
    for (const OptionInfo& option : presenter.analysis().options)
      if (isRemembered(option) && presenter.options().values().at(option.name) != option.defaultValue)
        values[option.name] = presenter.options().values().at(option.name);
    settings.setValue(last, QString::fromStdString(io::optionsJson(values)));
    settings.setValue(lastScan, QStringList{presenter.chosenFor().name, presenter.chosenFor().file});
  });
  QObject::connect(&presenter.options(), &OptionChoice::presetsChanged, [&settings, &presenter, own] {
    QStringList texts;
    for (const Preset& preset : presenter.options().ownPresets())
      texts << QString::fromStdString(preset.name) << QString::fromStdString(io::optionsJson(preset.values));
    settings.setValue(own, texts);
  });
}

}  // namespace sulcus::ui::model
