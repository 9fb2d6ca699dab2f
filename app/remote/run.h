#pragma once

#include "app/cli/run.h"
#include "app/remote/remote_target.h"

namespace sulcus::app::remote {

/// Runs an analysis on another machine and fetches the results, with the same outcome as cli's own run. A
/// broken connection is resumed; the same call later finds the run in progress. Returns the exit code; throws
/// Error, and Cancelled, which stops the run there.
int run(const cli::RunRequest& request, const RemoteTarget& place, const cli::CliContext& session);

}  // namespace sulcus::app::remote
