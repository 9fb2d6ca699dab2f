#pragma once

#include "core/base/note.h"
#include "core/base/options.h"
#include "core/image/layer.h"
#include "core/image/scan_timing.h"

#include <string>
#include <vector>

#include <Eigen/Core>

namespace sulcus::activation {

/// The scans of a run, begin … end − 1. Nothing of the noise goes from one run to the next.
struct Run {
  int begin = 0, end = 0;
  int scans() const { return end - begin; }
};

/// The design: one row per scan, a column for each regressor, whose effects are looked for, and one for each
/// confound, which is of no interest and taken out of series and regressors in each voxel.
struct Design {
  Eigen::MatrixXd matrix;                  ///< X, n × k: the regressors, the intercept first
  std::vector<std::string> names;          ///< k, unique: "intercept", "visual", …; fit for file names
  Eigen::MatrixXd confounds;               ///< C, n × r: confounds, drift, further runs' levels; empty: none
  std::vector<std::string> confoundNames;  ///< r, unique with `names`
  Notes notes;                             ///< what was added or assumed, in sentences
  /// Columns that together are the response to one trial type: the canonical one and its derivatives.
  std::vector<std::vector<int>> responses;
  /// Columns of (X, C): the intercept and its differences in further runs.
  std::vector<int> intercepts{0};
  std::vector<Run> joined;         ///< the runs that the rows are from, in order; empty: one
  std::vector<std::string> given;  ///< k: the names as events or table have them; empty: `names`
  /// A regressor that was given and has no column, since it would say nothing.
  struct LeftOut {
    int before;  ///< column before which it was given
    std::string name, given, why;
  };
  std::vector<LeftOut> leftOut;  ///< in order
  bool ofEvents = false;         ///< regressors are what happened: another run may have had more
  /// X at the time at which each slice along the third axis was taken; empty: all stand for one time.
  std::vector<Eigen::MatrixXd> ofSlices;

  const Eigen::MatrixXd& matrixOf(int slice) const {
    return ofSlices.empty() ? matrix : ofSlices[std::size_t(slice)];
  }
  int scans() const { return int(matrix.rows()); }
  int regressors() const { return int(matrix.cols()); }
  std::vector<Run> runs() const { return joined.empty() ? std::vector<Run>{{0, scans()}} : joined; }

  Eigen::MatrixXd allColumns() const;         ///< (X, C)
  std::vector<std::string> allNames() const;  ///< of them
  /// What least squares on C leaves of these columns of n numbers.
  Eigen::MatrixXd withoutConfounds(const Eigen::MatrixXd& columns) const;
};

/// Regressors for slow changes of the signal that are no activation. `automatic` adds cosines to a design
/// from events and nothing to a given matrix.
enum class Drift { automatic, none, polynomial, cosine };

/// Regressors beside that of the canonical response: its derivative in time, and in dispersion.
enum class Derivatives { none, time, timeAndDispersion };

/// Confounds of fMRIPrep by the purpose that they are chosen for.
enum class ConfoundStrategy { automatic, motion6, motion24, tissues, compcor, scrub };

/// How the design allows for slices of a volume being taken one after the other: `automatic` does by design
/// where the series is prepared. `design` gives each slice regressors at its own time; `interpolate` is for a
/// series whose slices were interpolated to one time.
enum class SliceTiming { automatic, off, design, interpolate };

/// How a design is made from tables.
struct DesignOptions {
  double tr = 0;           ///< repetition time, s; 0 takes the scan's own
  double sliceTime = 0.5;  ///< the time within a scan that its volume stands for, as a share of tr
  SliceTiming sliceTiming = SliceTiming::automatic;
  Derivatives derivatives = Derivatives::none;
  std::string modulation;  ///< column of the events that weighs them; "none"; "": `modulation`, where it is
  std::string modulators;  ///< columns of the events, separated by ';'
  Drift drift = Drift::automatic;
  double highPass = 128;  ///< shortest period of the cosines, s
  int polynomial = 2;
  ConfoundStrategy confounds = ConfoundStrategy::automatic;
  std::string confoundColumns;  ///< names separated by ';', each may end in *
  std::string dropVolumes;      ///< indices from 0, over all runs, separated by commas
  bool modelConfounds = false;  ///< confounds become regressors, see withModelledConfounds()

