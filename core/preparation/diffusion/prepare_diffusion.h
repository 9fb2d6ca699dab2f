#pragma once

#include "core/base/note.h"
#include "core/base/options.h"
#include "core/image/layer.h"
#include "core/preparation/diffusion/diffusion_motion.h"

namespace sulcus::preparation {

/// The preparation of a diffusion series before its analysis.
struct DiffusionPreparationOptions {
  enum class Prepare { off, automatic };
  Prepare prepare = Prepare::off;

  template <class Visit>
  void describe(Visit&& visit) {
    visit(prepare, choiceOption("prepare", "Prepare", {"off", "auto"},
                                "auto: in a raw diffusion series, noise and ringing are removed, volumes are "
                                "realigned, gradients are rotated with them, slices without signal are "
                                "excluded, eddy currents are corrected if the JSON file states the "
                                "phase-encoding direction, and distortion if field map scans are given, on "
                                "the CPU. off: the series is used as it is, as after QSIPrep or MRtrix."));
  }
};

/// Which steps are performed; distortion and eddy currents are corrected together with motion.
struct DiffusionSteps {
  bool noise = true, ringing = true, drift = true, motion = true, eddy = true;
};

/// A diffusion series, prepared.
struct PreparedDiffusion {
  std::shared_ptr<const Series<float>> dwi;
  GradientTable gradients;
  std::shared_ptr<const Volume<float>> field;       ///< that distorted it, Hz; null: not corrected
  std::shared_ptr<const Volume<float>> noise;       ///< its standard deviation; null: not removed
  std::shared_ptr<const Volume<float>> rank;        ///< number of signal components
  std::shared_ptr<const Volume<float>> unweighted;  ///< the mean of the unweighted volumes
  std::shared_ptr<const Mask> mask;                 ///< of the brain, automatic; null: there is no signal
  std::vector<Motion> motion;                       ///< one per volume; empty: not corrected
  std::vector<LostSlice> lost;                      ///< ascending
  std::vector<EddyTerms> eddy;                      ///< one per volume; empty: not corrected
  Notes notes;                                      ///< what was done, what was skipped, and why
  std::vector<StageTime> stages;
};

/// The motion as a table with fMRIPrep's columns, one row for each volume, with the number of lost slices in
/// each and the terms of eddy currents (eddyNames()), mm.
TableLayer motionTable(const PreparedDiffusion& prepared);

/// Removes noise (denoise.h), ringing (ringing.h), signal drift (signal_drift.h), motion with eddy currents
/// (diffusion_motion.h) and distortion, in this order. A step that is not possible for this series is
/// skipped, and a warning says why.
///
/// @throws Cancelled
PreparedDiffusion prepareDiffusion(const DiffusionMotionInput& input, const Progress& progress,
                                   const DiffusionSteps& steps = {});

/// The mean of the unweighted volumes, of all volumes if there are none; 0 where none has a value.
Volume<float> meanOfUnweighted(const Series<float>& dwi, const GradientTable& gradients);

}  // namespace sulcus::preparation
