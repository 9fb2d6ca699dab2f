#pragma once

#include "core/analysis/analysis.h"

#include <optional>
#include <string>
#include <vector>

namespace sulcus::ui::model {

/// Which preset the options of an analysis are: its name, "" for the defaults, nothing for any others.
/// Options marked `afterwards` count only where the preset names them: looking at a result is no other way to
/// get it.
///
/// @param own  the user's presets, beside those of the analysis
std::optional<std::string> presetOf(const Analysis& analysis, const OptionValues& options,
                                    const std::vector<Preset>& own = {});

}  // namespace sulcus::ui::model
