#pragma once

#include "ui/model/session/session_state.h"

#include <string>
#include <vector>

namespace sulcus::ui::jobs {

/// A description of a picture as JSON text to be saved next to it: the visible layers, bottom to top, with
/// their files, command lines, colors and thresholds, and the view position.
std::string pictureNote(const model::SessionState& state);

/// A description of a plot, or a comparison, of these runs, as JSON text.
std::string plotNote(const std::string& name, const std::vector<model::RunPtr>& runs);

}  // namespace sulcus::ui::jobs
