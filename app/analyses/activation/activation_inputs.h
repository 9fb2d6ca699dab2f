#pragma once

#include "core/activation/activation.h"
#include "core/activation/design/design.h"
#include "core/activation/results/activation_agreement.h"
#include "core/analysis/analysis.h"
#include "core/preparation/preparation.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

// The inputs of the activation analysis: layers and options in core's types.
namespace sulcus::app::analyses {

std::vector<InputSlot> activationSlots();

/// The options of the design, then those of the sampler.
std::vector<OptionInfo> activationOptions();
activation::DesignOptions designOptionsFrom(const OptionValues& values);
activation::ActivationOptions activationOptionsFrom(const OptionValues& values);

/// The motion-corrected series of a run.
struct PreparedBold {
  std::shared_ptr<const preparation::PreparedSeries> series;
  double maxDisplacement = 0;  ///< volumes with more motion are left out, mm; 0: none
};

/// The options of the preparation.
preparation::PreparationOptions preparationOptionsFrom(const OptionValues& values);
/// The series of the inputs, motion-corrected if requested. Throws like preparation::prepareSeries().
///
/// @param steps those of the CPU or of the GPU
std::optional<PreparedBold> preparedBold(const AnalysisInputs& inputs, const OptionValues& values,
                                         const preparation::PreparationSteps& steps,
                                         const Progress& progress);

/// The design alone: what can be shown and reported about it before a run. Throws Error if it cannot be made.
///
/// @param prepared for these inputs, whose motion becomes confounds; null: none
activation::Design designFrom(const AnalysisInputs& inputs, const activation::DesignOptions& options,
                              const PreparedBold* prepared = nullptr);

/// All inputs. Throws Error for layers that do not fit their slot; prepareActivation() checks the rest.
activation::ActivationInput activationInput(const AnalysisInputs& inputs,
                                            const activation::DesignOptions& options,
                                            const PreparedBold* prepared = nullptr);

/// The truth, if there is one. Throws Error if its grid differs from that of the series.
activation::ActivationTruth truthFrom(const AnalysisInputs& inputs, const Grid& grid);

/// "60 scans, 3 regressors, 5876 voxels; 1080 draws of each coefficient are kept"
std::string validateActivation(const AnalysisInputs& inputs, const OptionValues& values);

/// Host memory of a run in addition to its input, bytes: problem, running moments of each chain,
/// hyperparameters, maps and, if requested, all draws. 0 while inputs and options are not consistent.
MemoryNeed activationMemory(const AnalysisInputs& inputs, const OptionValues& values);

}  // namespace sulcus::app::analyses
