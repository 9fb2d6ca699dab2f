#include "ui/model/session/preferences.h"

#include "core/base/error.h"

namespace sulcus::ui::model {
namespace {

QString keyOf(const OptionInfo& option) {
  // It predates the others.
  if (option.name == "radiological") return QStringLiteral("radiological");
  return QStringLiteral("preferences/") + QString::fromStdString(option.name);
}

}  // namespace

Preferences loadPreferences(const QSettings& settings) {
  OptionValues values;
  for (const OptionInfo& option : describeOptions<Preferences>()) {
    values[option.name] = option.defaultValue;
    const QString text = settings.value(keyOf(option)).toString();
    if (text.isEmpty()) continue;
    try {
      values[option.name] = parseOption(option, text.toStdString());
    } catch (const Error&) {  // the file was edited by hand: the default is used
    }
  }
  return optionsFrom<Preferences>(values);
}

void savePreferences(QSettings& settings, const Preferences& preferences) {
  const OptionValues values = optionValues(preferences);
  for (const OptionInfo& option : describeOptions<Preferences>())
    settings.setValue(keyOf(option), QString::fromStdString(formatOption(values.at(option.name))));
}

}  // namespace sulcus::ui::model
