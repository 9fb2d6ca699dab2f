#pragma once

#include "app/cli/run.h"
#include "app/elsewhere/place.h"

namespace sulcus::app::elsewhere {

/// Runs an analysis on another machine and brings the results here, as cli's own run would have left them. A
/// line that breaks is taken up again; the same call later finds what was begun. Returns the exit code;
/// throws Error, and Cancelled, which stops the run there.
int run(const cli::RunRequest& request, const Place& place, const cli::Session& session);

}  // namespace sulcus::app::elsewhere
