#include "ui/model/text/localize.h"

#include "core/analysis/plain_names.h"
#include "ui/model/text/translated_text.h"

#include <QRegularExpression>
#include <algorithm>

namespace sulcus::ui::model {
namespace {

/// The label of a slot or an option; none of a name that is neither.
QString labelOf(const Analysis* analysis, const std::string& name) {
  if (!analysis) return {};
  for (const InputSlot& slot : analysis->inputs)
    if (slot.name == name) return words(slot.label);
  for (const OptionInfo& option : analysis->options)
    if (option.name == name) return shortLabel(option);
  return {};
}

QString inWindow(const Analysis* analysis, const std::string& sentence) {
  // A dialog has asked already, and has no such flag.
  static const QRegularExpression kOverwriting(QStringLiteral(",[^,:]*[(]--overwrite[)]"));
  static const QRegularExpression kFlag(QStringLiteral("--([a-z][a-z0-9-]*)"));
  static const QRegularExpression kMinus(QStringLiteral("(?<=[ (])-(?=[0-9])"));
  const QString text = words(sentence).remove(kOverwriting);
  QString said;
  qsizetype end = 0;
  for (auto flags = kFlag.globalMatch(text); flags.hasNext();) {
    const QRegularExpressionMatch flag = flags.next();
    const QString label = labelOf(analysis, flag.captured(1).toStdString());
    said += text.mid(end, flag.capturedStart() - end);
    said += label.isEmpty() ? flag.captured(1) : QStringLiteral("“%1”").arg(label);
    end = flag.capturedEnd();
  }
  said += text.mid(end);
  return said.replace(kMinus, QStringLiteral("−"));
}

}  // namespace

QString words(const std::string& text) { return translatedText(QString::fromStdString(text)); }

QString layerTitle(const std::string& name) {
  const std::size_t end = std::min(name.find(" ("), name.size());
  return words(plainName(name.substr(0, end))) + QString::fromStdString(name.substr(end));
}

QString shortLabel(const OptionInfo& option) {
  return words(option.label).section(QLatin1Char(':'), 0, 0).trimmed();
}

QString valueText(const OptionInfo& option, const OptionValue& value) {
  if (!option.lowest.empty() && checkedOption(option, option.minimum) == value) return words(option.lowest);
  const QString text = QString::fromStdString(formatOption(value));
  if (!option.choices.empty()) return words(text.toStdString());
  return option.unit.empty() ? text : text + QLatin1Char(' ') + words(option.unit);
}

QString localizeForWindow(const Analysis& analysis, const std::string& sentence) {
  return inWindow(&analysis, sentence);
}

QString localizeForWindow(const std::vector<Analysis>& analyses, const Layer& layer,
                          const std::string& note) {
  const auto made = std::find_if(analyses.begin(), analyses.end(), [&](const Analysis& one) {
    return layer.provenance && layer.provenance->analysis == one.name;
  });
  return inWindow(made == analyses.end() ? nullptr : &*made, note);
}

QString localizeForWindow(const std::string& sentence) { return inWindow(nullptr, sentence); }

Chart localizeForWindow(Chart chart) {
  const auto translate = [](std::string& text) { text = words(text).toStdString(); };
  for (std::string* text : {&chart.title, &chart.xLabel, &chart.yLabel}) translate(*text);
  for (Chart::Series& series : chart.series) translate(series.name);
  if (chart.matrix) std::ranges::for_each(chart.matrix->columns, translate);
  return chart;
}

}  // namespace sulcus::ui::model
