#pragma once

#include "app/cli/commands.h"

// The commands for runs on other machines.
namespace sulcus::app::remote {

/// The computing side: communicates with another machine through standard input and output.
cli::Command addServe(CLI::App& program);
/// Checks what another machine has, and installs the program there.
cli::Command addSetUp(CLI::App& program);

}  // namespace sulcus::app::remote
