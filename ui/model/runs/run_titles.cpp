#include "ui/model/runs/run_titles.h"

#include "ui/model/choices/option_choice.h"
#include "ui/model/runs/run_controller.h"
#include "ui/model/text/localize.h"

#include <algorithm>

namespace sulcus::ui::model {
namespace {

constexpr int kMostParts = 3;  ///< more would not fit where the names are shown

QString optionText(const OptionInfo& option, const OptionValue& value) {
  const QString label = shortLabel(option);
  if (const auto* flag = std::get_if<bool>(&value))
    return *flag ? label : RunController::tr("no %1").arg(label);
  return QStringLiteral("%1 %2").arg(label, valueText(option, value));
}

QString inputText(const InputSlot& slot, const Run& run) {
  QStringList names;
  const auto [begin, end] = run.inputNames.equal_range(slot.name);
  for (auto name = begin; name != end; ++name) names << name->second;
  const QString label = words(slot.label);
  return names.isEmpty() ? RunController::tr("no %1").arg(label) : names.join(QStringLiteral(" + "));
}

/// The `text` of each run, or nothing if it is the same for all.
template <class Text>
QStringList differing(const std::vector<const Run*>& runs, const Text& text) {
  QStringList texts;
  for (const Run* run : runs) texts << text(*run);
  return texts.count(texts.front()) == texts.size() ? QStringList() : texts;
}

/// Titles for runs that differ in several options and each correspond to a preset or the defaults.
QStringList presetNames(const std::vector<const Run*>& runs) {
  QStringList names;
  for (const Run* run : runs) {
    const auto preset = presetOf(*run->analysis, run->options);
    if (!preset) return {};
    names << (preset->empty() ? RunController::tr("default") : words(*preset));
  }
  return names;
}

}  // namespace

QStringList runTitles(const std::vector<const Run*>& runs) {
  if (runs.empty()) return {};
  const Analysis& analysis = *runs.front()->analysis;
  std::vector<QStringList> parts;  // each with one text per run
  for (const InputSlot& slot : analysis.inputs)
    parts.push_back(differing(runs, [&](const Run& run) { return inputText(slot, run); }));
  std::vector<QStringList> options;
  for (const OptionInfo& option : analysis.options)
    options.push_back(
        differing(runs, [&](const Run& run) { return optionText(option, run.options.at(option.name)); }));
  const auto saysNothing = [](const QStringList& part) { return part.isEmpty(); };
  std::erase_if(options, saysNothing);
  if (const QStringList presets = presetNames(runs); options.size() > 1 && !presets.isEmpty())
    options = {presets};
  parts.insert(parts.end(), options.begin(), options.end());
  std::erase_if(parts, saysNothing);

  QStringList titles;
  for (qsizetype i = 0; i < qsizetype(runs.size()); ++i) {
    QStringList title{backendTitle(runs[std::size_t(i)]->backend, runs[std::size_t(i)]->place)};
    for (const QStringList& part : parts)
      if (title.size() <= kMostParts) title << part[i];
    if (int(parts.size()) > kMostParts) title << QStringLiteral("…");
    const QString words = title.join(QStringLiteral(", "));
    QString unique = words;
    for (int n = 2; titles.contains(unique); ++n) unique = QStringLiteral("%1 %2").arg(words).arg(n);
    titles << unique;
  }
  return titles;
}

}  // namespace sulcus::ui::model
