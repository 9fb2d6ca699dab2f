#pragma once

#include "core/activation/results/saved_draws.h"
#include "core/analysis/analysis.h"

#include <filesystem>
#include <optional>

namespace sulcus::app::analyses {

/// The draws of a run from its folder.
///
/// @throws Error  when the folder is none of an activation run with --save-draws, or a file is missing
activation::SavedDraws openDraws(const std::filesystem::path& folder, const Progress& progress);

/// A run with saved draws, as Analysis::reopen has it: the maps and charts of the draws; σ², R̂, the numbers
/// of independent draws, mask, Δ, V_β and the draws as they were saved. None where no draws were saved.
std::optional<RunResult> reopenActivation(const std::filesystem::path& folder, const OptionValues& values,
                                          const Progress& progress);

}  // namespace sulcus::app::analyses
