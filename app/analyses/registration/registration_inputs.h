#pragma once

#include "core/analysis/analysis.h"
#include "core/registration/registration.h"

#include <string>
#include <vector>

// The inputs of the registration: layers in core's types.
namespace sulcus::app::analyses {

std::vector<InputSlot> registrationSlots();

/// Images and mask; registerImages() reports what does not go together. Throws Error for layers that do not
/// fit their slot.
registration::RegistrationInput registrationInput(const AnalysisInputs& inputs);

/// The labels in `slot`, made with labelsOn(), or null.
std::shared_ptr<const Volume<Label>> labelsIn(const AnalysisInputs& inputs, const std::string& slot,
                                              const Grid& grid, const std::string& of);

/// The truth of a phantom; all null without one.
struct RegistrationTruth {
  std::shared_ptr<const Series<float>> displacement;
  std::shared_ptr<const Mask> object;
};
/// Throws Error for layers that are neither a displacement nor a mask on `grid`.
RegistrationTruth registrationTruth(const AnalysisInputs& inputs, const Grid& grid);

/// "3 levels of 100/100/100 iterations at most, on 91 × 109 × 91 voxels of 2 × 2 × 2 mm"
std::string validateRegistration(const AnalysisInputs& inputs, const OptionValues& values);
/// The given landmarks as layers for display; empty without landmarks.
std::vector<Layer> landmarkLayers(const AnalysisInputs& inputs);
MemoryNeed registrationNeeds(const AnalysisInputs& inputs, const OptionValues& values);

}  // namespace sulcus::app::analyses
