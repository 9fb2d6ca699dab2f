#pragma once

#include "core/analysis/analysis.h"

#include <optional>
#include <string>

namespace sulcus::ui::model {

/// Which preset the options of an analysis are: its name, "" for the defaults, nothing for any others.
/// Options marked `afterwards` count only where the preset names them: looking at a result is no other way to
/// get it.
std::optional<std::string> presetOf(const Analysis& analysis, const OptionValues& options);

}  // namespace sulcus::ui::model
