#pragma once

#include "core/bids/records.h"

#include <cmath>
#include <string>
#include <vector>

namespace sulcus::bids {

/// With fewer values none is called unusual.
inline constexpr std::size_t kFewestForZ = 5;

/// How far each value lies from the median, in robust standard deviations: 0.6745 (x − median) / MAD, where
/// MAD is the median distance from the median. Where more than half of the values are equal 1.2533 times the
/// mean distance stands for it. NaN for values that are NaN; 0 for all where they are equal or fewer than
/// kFewestForZ. Iglewicz & Hoaglin, How to Detect and Handle Outliers, ASQC 1993.
std::vector<double> robustZ(const std::vector<double>& values);

/// A robust z beyond this is an outlier (Iglewicz & Hoaglin 1993).
inline constexpr double kOutlierZ = 3.5;

/// Whether a figure judges a result: how long a run took says nothing about it, nor how much of the effect
/// that is looked for a person has.
inline bool judges(const Figure& figure) {
  return figure.name != "seconds" && !figure.name.starts_with("shown_");
}
/// Whether a figure with this robust z makes a run an outlier.
inline bool isFar(const Figure& figure, double z) { return judges(figure) && std::abs(z) > kOutlierZ; }

/// The runs of one analysis as a table, worst first: failed ones, then those that lie furthest out.
struct RunTable {
  std::vector<Figure> figures;  ///< the columns; values are not set
  struct Row {
    const Record* record = nullptr;
    std::vector<double> values, z;  ///< for each figure
    double furthest = 0;            ///< largest |z|
    bool outlier() const { return furthest > kOutlierZ; }
  };
  std::vector<Row> rows;
};
RunTable runTable(const std::vector<Record>& records, const std::string& analysis);

/// "6 runs, 1 failed, 0 outliers".
std::string countsText(const RunTable& table);

/// The table of runs as TSV: run, participant, status, figures and their z.
std::string runTableText(const RunTable& table);

/// The analyses that these are records of, sorted.
std::vector<std::string> analysesIn(const std::vector<Record>& records);
/// Each figure that a run of this analysis has, once, in the order of the runs.
std::vector<Figure> figuresOf(const std::vector<Record>& records, const std::string& analysis);

}  // namespace sulcus::bids
