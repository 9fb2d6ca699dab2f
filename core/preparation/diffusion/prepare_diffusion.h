#pragma once

#include "core/base/note.h"
#include "core/base/options.h"
#include "core/image/layer.h"
#include "core/preparation/diffusion/diffusion_motion.h"

namespace sulcus::preparation {

/// What is done to a diffusion series before it is analyzed.
struct DiffusionPreparationOptions {
  enum class Prepare { off, automatic };
  Prepare prepare = Prepare::off;

  template <class Visit>
  void describe(Visit&& visit) {
    visit(
        prepare,
        choiceOption("prepare", "Prepare", {"off", "auto"},
                     "auto: of a raw diffusion series noise and ringing are removed, volumes are realigned, "
                     "gradients turned along, slices without signal left out, and distortion taken out where "
                     "field map scans are given, on the CPU. off: the "
                     "series is taken as "
                     "it is, as after QSIPrep or MRtrix."));
  }
};

/// Which steps are taken; distortion is taken out with motion.
struct DiffusionSteps {
  bool noise = true, ringing = true, drift = true, motion = true;
};

/// A diffusion series as it is analyzed.
struct PreparedDiffusion {
  std::shared_ptr<const Series<float>> dwi;
  GradientTable gradients;
  std::shared_ptr<const Volume<float>> field;       ///< that distorted it, Hz; null: it was left in
  std::shared_ptr<const Volume<float>> noise;       ///< its standard deviation; null: it was left in
  std::shared_ptr<const Volume<float>> rank;        ///< number of components that are signal
  std::shared_ptr<const Volume<float>> unweighted;  ///< the mean of its volumes without weighting
  std::shared_ptr<const Mask> mask;                 ///< of the brain, automatic; null: there is no signal
  std::vector<Motion> motion;                       ///< one per volume; empty: it was left in
  std::vector<LostSlice> lost;                      ///< ascending
  Notes notes;                                      ///< what was done, and what was left undone and why
  std::vector<StageTime> stages;
};

/// The motion as a table with fMRIPrep's columns, a row for each volume, and in each the number of slices
/// that were lost.
TableLayer motionTable(const PreparedDiffusion& prepared);

/// Removes noise (denoise.h), ringing (ringing.h), drift of the signal (signal_drift.h), motion
/// (diffusion_motion.h) and distortion, in this order. What cannot be done with this series is left undone,
/// and a warning says why.
///
/// @throws Cancelled
PreparedDiffusion prepareDiffusion(const DiffusionMotionInput& input, const Progress& progress,
                                   const DiffusionSteps& steps = {});

/// The mean of the volumes without weighting, of all where there are none; 0 where none has a value.
Volume<float> meanOfUnweighted(const Series<float>& dwi, const GradientTable& gradients);

}  // namespace sulcus::preparation
