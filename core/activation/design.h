#pragma once

#include "core/base/options.h"
#include "core/image/layer.h"

#include <string>
#include <vector>

#include <Eigen/Core>

namespace sulcus {

/// What was expected in each scan: one row per scan, one column per regressor, the intercept first.
struct Design {
  Eigen::MatrixXd matrix;          ///< n × k
  std::vector<std::string> names;  ///< k, unique: "intercept", "visual", …; fit for file names
  std::vector<std::string> notes;  ///< what was added or assumed

  int scans() const { return int(matrix.rows()); }
  int regressors() const { return int(matrix.cols()); }
};

/// Slow changes of the signal that are no activation; `automatic`: cosines beside events, nothing beside a
/// matrix, which is taken as it is.
enum class Drift { automatic, none, polynomial, cosine };

/// How a design is made of tables.
struct DesignOptions {
  double tr = 0;  ///< s; 0: the scan's own
  Drift drift = Drift::automatic;
  double highPass = 128;  ///< s
  int polynomial = 2;
  std::string confoundColumns;  ///< names parted by ';', each may end in *

  template <class Visit>
  void describe(Visit&& visit) {
    visit(tr, numberOption("tr", "Seconds per scan", "s", 0, 30, 0.1,
                           "Repetition time: places events in the scan. 0 takes the scan's own."));
    visit(drift, choiceOption("drift", "Drift", {"auto", "none", "polynomial", "cosine"},
                              "Regressors for slow changes that are no activation. auto: cosines beside "
                              "events, none beside a design matrix."));
    visit(highPass, advanced(numberOption("high-pass", "Slowest kept period", "s", 0, 10000, 16,
                                          "Cosine drift takes up what changes more slowly than this; keep it "
                                          "above twice the time between blocks. 0: no drift.")));
    visit(polynomial, advanced(numberOption("polynomial", "Degree of drift", "", 0, 10, 1,
                                            "Highest degree of a polynomial drift. 0: no drift.")));
    visit(confoundColumns,
          advanced(textOption("confound-columns", "Confounds used",
                              "Columns of the confounds table, parted by semicolons; * stands for any "
                              "ending: trans_*; rot_*. Empty: all, of fMRIPrep's the six of motion.")));
  }
};

/// Largest part of a column, relative to its length after the mean is taken off, by which it may differ from
/// a combination of others and still be called collinear: what writing numbers with six digits leaves of it.
inline constexpr double kCollinear = 1e-5;

/// A design from a table with one row per scan, its columns in order: each one is a regressor. A constant
/// column becomes the intercept, else one is added.
///
/// @param table      a table layer; its name stands in messages
/// @param confounds  more columns, one row per scan, or null; "n/a" in the first row (derivatives) counts as
///                   0; columns are centred
/// @param secondsPerVolume  of the scan, or 0; needed for cosine drift only
/// Throws Error naming row and column of what is no number. Not yet checked: see checkDesign.
Design designFromTable(const Layer& table, const Layer* confounds, double secondsPerVolume,
                       const DesignOptions& options);

/// A design from events (core/activation/events.h), convolved with the canonical response: the intercept, one
/// regressor per trial type, confounds, drift.
Design designFromEvents(const Layer& events, const Layer* confounds, double secondsPerVolume, int scans,
                        const DesignOptions& options);

/// Either of the two, whichever the table holds (holdsEvents()), checked against the number of scans.
Design makeDesign(const Layer& table, const Layer* confounds, double secondsPerVolume, int scans,
                  const DesignOptions& options);

/// Throws Error unless the design can be estimated from that many scans: as many rows, finite numbers, fewer
/// regressors than scans, no constant column beside the intercept, no column that the others add up to. Says
/// which.
void checkDesign(const Design& design, int scans);

/// Repetition time in s: options.tr, or else the scan's own; throws Error when there is none or it cannot be
/// one (≤ 0.05 s, > 30 s).
double repetitionTime(double secondsPerVolume, const DesignOptions& options);

}  // namespace sulcus
