#include "core/bids/report/outliers.h"

#include "core/base/numbers.h"
#include "core/base/sentence.h"
#include "core/io/tables/tables.h"
#include "core/math/statistics.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace sulcus::bids {
namespace {

double medianOf(std::vector<double> values) {
  const double upper = lowerQuantile(std::span(values), 0.5);
  if (values.size() % 2 == 1) return upper;
  return 0.5 * (upper + upperMedian(std::span(values)));
}

std::string cellOf(double value) { return std::isfinite(value) ? numberText(value) : "n/a"; }

}  // namespace

std::vector<double> robustZ(const std::vector<double>& values) {
  std::vector<double> known, z(values.size(), 0);
  for (const double value : values)
    if (std::isfinite(value)) known.push_back(value);
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!std::isfinite(values[i])) z[i] = NAN;
  if (known.size() < kFewestForZ) return z;
  const double median = medianOf(known);
  std::vector<double> distances;
  double mean = 0;
  for (const double value : known) {
    distances.push_back(std::abs(value - median));
    mean += distances.back() / double(known.size());
  }
  const double mad = medianOf(distances), spread = mad > 0 ? mad / 0.6745 : 1.2533 * mean;
  if (spread > 0)
    for (std::size_t i = 0; i < values.size(); ++i) z[i] = (values[i] - median) / spread;
  return z;
}

std::vector<std::string> analysesIn(const std::vector<Record>& records) {
  std::set<std::string> names;
  for (const auto& record : records) names.insert(record.analysis);
  return {names.begin(), names.end()};
}

std::vector<Figure> figuresOf(const std::vector<Record>& records, const std::string& analysis) {
  std::vector<Figure> figures;
  for (const auto& record : records)
    if (record.analysis == analysis)
      for (const auto& figure : record.figures)
        if (std::none_of(figures.begin(), figures.end(),
                         [&](const Figure& known) { return known.name == figure.name; }))
          figures.push_back(figure);
  return figures;
}

RunTable runTable(const std::vector<Record>& records, const std::string& analysis) {
  RunTable table;
  table.figures = figuresOf(records, analysis);
  for (const auto& record : records) {
    if (record.analysis != analysis) continue;
    RunTable::Row row;
    row.record = &record;
    for (const auto& column : table.figures) {
      const auto own = std::find_if(record.figures.begin(), record.figures.end(),
                                    [&](const Figure& figure) { return figure.name == column.name; });
      row.values.push_back(own == record.figures.end() ? NAN : own->value);
    }
    table.rows.push_back(std::move(row));
  }
  for (std::size_t f = 0; f < table.figures.size(); ++f) {
    std::vector<double> column;
    for (const auto& row : table.rows) column.push_back(row.values[f]);
    const auto z = robustZ(column);
    for (std::size_t r = 0; r < table.rows.size(); ++r) {
      table.rows[r].z.push_back(z[r]);
      if (std::isfinite(z[r]) && judges(table.figures[f]))
        table.rows[r].furthest = std::max(table.rows[r].furthest, std::abs(z[r]));
    }
  }
  std::stable_sort(table.rows.begin(), table.rows.end(), [](const RunTable::Row& a, const RunTable::Row& b) {
    return std::pair(a.record->done, -a.furthest) < std::pair(b.record->done, -b.furthest);
  });
  return table;
}

std::string countsText(const RunTable& table) {
  const auto failed = std::ranges::count_if(table.rows, [](const auto& row) { return !row.record->done; });
  const auto outliers = std::ranges::count_if(table.rows, [](const auto& row) { return row.outlier(); });
  return counted(std::int64_t(table.rows.size()), "run") + ", " + std::to_string(failed) + " failed, " +
         counted(outliers, "outlier");
}

std::string runTableText(const RunTable& table) {
  TableLayer text{{"run", "participant_id", "status", "outlier"}, {}};
  for (const auto& figure : table.figures) text.columns.push_back(figure.name);
  for (const auto& figure : table.figures) text.columns.push_back(figure.name + "_z");
  for (const auto& row : table.rows) {
    std::vector<std::string> cells{row.record->run, "sub-" + row.record->subject,
                                   row.record->done ? "done" : "failed", std::to_string(row.outlier())};
    for (const double value : row.values) cells.push_back(cellOf(value));
    for (const double z : row.z) cells.push_back(cellOf(z));
    text.rows.push_back(std::move(cells));
  }
  return io::tableText(text, '\t');
}

}  // namespace sulcus::bids
