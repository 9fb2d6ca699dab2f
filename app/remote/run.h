#pragma once

#include "app/cli/run.h"
#include "app/remote/remote_target.h"

namespace sulcus::app::remote {

/// Runs an analysis on another machine and brings the results here, as cli's own run would have left them. A
/// line that breaks is taken up again; the same call later finds what was begun. Returns the exit code;
/// throws Error, and Cancelled, which stops the run there.
int run(const cli::RunRequest& request, const RemoteTarget& place, const cli::CliContext& session);

}  // namespace sulcus::app::remote
