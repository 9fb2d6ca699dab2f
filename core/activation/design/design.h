#pragma once

#include "core/base/note.h"
#include "core/base/options.h"
#include "core/image/layer.h"
#include "core/image/scan_timing.h"

#include <string>
#include <vector>

#include <Eigen/Core>

namespace sulcus::activation {

/// The scans of a run, begin … end − 1. The noise of a run is independent of other runs.
struct Run {
  int begin = 0, end = 0;
  int scans() const { return end - begin; }
};

/// The design: one row per scan; a column for each regressor, whose effects are estimated, and for each
/// confound, which is of no interest and is removed from series and regressors in each voxel.
struct Design {
  Eigen::MatrixXd matrix;                  ///< X, n × k: the regressors, the intercept first
  std::vector<std::string> names;          ///< k, unique: "intercept", "visual", …; suitable for file names
  Eigen::MatrixXd confounds;               ///< C, n × r, r ≥ 0: confounds, drift, levels of further runs
  std::vector<std::string> confoundNames;  ///< r, unique together with `names`
  Notes notes;                             ///< what was added or assumed
  /// Columns that together form the response to one trial type: the canonical one and its derivatives.
  std::vector<std::vector<int>> responses;
  /// Columns of (X, C): the intercept and its differences in further runs.
  std::vector<int> intercepts{0};
  std::vector<Run> joined;         ///< the runs that the rows come from, in order; empty: one
  std::vector<std::string> given;  ///< k: the names as in events or table; empty: `names`
  /// A given regressor without a column, since it carries no information.
  struct LeftOut {
    int before;  ///< column before which it was given
    std::string name, given, why;
  };
  std::vector<LeftOut> leftOut;  ///< in order
  bool ofEvents = false;         ///< regressors are trial types: another run may have had more
  /// X at the acquisition time of each slice along the third axis; empty: all slices represent one time.
  std::vector<Eigen::MatrixXd> ofSlices;

  const Eigen::MatrixXd& matrixOf(int slice) const { return ofSlices.empty() ? matrix : ofSlices[slice]; }
  int scans() const { return int(matrix.rows()); }
  int regressors() const { return int(matrix.cols()); }
  std::vector<Run> runs() const { return joined.empty() ? std::vector<Run>{{0, scans()}} : joined; }

  Eigen::MatrixXd allColumns() const;         ///< (X, C)
  std::vector<std::string> allNames() const;  ///< their names
  /// The residuals of these columns of n numbers after regression on C.
  Eigen::MatrixXd withoutConfounds(const Eigen::MatrixXd& columns) const;
};

/// Regressors for slow signal changes that are not activation. `automatic` adds cosines to a design from
/// events and nothing to a given matrix.
enum class Drift { automatic, none, polynomial, cosine };

/// Regressors in addition to the canonical response: its derivative with respect to time, and dispersion.
enum class Derivatives { none, time, timeAndDispersion };

/// Strategies for choosing among the confounds of fMRIPrep.
enum class ConfoundStrategy { automatic, motion6, motion24, tissues, compcor, scrub };

/// How the design accounts for slices being acquired one after the other: `automatic` does so by design if
/// the series is prepared. `design` gives each slice regressors at its own time; `interpolate` is for a
/// series whose slices were interpolated to a common time.
enum class SliceTiming { automatic, off, design, interpolate };

/// How a design is made from tables.
struct DesignOptions {
  double tr = 0;           ///< repetition time, s; 0: that of the scan
  double sliceTime = 0.5;  ///< the time within a scan that its volume represents, as a fraction of tr
  SliceTiming sliceTiming = SliceTiming::automatic;
  Derivatives derivatives = Derivatives::none;
  std::string modulation;  ///< events column used as weight; "none"; "": `modulation`, if present
  std::string modulators;  ///< events columns, separated by ';'
  Drift drift = Drift::automatic;
  double highPass = 128;  ///< shortest period of the cosines, s
  int polynomial = 2;
  ConfoundStrategy confounds = ConfoundStrategy::automatic;
  std::string confoundColumns;  ///< names separated by ';', may end in *
  std::string dropVolumes;      ///< indices from 0, over all runs, separated by commas
  bool modelConfounds = false;  ///< confounds become regressors, see withModelledConfounds()

