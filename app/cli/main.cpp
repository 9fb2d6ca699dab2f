#include "app/analyses/table.h"
#include "app/cli/commands.h"
#include "app/cli/help.h"
#include "app/cli/progress.h"
#include "app/cli/usage.h"
#include "app/process.h"
#include "app/version.h"
#include "core/analysis/command_line.h"
#include "core/base/error.h"
#include "core/base/file_fault.h"
#include "core/base/printable.h"
#include "core/io/byte_source.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <new>

#include <CLI/CLI.hpp>

namespace sulcus::app::cli {
namespace {

std::string callOf(int count, char** words) {
  std::string call = "sulcus-cli";
  for (int i = 1; i < count; ++i) call += " " + shellQuoted(words[i]);
  return call;
}

int run(int count, char** words) {
  CLI::App program("Nerve fibers and more from medical scans, on CPU and GPU. Research use only.",
                   "sulcus-cli");
  const auto formatter = std::make_shared<HelpFormatter>();
  formatter->label("Positionals", "Files");
  program.formatter(formatter);
  program.footer(
      "sulcus-cli COMMAND --help explains a command.\n"
      "Exit codes: 0 done, 1 compare found a difference, 2 wrong usage, 3 bad input, 4 not enough memory or "
      "no such\n"
      "device, 5 internal, 130 interrupted.");
  program.set_help_flag("-h,--help", "Show this text");
  program.set_version_flag(
      "--version",
      [] {
        return versionText({{"CLI11", CLI11_VERSION, "BSD-3-Clause"}});
      },
      "Show the version, libraries, licenses and GPUs");
  program.require_subcommand(1);

  std::vector<Command> commands{addInfo(program), addDevices(program)};
  for (auto& phantom : addPhantoms(program)) commands.push_back(std::move(phantom));
  for (const auto& analysis : analyses::table()) commands.push_back(addAnalysis(program, analysis));
  commands.push_back(addApply(program));
  commands.push_back(addCompare(program));
  commands.push_back(addConvert(program));
  for (auto* parser : program.get_subcommands({})) parser->group("Commands");

  if (count < 2) {
    std::cerr << program.help();
    return int(ErrorKind::usage);
  }
  try {
    program.parse(count, words);
  } catch (const CLI::CallForHelp&) {
    std::cout << innermostOf(program)->help();
    return exit_code::done;
  } catch (const CLI::CallForVersion& version) {
    std::cout << version.what();
    return exit_code::done;
  } catch (const CLI::ParseError& fault) {
    throw usageError(program, fault);
  }
  const CLI::App* chosen = innermostOf(program);
  for (const auto& command : commands) {
    if (command.parser != chosen) continue;
    Session session{chosen->count("--json") > 0, chosen->count("--quiet") > 0, callOf(count, words)};
    return command.run(session);
  }
  return exit_code::internal;
}

int complain(const std::string& sentence, int code) {
  std::cerr << "sulcus-cli: " << printable(sentence) << "\n";
  return code;
}

/// `code`, unless standard output did not take all that was printed.
int afterPrinting(int code) {
  errno = 0;
  if (std::cout.flush() && std::fflush(stdout) == 0 && !std::ferror(stdout)) return code;
  throw Error("Not all could be printed", errno ? std::strerror(errno) : "standard output takes no more",
              "free some space or send it elsewhere; files that were asked for are complete");
}

}  // namespace
}  // namespace sulcus::app::cli

int main(int count, char** words) {
  using namespace sulcus;
  using namespace sulcus::app::cli;
  app::prepareProcess();
  stopOnSignals();
  try {
    return afterPrinting(run(count, words));
  } catch (const Cancelled&) {
    return complain("interrupted, nothing was written", exit_code::interrupted);
  } catch (const Error& fault) {
    return complain(fault.what(), int(fault.kind()));
  } catch (const std::bad_alloc&) {
    return complain(
        "The computer ran out of memory (data and result do not fit together): use a smaller image or mask",
        int(ErrorKind::unavailable));
  } catch (const std::filesystem::filesystem_error& fault) {
    return complain(fileFault(fault).what(), int(ErrorKind::badInput));
  } catch (const std::exception& fault) {
    return complain(
        std::string("Internal error (") + fault.what() + "): please report it with this command line",
        exit_code::internal);
  }
}
