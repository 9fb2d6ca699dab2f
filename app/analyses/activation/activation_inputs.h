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

// What the activation analysis is given: layers and options as the core takes them.
namespace sulcus::app::analyses {

std::vector<InputSlot> activationSlots();

/// The options of the design, then those of the sampler.
std::vector<OptionInfo> activationOptions();
activation::DesignOptions designOptionsFrom(const OptionValues& values);
activation::ActivationOptions activationOptionsFrom(const OptionValues& values);

/// The series of a run without motion.
struct PreparedBold {
  std::shared_ptr<const preparation::PreparedSeries> series;
  double maxDisplacement = 0;  ///< volumes above are left out, mm; 0: none
};

/// The options of the preparation.
preparation::PreparationOptions preparationOptionsFrom(const OptionValues& values);
/// The series of the inputs, motion-corrected if requested. What it throws:
/// preparation::prepareSeries().
///
/// @param steps  those of the CPU or of the GPU
std::optional<PreparedBold> preparedBold(const AnalysisInputs& inputs, const OptionValues& values,
                                         const preparation::PreparationSteps& steps,
                                         const Progress& progress);

/// The design alone: what can be shown and said of it before a run. Throws Error where it cannot be made.
///
/// @param prepared  of these inputs, whose motion becomes confounds; null: none
activation::Design designFrom(const AnalysisInputs& inputs, const activation::DesignOptions& options,
                              const PreparedBold* prepared = nullptr);

/// Everything. Throws Error for layers that cannot be what their slot says; prepareActivation() checks the
/// rest.
activation::ActivationInput activationInput(const AnalysisInputs& inputs,
                                            const activation::DesignOptions& options,
                                            const PreparedBold* prepared = nullptr);

/// The truth, where there is one. Throws Error when it lies on another grid than the series.
activation::ActivationTruth truthFrom(const AnalysisInputs& inputs, const Grid& grid);

/// "60 scans, 3 regressors, 5876 voxels; 1080 draws of each coefficient are kept"
std::string validateActivation(const AnalysisInputs& inputs, const OptionValues& values);

/// Host memory of a run beside its input, bytes: problem, running moments of each chain, hyper-parameters,
/// maps and, if requested, all draws. Nothing while inputs and options are not consistent.
MemoryNeed activationMemory(const AnalysisInputs& inputs, const OptionValues& values);

}  // namespace sulcus::app::analyses
