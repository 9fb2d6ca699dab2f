#pragma once

#include "core/bids/results/records.h"

#include <cmath>
#include <string>
#include <vector>

namespace sulcus::bids {

/// With fewer values none is considered unusual.
inline constexpr std::size_t kFewestForZ = 5;

/// The distance of each value from the median in robust standard deviations: 0.6745 (x − median) / MAD, where
/// MAD is the median absolute deviation. If more than half of the values are equal, 1.2533 times the mean
/// absolute deviation is used instead. NaN for values that are NaN; all 0 if they are equal or fewer than
/// kFewestForZ. Iglewicz & Hoaglin, How to Detect and Handle Outliers, ASQC 1993.
std::vector<double> robustZ(const std::vector<double>& values);

/// A robust z beyond this is an outlier (Iglewicz & Hoaglin 1993).
inline constexpr double kOutlierZ = 3.5;

/// Whether a figure is used to judge a result: the duration of a run says nothing about it, nor does the size
/// of the effect of interest in a participant.
inline bool judges(const Figure& figure) {
  return figure.name != "seconds" && !figure.name.starts_with("shown_");
}
/// Whether a figure with this robust z makes a run an outlier.
inline bool isFar(const Figure& figure, double z) { return judges(figure) && std::abs(z) > kOutlierZ; }

/// The runs of one analysis as a table, worst first: failed ones, then those farthest out.
struct RunTable {
  std::vector<Figure> figures;  ///< the columns; their values are unused
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

/// The analyses that occur in these records, sorted.
std::vector<std::string> analysesIn(const std::vector<Record>& records);
/// Each figure that occurs in a run of this analysis, once, in the order of the runs.
std::vector<Figure> figuresOf(const std::vector<Record>& records, const std::string& analysis);

}  // namespace sulcus::bids
