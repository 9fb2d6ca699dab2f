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

/// One level of the pyramid as a run will work on it.
struct PlannedLevel {
  Grid grid;
  LevelInput<float> input;  ///< of the displacement of the template
  int iterations = 0;       ///< at most
  /// The reference of each channel, also where the images are not compared; empty unless for a
  /// symmetric flow.
  std::vector<std::vector<float>> wholeReferences;
  LevelLandmarks referenceLandmarks;  ///< of the displacement of the reference
  /// One value per voxel, not 0 where the template's mask is, under the pre-alignment; empty without one. It
  /// is applied by withTemplateMask().
  std::vector<std::uint8_t> templateVoxels;

  /// The images of the first channel.
  const LevelImages<float>& images() const { return input.channels.front(); }
};

/// The name of the stage in which the pre-alignment is found.
inline constexpr const char* kLinearStage = "Pre-alignment";

/// Everything that is decided before the first iteration, the same for CPU and GPU.
struct RegistrationPlan {
  Affine templateFromReference;      ///< the pre-alignment
  Volume<float> biasField;           ///< as in RegistrationResult
  std::vector<PlannedLevel> levels;  ///< coarsest first; the last is on the reference's grid
  std::vector<std::uint8_t>
      region;        ///< one value per voxel of the reference, not 0 where the fit is measured
  double scale = 1;  ///< the intensities were divided by this
  Similarity similarity = Similarity::l2;              ///< never automatic
  int window = 2;                                      ///< radius of local correlation, voxels
  bool symmetric = false;                              ///< as in RegistrationOptions
  Interpolation interpolation = Interpolation::cubic;  ///< see alignmentInterpolation()
  Notes notes;
  std::vector<StageTime> stages;
};

/// What a plan is for.
enum class PlanUse {
  flow,     ///< a run through all levels
  results,  ///< the results of a flow that had a plan of its own: there is the finest level alone
};

/// Checks the input, pre-aligns the template, chooses the similarity, matches bias field and intensities of
/// each channel, and makes the pyramid. Chosen is mutual information where both images of a channel do not
/// correlate after the pre-alignment: then their contrasts differ, or they do not belong together. Else
/// squared differences where much of the reference is flat, as in a drawn shape; else mutual information
/// where the ranks of both do not correlate inside of the object, as of CT and MR, and local correlation
/// where they do.
///
/// @param steps   what makes the images
/// @throws Error  when there is nothing to work on: see the sentences in registration_plan.cpp
RegistrationPlan planRegistration(const RegistrationInput& input, const RegistrationOptions& options,
                                  const Progress& progress, PlanUse use = PlanUse::flow,
                                  const PreparationSteps& steps = {});

/// Gives every level of the plan its landmarks.
///
/// @param unit  the length in which their distances count, mm
void addLandmarks(RegistrationPlan& plan, const std::vector<PlacedLandmark>& landmarks, double unit);

/// The largest number of iterations of each of `levels` levels, coarsest first, from a text like
/// "100/100/60".
///
/// @throws Error  of ErrorKind::usage for any other text
std::vector<int> iterationsPerLevel(const std::string& text, int levels);

}  // namespace sulcus::registration
