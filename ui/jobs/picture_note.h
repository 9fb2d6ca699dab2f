#pragma once

#include "ui/model/session/session_state.h"

#include <string>
#include <vector>

namespace sulcus::ui::jobs {

/// What a picture shows, as a JSON text that is saved beside it: the layers that are visible, bottom to top,
/// with their files, command lines, colors and thresholds, and where the views look.
std::string pictureNote(const model::SessionState& state);

/// What a plot, or a comparison, of these runs shows, as JSON text.
std::string plotNote(const std::string& name, const std::vector<model::RunPtr>& runs);

}  // namespace sulcus::ui::jobs
