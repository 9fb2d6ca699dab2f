#pragma once

#include "core/activation/design/design.h"
#include "core/base/options.h"
#include "core/image/layer.h"
#include "core/preparation/distortion/series_field.h"
#include "core/preparation/motion.h"
#include "core/preparation/slice_interpolation.h"

#include <memory>
#include <string>
#include <vector>

#include <Eigen/Core>

namespace sulcus::preparation {

/// The preparation of a functional series before its analysis.
struct PreparationOptions {
  enum class Prepare { off, automatic };
  Prepare prepare = Prepare::off;
  double maxDisplacement = 0;  ///< mm; 0: no volume is excluded

  template <class Visit>
  void describe(Visit&& visit) {
    visit(prepare,
          choiceOption(
              "prepare", "Prepare", {"off", "auto"},
              "auto: volumes are realigned to their mean, and the six motion parameters become confounds "
              "unless others are given. off: the series is used as it is, as after fMRIPrep."));
    visit(maxDisplacement,
          advanced(withLowest(
              "off", numberOption("max-displacement", "Largest displacement", "mm", {0, 100, 0.1},
                                  "With Prepare: volumes before which the head moved further than this "
                                  "(framewise displacement) are excluded; 0.5 is usual. 0 keeps all."))));
  }
};

/// The choices for a series that is prepared on its own.
struct PreparationChoices {
  enum class SliceTiming { off, interpolate };
  bool motion = true;
  SliceTiming sliceTiming = SliceTiming::off;
  bool noise = true;
  bool ringing = true;
  bool drift = true;
  bool eddy = true;

  template <class Visit>
  void describe(Visit&& visit) {
    visit(motion, toggleOption("motion", "Motion",
                               "Volumes are realigned, with one interpolation; gradients are rotated with "
                               "them, and slices that lost their signal are excluded."));
    visit(sliceTiming,
          choiceOption("slice-timing", "Slice timing", {"off", "interpolate"},
                       "interpolate: each slice of a functional series is interpolated to the middle time of "
                       "its volume, by the times in the JSON file next to it (SliceTiming). off: slices are "
                       "unchanged; Activation can place events at the time of each slice."));
    visit(noise, toggleOption("noise", "Noise",
                              "In a diffusion series: removed by principal component analysis (MP-PCA)."));
    visit(ringing, toggleOption("ringing", "Ringing", "In a diffusion series: Gibbs ringing is removed."));
    visit(drift, toggleOption(
                     "drift", "Drift",
                     "In a diffusion series: signal drift, as from a scanner that warms up, is corrected."));
    visit(eddy, toggleOption("eddy", "Eddy currents",
                             "In a diffusion series, with Motion: displacement along the phase-encoding axis "
                             "is corrected, if the JSON file states that axis (PhaseEncodingDirection)."));
  }
};

/// A functional series as it was acquired.
struct RawSeries {
  std::shared_ptr<const Series<float>> series;
  std::vector<activation::Run> runs;  ///< all are realigned to one mean
  FieldScans field = {};              ///< to find the distortion
  SliceTimes sliceTimes = {};         ///< slices are interpolated to one time by these; empty: they are not
  bool findMotion = true;             ///< else motion is not corrected
};

/// A functional series corrected for motion and distortion, and what was found.
struct PreparedSeries {
  MotionResult motion;
  std::shared_ptr<const Volume<float>> field;  ///< that distorted it, Hz; null: not corrected
  std::vector<activation::Run> runs;
  std::vector<std::uint8_t> steady;   ///< one per volume; 0: before the signal was steady
  std::vector<double> displacement;   ///< framewise, mm; 0 for the first volume of a run
  std::vector<double> dvars;          ///< after motion correction; 0 for the first volume of a run
  std::vector<double> standardDvars;  ///< the same divided by the expectation for noise alone
  std::shared_ptr<const Mask> mask;   ///< of the brain, automatic
};

/// The steps that CPU and GPU implement separately.
struct PreparationSteps {
  RealignSeries& realign;
  FindDistortion& findDistortion;
};
inline constexpr PreparationSteps kOnProcessor{realignSeries, findDistortion};

/// Corrects a series for motion and distortion.
///
/// @throws Error  as RealignSeries does, and for a series without anything bright; Cancelled
PreparedSeries prepareSeries(const RawSeries& raw, const PreparationSteps& steps, const Progress& progress);

/// The names of the six parameters in fMRIPrep: trans_x, …, rot_z.
std::vector<std::string> parameterNames();
/// The parameters, one row for each volume: mm and radians.
Eigen::MatrixXd parametersOf(const std::vector<Motion>& motion);

/// The confounds as a table with fMRIPrep's columns: std_dvars, dvars, framewise_displacement, the parameters
/// with derivatives, squares and squares of derivatives, and columns that censor single volumes:
/// non_steady_state_outlier00, …, motion_outlier00, … (framewise displacement above kHighDisplacement).
TableLayer confoundsTable(const PreparedSeries& prepared);

/// The layers of the result: the series (prepared_bold), its confounds (prepared_confounds), and the field
/// that distorted it (prepared_fieldmap), if it was found.
std::vector<Layer> preparedLayers(const PreparedSeries& prepared, double secondsPerVolume);

}  // namespace sulcus::preparation