  template <class Visit>
  void describe(Visit&& visit) {
    visit(tr, advanced(withLowest(
                  "from header",
                  numberOption("tr", "Repetition time", "s", 0, 30, 0.1,
                               "Repetition time: places events in the scan. 0 takes the scan's own."))));
    visit(sliceTime, advanced(numberOption(
                         "slice-time", "Time within a scan", "", 0, 1, 0.05,
                         "When within its repetition time a volume stands for the brain: 0.5, the middle, "
                         "after slice-timing correction by fMRIPrep and SPM; 0 where the first slice is "
                         "the reference. It places the events.")));
    visit(sliceTiming,
          advanced(choiceOption(
              "slice-timing", "Slice timing", {"auto", "off", "design", "interpolate"},
              "Slices of a volume are taken one after the other, at the times that the JSON file beside the "
              "scan gives (SliceTiming). design: events meet each slice at its own time. interpolate: with "
              "Prepare, each slice is interpolated to the middle of its volume first. auto: design with "
              "Prepare, else off, as after slice-timing correction.")));
    visit(derivatives,
          advanced(choiceOption(
              "derivatives", "Derivatives", {"none", "time", "time-dispersion"},
              "Regressors beside the canonical response to events that take up an earlier or later "
              "response (time) and a narrower or wider one (dispersion). The map norm_… joins them.")));
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
    visit(drift,
          advanced(choiceOption("drift", "Drift", {"auto", "none", "polynomial", "cosine"},
                                "Regressors for slow changes that are no activation. auto: cosines beside "
                                "events, none beside a design matrix.")));
    visit(highPass, advanced(numberOption("high-pass", "Slowest kept period", "s", 0, 10000, 16,
                                          "Cosine drift takes up what changes more slowly than this; keep it "
                                          "above twice the time between blocks. 0: no drift.")));
    visit(polynomial, advanced(numberOption("polynomial", "Degree of drift", "", 0, 10, 1,
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
          advanced(textOption("confound-columns", "Further confounds",
                              "Columns of the confounds table, separated by semicolons, instead of those of "
                              "auto, or beside those of another choice; * stands for any ending: trans_*; "
                              "rot_*.")));
    visit(dropVolumes, advanced(textOption(
                           "drop-volumes", "Drop volumes",
                           "Numbers of volumes of the functional series that are not used, such as 0,1,65. "
                           "The first is 0; those of several runs are counted on. Events stay when they "
                           "were.")));
    visit(modelConfounds,
          advanced(toggleOption("model-confounds", "Confounds in the model",
                                "Gives confounds and drift effects and maps of their own under Δ and V_β, as "
                                "the paper does, in place of taking them out of series and regressors. "
                                "Draws take much longer where there are many.")));
  }
};

/// A column is called collinear when what other columns cannot explain of it is at most this share of its
/// length after centering. Writing numbers with six digits leaves about so much.
inline constexpr double kCollinear = 1e-5;
/// Whether columns take out a scan by itself: some sum of them is 1 there and 0 in all others.
///
/// @param q  orthonormal basis of the columns, a row for each scan
inline bool takesOut(const Eigen::MatrixXd& q, int scan) {
  return q.row(scan).squaredNorm() >= 1 - kCollinear;
}

/// A column is called constant when its length after centering is at most this share of that before, as of a
/// constant rounded to float32.
inline constexpr double kConstantColumn = 2e-7;

/// A design from a table with one row per scan, where each column is a regressor, in order. A constant column
/// becomes the intercept; without one an intercept is added. The design is not checked yet, see
/// checkDesign().
///
/// @param table      a table layer; error messages contain its name
/// @param confounds  a table with more columns, one row per scan, or null. Columns are centered; "n/a" in the
/// first
///                   row (as of derivatives) counts as 0
/// @param secondsPerVolume  repetition time of the scan, or 0; only cosine drift needs it
/// @throws Error naming row and column of a cell that is no number
Design designFromTable(const Layer& table, const Layer* confounds, double secondsPerVolume,
                       const DesignOptions& options);

/// A design from events (core/activation/design/events.h): the intercept, a regressor per trial type (its
/// events convolved with the canonical response); confounds and drift.
///
/// @param confounds, secondsPerVolume  as for designFromTable; secondsPerVolume is needed
/// @param scans                        number of rows
/// @param timing                       what is known of the times of the scans besides, see scanTimes()
/// @throws Error  as readEvents() and repetitionTime()
Design designFromEvents(const Layer& events, const Layer* confounds, double secondsPerVolume, int scans,
                        const DesignOptions& options, const ScanTiming& timing = {});

/// The design from a table of either kind (see holdsEvents()), checked by checkDesign().
Design makeDesign(const Layer& table, const Layer* confounds, double secondsPerVolume, int scans,
                  const DesignOptions& options, const ScanTiming& timing = {});

/// One design of several runs of a person: each effect is the same in all runs, and every run has an
/// intercept, confounds and drift of its own, named …_run2. A trial type that a run lacks is 0 there.
///
/// @param runs  designs of at least one run, in order; of one it is that
/// @throws Error  for a run of less than 4 scans
Design joinRuns(const std::vector<Design>& runs);

/// The design without what carries no information, each named in a note: confounds that are a linear
/// combination of others, and regressors that are 0 in every scan, as of no event, which become
/// Design::leftOut. Regressors that cannot be told from others, or from confounds, stay: checkDesign()
/// refuses them.
///
/// @throws Error  when regressors were given and none is left
Design withoutEmptyColumns(Design design);

/// The design with its confounds as regressors behind the others, which makes effects of them.
Design withModelledConfounds(Design design);

/// T of the coefficients Tβ whose intercepts, one a run, are the mean level of the series and not that where
/// the other regressors are 0, k × k. Series without their mean have an intercept of −x̄'β, which varies with
/// all effects: only with T can the intercept be independent of them.
Eigen::MatrixXd centeringOf(const Design& design);

/// Throws Error unless the design can be estimated from that many scans: it needs as many rows, finite
/// numbers, fewer columns than scans, no constant column but the intercept, and no column that is a linear
/// combination of others. The error names the column.
void checkDesign(const Design& design, int scans);

/// The repetition time in s: options.tr, or the scan's own where that is 0. Throws Error when neither is
/// known or the time is implausible (≤ 0.05 s or > 30 s).
double repetitionTime(double secondsPerVolume, const DesignOptions& options);

}  // namespace sulcus::activation
