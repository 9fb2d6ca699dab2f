#pragma once

#include "core/analysis/analysis.h"
#include "core/base/progress.h"

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

// The commands of sulcus-cli. Each one adds its flags to the parser and hands back what to run; results go to
// standard output, progress and errors to standard error.
namespace sulcus::app::cli {

namespace exit_code {
inline constexpr int done = 0, differs = 1, internal = 5, interrupted = 130;  // 2, 3, 4: see ErrorKind
}

/// How a command talks: --json, --quiet.
struct Session {
  bool json = false;
  bool quiet = false;
  std::string call;  ///< the whole command line, for provenance
};

struct Command {
  CLI::App* parser;
  std::function<int(const Session&)> run;  ///< returns the exit code; throws Error, Cancelled
};

Command addInfo(CLI::App& program);
Command addDevices(CLI::App& program);
Command addCompare(CLI::App& program);
Command addConvert(CLI::App& program);
/// Deforms any image by a saved displacement field.
Command addApply(CLI::App& program);
/// One command for each phantom that an analysis brings along.
std::vector<Command> addPhantoms(CLI::App& program);
/// The command of one row of the table.
Command addAnalysis(CLI::App& program, const Analysis& analysis);

/// Adds --json and --quiet.
void addTalkFlags(CLI::App& parser);

}  // namespace sulcus::app::cli
