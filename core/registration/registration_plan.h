#pragma once

#include "core/analysis/analysis.h"
#include "core/registration/registration.h"
#include "core/registration/registration_level.h"

#include <string>
#include <vector>

namespace sulcus {

/// One level of the pyramid as a run will work on it.
struct PlannedLevel {
  Grid grid;
  LevelImages<float> images;
  int iterations = 0;  ///< at most
};

/// Name of the stage in which the pre-alignment is found.
inline constexpr const char* kPrealignmentStage = "Pre-alignment";

/// Everything that is decided before the first iteration, the same for CPU and GPU.
struct RegistrationPlan {
  Affine templateFromReference;      ///< the pre-alignment
  std::vector<PlannedLevel> levels;  ///< coarsest first; the last is on the reference's grid
  std::vector<std::uint8_t> region;  ///< of the reference: where the fit is measured
  double scale = 1;                  ///< intensities were divided by it
  std::vector<std::string> notes;
  std::vector<StageTime> stages;
};

/// Checks the input, pre-aligns the template, matches intensities and makes the pyramid.
///
/// @throws Error  when there is nothing to work on: see the sentences in registration_plan.cpp
RegistrationPlan planRegistration(const RegistrationInput& input, const RegistrationOptions& options,
                                  const Progress& progress);

/// Most iterations of each of `levels` levels, coarsest first; throws Error (usage) when the text does not
/// say.
std::vector<int> iterationsOf(const std::string& text, int levels);

/// Memory that registerImages would hold at its peak besides the input; on a device 68 bytes a voxel: four
/// vector fields, with a border, texels 16 and the reference 4.
MemoryNeed registrationMemory(const RegistrationInput& input);

}  // namespace sulcus
