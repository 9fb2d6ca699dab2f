#pragma once

#include "core/analysis/analysis.h"

#include <optional>
#include <string>
#include <vector>

namespace sulcus::ui::model {

/// Which preset the options of an analysis correspond to: its name, "" for the defaults, none for any others.
/// Options marked `adjustable` count only if the preset names them, since changing them on a result is not a
/// different way to compute it.
///
/// @param own the user's presets, in addition to those of the analysis
std::optional<std::string> presetOf(const Analysis& analysis, const OptionValues& options,
                                    const std::vector<Preset>& own = {});

}  // namespace sulcus::ui::model
