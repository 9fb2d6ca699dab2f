#pragma once

#include "core/activation/results/saved_draws.h"
#include "core/analysis/analysis.h"

#include <filesystem>
#include <optional>

namespace sulcus::app::analyses {

/// The draws of a run from its folder.
///
/// @throws Error if it is not the folder of an activation run with --save-draws, or a file is missing
activation::SavedDraws openDraws(const std::filesystem::path& folder, const Progress& progress);

/// A run with saved draws, for Analysis::reopen: the maps and charts computed from the draws; σ², R̂,
/// effective sample sizes, mask, Δ, V_β and the draws as they were saved. None if no draws were saved.
std::optional<RunResult> reopenActivation(const std::filesystem::path& folder, const OptionValues& values,
                                          const Progress& progress);

}  // namespace sulcus::app::analyses