  template <class Visit>
  void describe(Visit&& visit) {
    visit(tr, advanced(withLowest(
                  "from header",
                  numberOption("tr", "Repetition time", "s", {0, 30, 0.1},
                               "Repetition time: places events in the scan. 0 takes the scan's own."))));
    visit(sliceTime,
          advanced(numberOption("slice-time", "Time within a scan", "", {0, 1, 0.05},
                                "The time within the repetition time that a volume represents: 0.5, the "
                                "middle, after slice-timing correction by fMRIPrep and SPM; 0 where the "
                                "first slice is the reference. It places the events.")));
    visit(sliceTiming,
          advanced(choiceOption(
              "slice-timing", "Slice timing", {"auto", "off", "design", "interpolate"},
              "Slices of a volume are acquired one after the other, at the times in the scan's JSON sidecar "
              "(SliceTiming). design: events meet each slice at its own time. interpolate: with Prepare, "
              "each slice is interpolated to the middle of its volume first. auto: design with Prepare, else "
              "off, as after slice-timing correction.")));
    visit(derivatives,
          advanced(choiceOption(
              "derivatives", "Derivatives", {"none", "time", "time-dispersion"},
              "Regressors in addition to the canonical response that model an earlier or later (time) and a "
              "narrower or wider response (dispersion). The map norm_… joins them.")));
    visit(modulation,
          advanced(textOption("modulation", "Weights of events",
                              "The column of the events whose numbers multiply them. Empty takes that named "
                              "modulation, if there is one, and FSL's third; no other column weighs events "
                              "unless it is named here. none: all weigh 1.")));
    visit(modulators,
          advanced(textOption("modulators", "Modulators",
                              "Columns of the events, separated by semicolons, for example reaction "
                              "times: each adds a regressor to each trial type in which the "
                              "response grows with the number, less its mean.")));
    visit(drift, advanced(choiceOption("drift", "Drift", {"auto", "none", "polynomial", "cosine"},
                                       "Regressors for slow changes that are not activation. auto: cosines "
                                       "with events, none with a design matrix.")));
    visit(highPass, advanced(numberOption("high-pass", "Slowest kept period", "s", {0, 10000, 16},
                                          "Cosine drift removes changes slower than this period; keep it "
                                          "above twice the time between blocks. 0: no drift.")));
    visit(polynomial, advanced(numberOption("polynomial", "Degree of drift", "", {0, 10, 1},
                                            "Highest degree of a polynomial drift. 0: no drift.")));
    visit(
        confounds,
        advanced(choiceOption(
            "confound-strategy", "Confounds used",
            {"auto", "motion6", "motion24", "tissues", "compcor", "scrub"},
            "Which columns of fMRIPrep's confounds. auto: the six of motion; of another table all. motion24: "
            "these with derivatives and squares. tissues: motion24, white matter and CSF. compcor: motion6, "
            "six components of aCompCor and the cosines that belong to them. scrub: motion24 and a column "
            "for each scan that moved too much. First scans marked as not steady yet are taken out by "
            "all.")));
    visit(confoundColumns,
          advanced(textOption(
              "confound-columns", "Further confounds",
              "Columns of the confounds table, separated by semicolons, instead of those of auto, or in "
              "addition to those of another choice; * matches any ending: trans_*; rot_*.")));
    visit(dropVolumes, advanced(textOption(
                           "drop-volumes", "Drop volumes",
                           "Indices of volumes of the functional series that are not used, such as 0,1,65. "
                           "The first is 0; numbering continues across runs. Event times are unchanged.")));
    visit(modelConfounds,
          advanced(toggleOption("model-confounds", "Confounds in the model",
                                "Models confounds and drift as effects with maps of their own under Δ and "
                                "V_β, as the paper does, instead of regressing them out of series and "
                                "regressors. Draws take much longer where there are many.")));
  }
};

/// A column counts as collinear if the part that other columns cannot explain is at most this fraction of its
/// length after centering. This is about the rounding error of numbers written with six digits.
inline constexpr double kCollinear = 1e-5;
/// Whether columns remove a scan on its own: some linear combination of them is 1 there and 0 in all others.
///
/// @param q  orthonormal basis of the columns, a row for each scan
inline bool takesOut(const Eigen::MatrixXd& q, int scan) {
  return q.row(scan).squaredNorm() >= 1 - kCollinear;
}

/// A column counts as constant if its length after centering is at most this fraction of that before, as for
/// a constant rounded to float32.
inline constexpr double kConstantColumn = 2e-7;

/// A design from a table with one row per scan and one regressor per column, in order. A constant column
/// becomes the intercept; without one an intercept is added. The design is not checked yet, see
/// checkDesign().
///
/// @param table      a table layer; error messages contain its name
/// @param confounds  a table with more columns, one row per scan, or null. Columns are centered; "n/a" in the
///                   first row (as of derivatives) counts as 0
/// @param secondsPerVolume  repetition time of the scan, or 0; only cosine drift needs it
/// @throws Error naming row and column of a cell that is not a number
Design designFromTable(const Layer& table, const Layer* confounds, double secondsPerVolume,
                       const DesignOptions& options);

/// A design from events (core/activation/design/events.h): the intercept, a regressor per trial type (its
/// events convolved with the canonical response), confounds and drift.
///
/// @param confounds, secondsPerVolume  as for designFromTable; secondsPerVolume is needed
/// @param scans                        number of rows
/// @param timing                       further information on the times of the scans, see scanTimes()
/// @throws Error  as readEvents() and repetitionTime()
Design designFromEvents(const Layer& events, const Layer* confounds, double secondsPerVolume, int scans,
                        const DesignOptions& options, const ScanTiming& timing = {});

/// A design from a table of either kind (see holdsEvents()), checked by checkDesign().
Design makeDesign(const Layer& table, const Layer* confounds, double secondsPerVolume, int scans,
                  const DesignOptions& options, const ScanTiming& timing = {});

/// One design for several runs of a person: each effect is the same in all runs, and every run has its own
/// intercept, confounds and drift, named …_run2. A trial type missing in a run is 0 there.
///
/// @param runs  designs of at least one run, in order; a single one is returned unchanged
/// @throws Error  for a run of less than 4 scans
Design joinRuns(const std::vector<Design>& runs);

/// The design without columns that carry no information, each named in a note: confounds that are linear
/// combinations of others, and regressors that are 0 in every scan, such as those without events, which
/// become Design::leftOut. Regressors that cannot be distinguished from others or from confounds remain:
/// checkDesign() rejects them.
///
/// @throws Error  if regressors were given and none is left
Design withoutEmptyColumns(Design design);

/// The design with its confounds as regressors after the others, so that they become effects.
Design withModelledConfounds(Design design);

/// The k × k matrix T for which the intercepts in Tβ, one per run, are the mean level of the series instead
/// of the level where the other regressors are 0. In demeaned series the intercept is −x̄'β, which varies
/// with all effects: only with T can it be independent of them.
Eigen::MatrixXd centeringOf(const Design& design);

/// Throws Error unless the design can be estimated from that many scans: it needs that many rows, finite
/// numbers, fewer columns than scans, no constant column but the intercept, and no column that is a linear
/// combination of others. The error names the column.
void checkDesign(const Design& design, int scans);

/// The repetition time in s: options.tr, or the scan's own if that is 0. Throws Error if neither is known or
/// the time is implausible (≤ 0.05 s or > 30 s).
double repetitionTime(double secondsPerVolume, const DesignOptions& options);

}  // namespace sulcus::activation
