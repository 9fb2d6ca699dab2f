#include "ui/model/text/localize.h"

#include "core/analysis/plain_names.h"

#include <QCoreApplication>
#include <QRegularExpression>
#include <algorithm>

namespace sulcus::ui::model {
namespace {

/// The label of a slot or an option; none for a name that is neither.
QString labelOf(const Analysis* analysis, const std::string& name) {
  if (!analysis) return {};
  for (const InputSlot& slot : analysis->inputs)
    if (slot.name == name) return words(slot.label);
  for (const OptionInfo& option : analysis->options)
    if (option.name == name) return shortLabel(option);
  return {};
}

QString inWindow(const Analysis* analysis, const Message& message) {
  static const QRegularExpression kMinus(QStringLiteral("(?<=[ (])-(?=[0-9])"));
  QString said;
  for (const Message::Part& part : message.parts())
    if (!part.isOption)
      said += words(part.text).replace(kMinus, QStringLiteral("−"));
    else if (const QString label = labelOf(analysis, part.text); !label.isEmpty())
      said += QStringLiteral("“%1”").arg(label);
    else
      said += QString::fromStdString(part.text);
  return said;
}

QString inWindow(const Analysis* analysis, Note note) {
  for (Message* part : {&note.text, &note.remedy}) *part = inWindow(analysis, *part).toStdString();
  if (labelOf(analysis, note.option).isEmpty()) note.option.clear();
  const QString text = inWindow(analysis, note.message());
  return note.isWarning() ? QCoreApplication::translate("texts", "Warning: %1").arg(text) : text;
}

}  // namespace

QString words(const std::string& text) { return QCoreApplication::translate("texts", text.c_str()); }

QString layerTitle(const std::string& name) {
  return QString::fromStdString(
      plainName(name, [](const std::string& text) { return words(text).toStdString(); }));
}

QString shortLabel(const OptionInfo& option) {
  return words(option.label).section(QLatin1Char(':'), 0, 0).trimmed();
}

QString valueText(const OptionInfo& option, const OptionValue& value) {
  const bool isText = std::holds_alternative<std::string>(option.defaultValue);
  if (!isText && !option.lowest.empty() && checkedOption(option, option.minimum) == value)
    return words(option.lowest);
  const QString text = QString::fromStdString(formatOption(value));
  if (!option.choices.empty()) return words(text.toStdString());
  return option.unit.empty() ? text : text + QLatin1Char(' ') + words(option.unit);
}

QString localizeForWindow(const Analysis& analysis, const Message& message) {
  return inWindow(&analysis, message);
}

QString noteText(const Analysis& analysis, const Note& note) { return inWindow(&analysis, note); }

QString noteText(const std::vector<Analysis>& analyses, const Layer& layer, const Note& note) {
  const auto made = std::find_if(analyses.begin(), analyses.end(), [&](const Analysis& one) {
    return layer.provenance ? layer.provenance->analysis == one.name : !labelOf(&one, note.option).isEmpty();
  });
  return inWindow(made == analyses.end() ? nullptr : &*made, note);
}

QString localizeForWindow(const Message& message) { return inWindow(nullptr, message); }
QString noteText(const Note& note) { return inWindow(nullptr, note); }

Chart localizeForWindow(Chart chart) {
  const auto translate = [](std::string& text) { text = words(text).toStdString(); };
  for (std::string* text : {&chart.title, &chart.xLabel, &chart.yLabel}) translate(*text);
  for (Chart::Series& series : chart.series) translate(series.name);
  if (chart.matrix) std::ranges::for_each(chart.matrix->columns, translate);
  return chart;
}

}  // namespace sulcus::ui::model
