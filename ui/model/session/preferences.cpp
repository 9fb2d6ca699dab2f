#include "ui/model/session/preferences.h"

#include "core/base/error.h"

#include <utility>

namespace sulcus::ui::model {
namespace {

QString keyOf(const OptionInfo& option) {
  // It predates the others.
  if (option.name == "radiological") return QStringLiteral("radiological");
  return QStringLiteral("preferences/") + QString::fromStdString(option.name);
}

}  // namespace

PreferenceStore::PreferenceStore(QSettings& settings) : settings_(settings) {
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
  values_ = optionsFrom<Preferences>(values);
}

void PreferenceStore::set(const Preferences& values) {
  if (values == values_) return;
  const Preferences before = std::exchange(values_, values);
  const OptionValues options = optionValues(values_);
  for (const OptionInfo& option : describeOptions<Preferences>())
    settings_.setValue(keyOf(option), QString::fromStdString(formatOption(options.at(option.name))));
  emit changed(before);
}

}  // namespace sulcus::ui::model
