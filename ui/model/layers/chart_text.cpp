#include "ui/model/layers/chart_text.h"

#include <QStringList>
#include <algorithm>

namespace sulcus::ui::model {
namespace {

QString cell(const std::string& text) { return csvCell(QString::fromStdString(text)); }

QString number(double value) { return QString::number(value, 'g', 9); }

QString at(const std::vector<double>& values, std::size_t i) {
  return i < values.size() ? number(values[i]) : QString();
}

QString matrixCsv(const Chart::Matrix& matrix) {
  QString text;
  const auto line = [&text](const QStringList& cells) {
    text += cells.join(QLatin1Char(',')) + QLatin1Char('\n');
  };
  QStringList header;
  for (const auto& column : matrix.columns) header << cell(column);
  line(header);
  for (const auto& row : matrix.rows) {
    QStringList cells;
    for (const double value : row) cells << number(value);
    line(cells);
  }
  return text;
}

}  // namespace

QString csvCell(QString text) {
  if (!text.contains(QLatin1Char(',')) && !text.contains(QLatin1Char('"')) &&
      !text.contains(QLatin1Char('\n')))
    return text;
  return QLatin1Char('"') + text.replace(QLatin1Char('"'), QStringLiteral("\"\"")) + QLatin1Char('"');
}

QString chartCsv(const std::vector<scene::NamedChart>& charts) {
  if (charts.empty()) return {};
  const Chart& first = charts.front().chart;
  if (first.matrix) return matrixCsv(*first.matrix);
  const std::string x = first.xLabel.empty() ? "x" : first.xLabel;
  const std::string y = first.yLabel.empty() ? "y" : first.yLabel;
  const auto hasSubjects = [](const Chart::Series& series) { return !series.subjects.empty(); };
  const bool isNamed = std::ranges::any_of(charts, [&](const scene::NamedChart& named) {
    return std::ranges::any_of(named.chart.series, hasSubjects);
  });
  QString text = QStringLiteral("run,series,%1,%2,%3").arg(cell(x), cell(y), cell(y + ", upper end"));
  text += isNamed ? QStringLiteral(",name\n") : QStringLiteral("\n");
  for (const scene::NamedChart& named : charts)
    for (const Chart::Series& series : named.chart.series)
      for (std::size_t i = 0; i < series.x.size(); ++i) {
        QStringList cells{cell(named.run), cell(series.name), number(series.x[i]), at(series.y, i),
                          at(series.y2, i)};
        if (isNamed) cells << (i < series.subjects.size() ? cell(series.subjects[i].name) : QString());
        text += cells.join(QLatin1Char(',')) + QLatin1Char('\n');
      }
  return text;
}

}  // namespace sulcus::ui::model
