#include "ui/model/text/contrast_rows.h"

#include <QRegularExpression>
#include <algorithm>
#include <cmath>
#include <optional>

namespace sulcus::ui::model {
namespace {

/// The parts between signs that are not inside parentheses or quotation marks.
QStringList partsOf(const QString& text, QChar sign) {
  QStringList parts(QString{});
  int depth = 0;
  bool quoted = false;
  for (const QChar letter : text) {
    if (letter == QLatin1Char('"')) quoted = !quoted;
    if (!quoted && letter == QLatin1Char('(')) ++depth;
    if (!quoted && letter == QLatin1Char(')')) --depth;
    if (letter == sign && depth == 0 && !quoted)
      parts << QString();
    else
      parts.back() += letter;
  }
  for (QString& part : parts) part = part.trimmed();
  parts.removeAll(QString());
  return parts;
}

/// Removes a number from the beginning of a text and returns it.
std::optional<double> takeNumber(QString& text) {
  static const QRegularExpression number(QStringLiteral("^\\s*(\\d+(\\.\\d*)?|\\.\\d+)([eE][-+]?\\d+)?"));
  const auto match = number.match(text);
  if (!match.hasMatch()) return {};
  text = text.mid(match.capturedLength());
  return match.captured().trimmed().toDouble();
}

/// Removes the regressor at the beginning of a text, the longest match, and returns its index; −1: none.
int takeRegressor(QString& text, const QStringList& regressors) {
  text = text.trimmed();
  int found = -1;
  qsizetype length = 0;
  for (int r = 0; r < int(regressors.size()); ++r)
    for (const QString& written : {regressors[r], QStringLiteral("\"%1\"").arg(regressors[r])}) {
      const bool ends = text.size() == written.size() ||
                        (text.size() > written.size() && !text[written.size()].isLetterOrNumber() &&
                         text[written.size()] != QLatin1Char('_'));
      if (!text.startsWith(written) || !ends || written.size() <= length) continue;
      found = r;
      length = written.size();
    }
  text = text.mid(length);
  return found;
}

/// As many numbers as there are regressors.
std::vector<double> numbersIn(const QString& text, qsizetype count) {
  static const QRegularExpression between(QStringLiteral("[\\s,]+"));
  std::vector<double> numbers;
  for (const QString& part : text.split(between, Qt::SkipEmptyParts)) {
    bool isNumber = false;
    numbers.push_back(part.toDouble(&isNumber));
    if (!isNumber) return {};
  }
  return qsizetype(numbers.size()) == count ? numbers : std::vector<double>();
}

/// The weights of a sum, "2 a - b"; none if it is not a sum of these regressors.
std::vector<double> weightsOf(QString sum, const QStringList& regressors) {
  if (auto numbers = numbersIn(sum, regressors.size()); !numbers.empty()) return numbers;
  std::vector<double> weights(std::size_t(regressors.size()), 0.0);
  bool first = true;
  while (!(sum = sum.trimmed()).isEmpty()) {
    double weight = 1;
    const bool minus = sum.startsWith(QLatin1Char('-'));
    if (!minus && !sum.startsWith(QLatin1Char('+')) && !first) return {};
    first = false;
    if (minus || sum.startsWith(QLatin1Char('+'))) sum = sum.mid(1);
    QString rest = sum;
    int regressor = takeRegressor(rest, regressors);  // takes precedence over a number: "2back"
    if (regressor < 0) {
      rest = sum;
      weight = takeNumber(rest).value_or(1);
      rest = rest.trimmed();
      if (rest.startsWith(QLatin1Char('*'))) rest = rest.mid(1);
      regressor = takeRegressor(rest, regressors);
    }
    if (regressor < 0) return {};
    weights[std::size_t(regressor)] += minus ? -weight : weight;
    sum = rest;
  }
  return weights;
}

ContrastRow rowOf(const QString& part, const QStringList& regressors, const QString& joint) {
  ContrastRow row;
  row.joint = joint;
  const qsizetype colon = part.indexOf(QLatin1Char(':'));
  row.name = colon < 0 ? QString() : part.left(colon).trimmed();
  row.weights = weightsOf(part.mid(colon + 1), regressors);
  if (row.weights.empty()) row = {{}, {}, {}, part};
  return row;
}

QString weightText(double value) { return QString::number(value, 'g', 10); }

/// "2 a - b"
QString sumText(const std::vector<double>& weights, const QStringList& regressors) {
  static const QRegularExpression plain(QStringLiteral("^[A-Za-z_][A-Za-z0-9_]*$"));
  QString sum;
  for (std::size_t r = 0; r < weights.size(); ++r) {
    if (weights[r] == 0) continue;
    const QString& name = regressors[qsizetype(r)];
    if (!sum.isEmpty()) sum += weights[r] < 0 ? QStringLiteral(" - ") : QStringLiteral(" + ");
    if (sum.isEmpty() && weights[r] < 0) sum = QStringLiteral("-");
    if (std::abs(weights[r]) != 1) sum += weightText(std::abs(weights[r])) + QLatin1Char(' ');
    sum += plain.match(name).hasMatch() ? name : QStringLiteral("\"%1\"").arg(name);
  }
  return sum;
}

QString rowText(const ContrastRow& row, const QStringList& regressors) {
  if (row.weights.empty()) return row.written;
  const QString sum = sumText(row.weights, regressors);
  return row.name.isEmpty() || sum.isEmpty() ? sum : row.name + QStringLiteral(": ") + sum;
}

}  // namespace

std::vector<ContrastRow> contrastRows(const QString& text, const QStringList& regressors) {
  static const QRegularExpression joint(QStringLiteral("^(?:([^:()]*):)?\\s*F\\s*\\((.*)\\)$"));
  std::vector<ContrastRow> rows;
  int unnamed = 0;
  for (const QString& part : partsOf(text, QLatin1Char(';'))) {
    const auto match = joint.match(part);
    if (!match.hasMatch()) {
      rows.push_back(rowOf(part, regressors, {}));
      continue;
    }
    QString name = match.captured(1).trimmed();
    if (name.isEmpty()) name = ++unnamed == 1 ? QStringLiteral("F") : QStringLiteral("F%1").arg(unnamed);
    std::vector<ContrastRow> together;
    const bool commas =
        !match.captured(2).contains(QLatin1Char(';')) && weightsOf(match.captured(2), regressors).empty();
    for (const QString& row : partsOf(match.captured(2), QLatin1Char(commas ? ',' : ';')))
      together.push_back(rowOf(row, regressors, name));
    const bool known =
        std::ranges::none_of(together, [](const ContrastRow& row) { return row.weights.empty(); });
    if (known)
      rows.insert(rows.end(), together.begin(), together.end());
    else
      rows.push_back({{}, {}, {}, part});
  }
  return rows;
}

QString contrastText(const std::vector<ContrastRow>& rows, const QStringList& regressors) {
  QStringList parts, told;
  for (const ContrastRow& row : rows) {
    if (row.joint.isEmpty()) {
      parts << rowText(row, regressors);
      continue;
    }
    if (told.contains(row.joint)) continue;
    told << row.joint;
    QStringList together;
    for (const ContrastRow& other : rows)
      if (other.joint == row.joint) together << rowText(other, regressors);
    together.removeAll(QString());
    if (!together.isEmpty())
      parts << QStringLiteral("%1: F(%2)").arg(row.joint, together.join(QStringLiteral("; ")));
  }
  parts.removeAll(QString());
  return parts.join(QStringLiteral("; "));
}

}  // namespace sulcus::ui::model
