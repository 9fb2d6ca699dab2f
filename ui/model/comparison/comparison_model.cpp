#include "ui/model/comparison/comparison_model.h"

#include "ui/model/comparison/compared_layers.h"
#include "ui/model/layers/chart_text.h"
#include "ui/model/text/localize.h"

#include <algorithm>
#include <cmath>

namespace sulcus::ui::model {
namespace {

QString seconds(double value) { return withUnit(formatNumber(value), "s"); }

QString speedUp(double a, double b) {
  if (!(a > 0) || !(b > 0)) return {};
  return QStringLiteral("%1 ×").arg(formatNumber(a / b));
}

/// Fractions near 1 need more digits: 99.98 %.
QString percent(double share) {
  const double value = share * 100;
  // Never rounded up to 100: "all" must mean all.
  const double floored = std::floor(value * 1000) / 1000;
  return QStringLiteral("%1 %").arg(QString::number(floored, 'g', 6));
}

/// Some rows only count what is right: they have a fraction but no distances.
bool measured(const AgreementRow& row) { return row.tolerance > 0 || row.maximum > 0 || !row.unit.empty(); }

double stageSeconds(const RunResult& result, const std::string& name) {
  double sum = -1;
  for (const auto& stage : result.stages)
    if (stage.name == name) sum = std::max(sum, 0.0) + stage.seconds;
  return sum;
}

/// The stages of both, those of the first one first.
std::vector<std::string> stageNames(const RunResult& a, const RunResult& b) {
  std::vector<std::string> names;
  for (const auto* result : {&a, &b})
    for (const auto& stage : result->stages)
      if (std::find(names.begin(), names.end(), stage.name) == names.end()) names.push_back(stage.name);
  return names;
}

QString secondsOrDash(double value, bool isKnown) { return isKnown ? seconds(value) : QStringLiteral("–"); }

}  // namespace

QString withUnit(const QString& number, const std::string& unit) {
  if (unit.empty()) return number;
  const QString text = words(unit);
  return text == QStringLiteral("°") ? number + text : number + QChar(0x00A0) + text;
}

QString formatNumber(double value, int digits) {
  constexpr double kLargest = 1e15;  // beyond this, exponents are easier to read
  if (!std::isfinite(value)) return QStringLiteral("–");
  const double size = std::abs(value);
  const bool whole = size >= std::pow(10, digits) && size < kLargest;
  QString text = whole ? QString::number(std::llround(size)) : QString::number(size, 'g', digits);
  for (int place = whole ? int(text.size()) - 3 : 0; place > 0; place -= 3) text.insert(place, QChar(0x202F));
  return (value < 0 ? QStringLiteral("−") : QString()) + text;
}

void ComparisonModel::setComparison(ComparedPtr comparison) {
  beginResetModel();
  comparison_ = std::move(comparison);
  rows_.clear();
  if (comparison_) {
    addAgreement();
    addTruth();
    addTimes();
    shownTitles_[0] = comparison_->a->title;
    shownTitles_[1] = comparison_->b->title;
  }
  endResetModel();
}

void ComparisonModel::setShownTitles(const QString& first, const QString& second) {
  shownTitles_[0] = first;
  shownTitles_[1] = second;
  emit headerDataChanged(Qt::Horizontal, Column::first, Column::second);
}

void ComparisonModel::addTimes() {
  const RunResult& a = *comparison_->a->result;
  const RunResult& b = *comparison_->b->result;
  if (isLayerSide(*comparison_->a)) return;
  rows_.push_back({{tr("Time"), {}, {}, {}, {}}, true});
  for (const auto& name : stageNames(a, b)) {
    const double timeA = stageSeconds(a, name), timeB = stageSeconds(b, name);
    rows_.push_back({{words(name),
                      secondsOrDash(timeA, timeA >= 0),
                      secondsOrDash(timeB, timeB >= 0),
                      speedUp(timeA, timeB),
                      {}},
                     false});
  }
  rows_.push_back(
      {{tr("in all"), seconds(a.seconds), seconds(b.seconds), speedUp(a.seconds, b.seconds), {}}, false});
  const auto addWaits = [&](const QString& label, double waitA, double waitB, const QString& faster) {
    if (waitA > 0 || waitB > 0)
      rows_.push_back(
          {{label, secondsOrDash(waitA, waitA > 0), secondsOrDash(waitB, waitB > 0), faster, {}}, false});
  };
  addWaits(tr("waited"), a.waited, b.waited, speedUp(a.waited, b.waited));
  addWaits(tr("of it for the GPU"), a.gpu.waited, b.gpu.waited, {});
  addWaits(tr("of that for copies"), a.gpu.copies, b.gpu.copies, {});
  addThroughput(a, b);
}

void ComparisonModel::addThroughput(const RunResult& a, const RunResult& b) {
  if (!(a.seconds > 0 && b.seconds > 0 && a.items > 0 && b.items > 0)) return;
  const std::string unit = (a.itemName.empty() ? tr("items") : words(a.itemName)).toStdString() + "/s";
  const double rateA = a.items / a.seconds, rateB = b.items / b.seconds;
  rows_.push_back({{tr("throughput"),
                    withUnit(formatNumber(rateA), unit),
                    withUnit(formatNumber(rateB), unit),
                    speedUp(rateB, rateA),
                    {}},
                   false});
}

void ComparisonModel::addAgreement() {
  rows_.push_back({{tr("Difference"), {}, {}, {}, {}}, true});
  for (const auto& row : comparison_->comparison.rows) {
    const QString name = words(row.quantity);
    const auto value = [&](double number) { return withUnit(formatNumber(number), row.unit); };
    const auto line = [&](const QString& label, double number) {
      rows_.push_back({{label.arg(name), {}, {}, value(number), {}}, false});
    };
    if (measured(row)) {
      line(tr("%1, mean"), row.mean);
      line(tr("%1, 95th percentile"), row.percentile95);
      line(tr("%1, maximum"), row.maximum);
    }
    const QString verdict = row.agrees() ? tr("agrees (%1 needed)").arg(percent(row.shareNeeded))
                                         : tr("differs (%1 needed)").arg(percent(row.shareNeeded));
    const QString label = measured(row) ? tr("%1, within %2").arg(name, value(row.tolerance)) : name;
    rows_.push_back({{label, {}, {}, percent(row.shareWithin), verdict}, false});
  }
}

void ComparisonModel::addTruth() {
  const auto& a = comparison_->truthA;
  const auto& b = comparison_->truthB;
  if (a.empty() || a.size() != b.size()) return;
  rows_.push_back({{tr("Error with respect to the truth"), {}, {}, {}, {}}, true});
  for (std::size_t i = 0; i < a.size(); ++i) {
    const QString name = words(a[i].quantity);
    const auto line = [&](const QString& label, double valueA, double valueB) {
      rows_.push_back({{label.arg(name),
                        withUnit(formatNumber(valueA), a[i].unit),
                        withUnit(formatNumber(valueB), b[i].unit),
                        withUnit(formatNumber(std::abs(valueA - valueB)), a[i].unit),
                        {}},
                       false});
    };
    if (measured(a[i]) || measured(b[i])) {
      line(tr("%1, mean"), a[i].mean, b[i].mean);
      line(tr("%1, 95th percentile"), a[i].percentile95, b[i].percentile95);
      line(tr("%1, maximum"), a[i].maximum, b[i].maximum);
    } else {
      rows_.push_back({{name, percent(a[i].shareWithin), percent(b[i].shareWithin), {}, {}}, false});
    }
  }
}

QString ComparisonModel::summary() const {
  if (!comparison_) return {};
  const QString a = comparison_->a->title, b = comparison_->b->title;
  QString text =
      comparison_->comparison.agrees() ? tr("%1 and %2 agree").arg(a, b) : tr("%1 and %2 differ").arg(a, b);
  const auto& rows = comparison_->comparison.rows;
  // The first row, or the first one in which they differ.
  auto row = std::ranges::find_if(rows, [](const AgreementRow& one) { return !one.agrees(); });
  if (row == rows.end()) row = rows.begin();
  if (row == rows.end())
    text += QLatin1Char('.');
  else if (measured(*row))
    text += tr(": %1 of %2 values of %3 agree within %4.")
                .arg(percent(row->shareWithin), formatNumber(row->compared), words(row->quantity),
                     withUnit(formatNumber(row->tolerance), row->unit));
  else
    text += tr(": %1, %2.").arg(words(row->quantity), percent(row->shareWithin));
  for (const std::string& reason : comparison_->comparison.reasons)
    text += QLatin1Char(' ') + localizeForWindow(reason);
  for (const Note& warning : comparison_->comparison.warnings) text += QLatin1Char(' ') + noteText(warning);
  const double timeA = comparison_->a->result->seconds, timeB = comparison_->b->result->seconds;
  if (timeA > 0 && timeB > 0)
    text += QLatin1Char(' ') + (timeA >= timeB
                                    ? tr("%1 was %2 times as fast.").arg(b, formatNumber(timeA / timeB))
                                    : tr("%1 was %2 times as fast.").arg(a, formatNumber(timeB / timeA)));
  return text;
}

QString ComparisonModel::wholeTitle(int column) const {
  const bool ofRun = comparison_ && (column == first || column == second);
  return headerData(column, Qt::Horizontal, ofRun ? Qt::ToolTipRole : Qt::DisplayRole).toString();
}

QString ComparisonModel::markdown() const {
  QString text;
  const auto line = [&](const QStringList& cells) {
    text += QStringLiteral("| ") + cells.join(QStringLiteral(" | ")) + QStringLiteral(" |\n");
  };
  QStringList header, rule;
  for (int column = 0; column < columns; ++column) {
    header << wholeTitle(column);
    rule << (column == quantity || column == verdict ? QStringLiteral("---") : QStringLiteral("---:"));
  }
  line(header);
  line(rule);
  for (const auto& row : rows_) {
    QStringList cells(std::begin(row.cells), std::end(row.cells));
    if (row.heading) cells[0] = QStringLiteral("**%1**").arg(cells[0]);
    line(cells);
  }
  return text + QLatin1Char('\n') + summary() + QLatin1Char('\n');
}

QString ComparisonModel::csv() const {
  QString text;
  const auto line = [&](QStringList cells) {
    for (auto& cell : cells) cell = csvCell(cell);
    text += cells.join(QLatin1Char(',')) + QLatin1Char('\n');
  };
  QStringList header{tr("Section")};
  for (int column = 0; column < columns; ++column) header << wholeTitle(column);
  line(header);
  QString section;
  for (const auto& row : rows_) {
    if (row.heading)
      section = row.cells[0];
    else
      line(QStringList{section} + QStringList(std::begin(row.cells), std::end(row.cells)));
  }
  return text;
}

Vec3<double> ComparisonModel::worstPosition(int index) const {
  const auto& difference = comparison_->comparison.difference;
  const Grid* grid = difference ? gridOf(*difference) : nullptr;
  const auto& worst = comparison_->comparison.worst;
  if (index >= 0 && index < int(worst.size()) && worst[std::size_t(index)].place)
    return *worst[std::size_t(index)].place;
  if (!grid) return {};
  if (index < 0 || index >= int(worst.size())) return grid->center();
  return grid->positionOf(worst[std::size_t(index)].voxel);
}

QStringList ComparisonModel::worstTexts() const {
  QStringList texts;
  if (!comparison_) return texts;
  const auto& rows = comparison_->comparison.rows;
  std::string unit = rows.empty() ? std::string() : rows.front().unit;
  constexpr std::size_t kSign = 4;  // longer ones would push the places out of view; the table has them
  if (unit.size() > kSign) unit.clear();
  for (const auto& worst : comparison_->comparison.worst) {
    const QString what =
        worst.instead.empty() ? withUnit(formatNumber(worst.difference), unit) : words(worst.instead);
    if (const auto& place = worst.place)
      texts << tr("%1 at %2, %3, %4 mm")
                   .arg(what, formatNumber(place->x), formatNumber(place->y), formatNumber(place->z));
    else
      texts
          << tr("%1 at voxel %2, %3, %4").arg(what).arg(worst.voxel.x).arg(worst.voxel.y).arg(worst.voxel.z);
  }
  return texts;
}

int ComparisonModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : int(rows_.size());
}
int ComparisonModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : columns; }

