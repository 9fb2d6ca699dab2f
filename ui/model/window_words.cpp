#include "ui/model/window_words.h"

#include <QCoreApplication>
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

QString translated(const Analysis* analysis, const std::string& sentence) {
  // A dialog has asked already, and has no such flag.
  static const QString kOverwriting = QStringLiteral(", or allow overwriting (--overwrite)");
  static const QRegularExpression kFlag(QStringLiteral("--([a-z][a-z0-9-]*)"));
  static const QRegularExpression kMinus(QStringLiteral("(?<=[ (])-(?=[0-9])"));
  const QString text = QString::fromStdString(sentence).remove(kOverwriting);
  QString words;
  qsizetype end = 0;
  for (auto flags = kFlag.globalMatch(text); flags.hasNext();) {
    const QRegularExpressionMatch flag = flags.next();
    const QString label = labelOf(analysis, flag.captured(1).toStdString());
    words += text.mid(end, flag.capturedStart() - end);
    words += label.isEmpty() ? flag.captured(1) : QStringLiteral("“%1”").arg(label);
    end = flag.capturedEnd();
  }
  words += text.mid(end);
  return words.replace(kMinus, QStringLiteral("−"));
}

}  // namespace

QString words(const std::string& text) { return QCoreApplication::translate("analyses", text.c_str()); }

QString shortLabel(const OptionInfo& option) {
  return words(option.label).section(QLatin1Char(':'), 0, 0).trimmed();
}

QString valueText(const OptionInfo& option, const OptionValue& value) {
  if (!option.lowest.empty() && checkedOption(option, option.minimum) == value) return words(option.lowest);
  const QString unit =
      option.unit.empty() ? QString() : QLatin1Char(' ') + QString::fromStdString(option.unit);
  return QString::fromStdString(formatOption(value)) + unit;
}

QString windowWords(const Analysis& analysis, const std::string& sentence) {
  return translated(&analysis, sentence);
}

QString windowWords(const std::vector<Analysis>& analyses, const Layer& layer, const std::string& note) {
  const auto made = std::find_if(analyses.begin(), analyses.end(), [&](const Analysis& one) {
    return layer.provenance && layer.provenance->analysis == one.name;
  });
  return translated(made == analyses.end() ? nullptr : &*made, note);
}

QString windowWords(const std::string& sentence) { return translated(nullptr, sentence); }

}  // namespace sulcus::ui::model
