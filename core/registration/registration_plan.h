#pragma once

#include "core/base/note.h"
#include "core/base/progress.h"
#include "core/base/provenance.h"
#include "core/image/grid.h"
#include "core/image/grids/interpolation.h"
#include "core/math/affine.h"
#include "core/registration/deformation/registration_level.h"
#include "core/registration/preparation/preparation.h"
#include "core/registration/registration.h"

#include <string>
#include <vector>

namespace sulcus::registration {

/// One level of the pyramid as planned for a run.
struct PlannedLevel {
  Grid grid;
  LevelInput<float> input;  ///< for the displacement of the template
  int iterations = 0;       ///< at most
  /// The reference of each channel, including where the images are not compared; empty unless the flow is
  /// symmetric.
  std::vector<std::vector<float>> wholeReferences;
  LevelLandmarks referenceLandmarks;  ///< for the displacement of the reference
  /// One value per voxel, nonzero in the template's mask under the pre-alignment; empty without a mask.
  /// Applied by withTemplateMask().
  std::vector<std::uint8_t> templateVoxels;

  /// The images of the first channel.
  const LevelImages<float>& images() const { return input.channels.front(); }
};

/// The name of the pre-alignment stage.
inline constexpr const char* kLinearStage = "Pre-alignment";

/// Everything that is decided before the first iteration, the same for CPU and GPU.
struct RegistrationPlan {
  Affine templateFromReference;            ///< the pre-alignment
  Volume<float> biasField;                 ///< as in RegistrationResult
  std::vector<PlannedLevel> levels;        ///< coarsest first; the last is on the reference's grid
  std::vector<std::uint8_t> region;        ///< per voxel of the reference: nonzero where the fit is measured
  double scale = 1;                        ///< the intensities were divided by this
  Similarity similarity = Similarity::l2;  ///< never automatic
  int window = 2;                          ///< radius of local correlation, voxels
  bool symmetric = false;                  ///< as in RegistrationOptions
  Interpolation interpolation = Interpolation::cubic;  ///< see alignmentInterpolation()
  Notes notes;
  std::vector<StageTime> stages;
};

/// The purpose of a plan.
enum class PlanUse {
  flow,     ///< a run through all levels
  results,  ///< the results of a flow that had its own plan: only the finest level
};

/// Checks the input, pre-aligns the template, chooses the similarity, matches bias field and intensities of
/// each channel, and makes the pyramid. The choice is mutual information if the images of a channel do not
/// correlate after the pre-alignment, because their contrasts differ or they do not belong together; else
/// squared differences if much of the reference is flat, as in a drawn shape; else mutual information if the
/// ranks of both images do not correlate inside the object, as for CT and MR; else local correlation.
///
/// @param steps   the steps that make the images
/// @throws Error  if there is nothing to work on: see the sentences in registration_plan.cpp
RegistrationPlan planRegistration(const RegistrationInput& input, const RegistrationOptions& options,
                                  const Progress& progress, PlanUse use = PlanUse::flow,
                                  const PreparationSteps& steps = {});

/// Adds the landmarks to every level of the plan.
///
/// @param unit  the unit of their distances, mm
void addLandmarks(RegistrationPlan& plan, const std::vector<PlacedLandmark>& landmarks, double unit);

/// The largest number of iterations of each of `levels` levels, coarsest first, from a text like
/// "100/100/60".
///
/// @throws Error  (usage) for any other text
std::vector<int> iterationsPerLevel(const std::string& text, int levels);

}  // namespace sulcus::registration