QVariant ComparisonModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= int(rows_.size())) return {};
  const Row& row = rows_[std::size_t(index.row())];
  if (role == Qt::DisplayRole || role == Qt::ToolTipRole) return row.cells[index.column()];
  if (role == sectionRole) return row.heading;
  if (role == Qt::TextAlignmentRole && index.column() != quantity && index.column() != verdict)
    return int(Qt::AlignRight | Qt::AlignVCenter);
  return {};
}

QVariant ComparisonModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation == Qt::Horizontal && role == Qt::TextAlignmentRole)
    return int(Qt::AlignVCenter |
               (section == quantity || section == verdict ? Qt::AlignLeft : Qt::AlignRight));
  const bool ofRun = section == first || section == second;
  if (ofRun && comparison_ && role == Qt::ToolTipRole)
    return (section == first ? comparison_->a : comparison_->b)->title;
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
  if (ofRun) return comparison_ ? shownTitles_[section - first] : QString();
  switch (section) {
    case quantity:
      return tr("Quantity");
    case difference:
      // Layers do not have times.
      return comparison_ && isLayerSide(*comparison_->a) ? tr("Difference") : tr("Difference, speed-up");
    case verdict:
      return tr("Verdict");
    default:
      return {};
  }
}

}  // namespace sulcus::ui::model
