#pragma once

#include "ui/model/session_state.h"

#include <string>

namespace sulcus::ui::jobs {

/// What a picture shows, as a JSON text that is saved beside it: the layers that are visible, bottom to top,
/// with their files, command lines, colors and thresholds, and where the views look.
std::string pictureNote(const model::SessionState& state);

}  // namespace sulcus::ui::jobs
