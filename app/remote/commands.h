#pragma once

#include "app/cli/commands.h"

// The commands for runs on other machines.
namespace sulcus::app::remote {

/// The side that computes: speaks with another machine through standard input and output.
cli::Command addServe(CLI::App& program);
/// Looks what another machine has, and brings the program there.
cli::Command addSetUp(CLI::App& program);

}  // namespace sulcus::app::remote
