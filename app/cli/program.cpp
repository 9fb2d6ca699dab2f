#include "app/analyses/table.h"
#include "app/analyses/template/template_making.h"
#include "app/cli/commands.h"
#include "app/cli/commands/help.h"
#include "app/cli/usage.h"
#include "app/remote/commands.h"
#include "app/version.h"
#include "core/analysis/command_line.h"
#include "core/base/error.h"

#include <algorithm>
#include <iostream>

#include <CLI/CLI.hpp>

namespace sulcus::app::cli {
namespace {

void replaceFormerNames(std::vector<std::string>& words) {
  if (words.empty()) return;
  if (words.front() == "setup-host") {
    words.front() = "setup";
    words.insert(words.begin(), "remote");
  }
  if (words.front() != "draws") return;
  for (std::string& word : words)
    if (word == "--from" || word.starts_with("--from=")) word.replace(0, 6, "--run-dir");
}

/// The words of the call except the first, with flags as they are spelled here: 3D Slicer and others that
/// treat a flag as an identifier write _ for -. Former names of commands and flags are also accepted.
std::vector<std::string> wordsOf(int count, char** words) {
  std::vector<std::string> all(words + std::min(count, 1), words + count);
  for (std::string& word : all)
    if (word.starts_with("--"))
      std::replace(word.begin(), std::find(word.begin(), word.end(), '='), '_', '-');
  replaceFormerNames(all);
  return all;
}

std::string callOf(const std::vector<std::string>& words) {
  std::string call = "sulcus-cli";
  for (const auto& word : words) call += " " + shellQuoted(word);
  return call;
}

/// Refuses a number without digits, for which CLI11 uses the default.
void refuseEmptyNumbers(CLI::App& parser) {
  for (CLI::Option* option : parser.get_options()) {
    const std::string type = option->get_type_name();
    if (type != "X" && type != "N" && type != "K" && !type.starts_with("X.")) continue;
    option->check(CLI::Validator(
        [flag = option->get_name()](const std::string& text) {
          if (text.empty())
            throw Error(flag + " cannot be ''", "it takes a number", "give one", ErrorKind::usage);
          return std::string();
        },
        ""));
  }
  for (CLI::App* command : parser.get_subcommands({})) refuseEmptyNumbers(*command);
}

}  // namespace

int runProgram(int count, char** given, CliContext session) {
  const std::vector<std::string> words = wordsOf(count, given);
  CLI::App program("Nerve fibers and more from medical scans, on CPU and GPU. Research use only.",
                   "sulcus-cli");
  program.allow_windows_style_options(false);  // a path may begin with a slash on Windows, too
  const auto formatter = std::make_shared<HelpFormatter>();
  formatter->label("Positionals", "Files");
  program.formatter(formatter);
  program.footer(
      "sulcus-cli COMMAND --help explains a command.\n"
      "Exit codes: 0 done, 1 compare found a difference, 2 wrong usage, 3 bad input, 4 not enough memory, "
      "no such\n"
      "device or one that failed, 5 internal, 130 interrupted.");
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
  for (const auto& analysis : analyses::table())
    commands.push_back(analysis.name == analyses::kTemplateName ? addTemplate(program, analysis)
                                                                : addAnalysis(program, analysis));
  commands.push_back(addBids(program, analyses::table(), words));
  commands.push_back(addApply(program));
  commands.push_back(addVolumes(program));
  commands.push_back(addBundle(program));
  commands.push_back(addDraws(program));
  commands.push_back(addEigenpairs(program));
  commands.push_back(addClusters(program));
  commands.push_back(addCompare(program));
  commands.push_back(addConvert(program));
  commands.push_back(addThumbnail(program));
  commands.push_back(addCompletion(program));
  commands.push_back(remote::addSetUp(program));
  commands.push_back(remote::addServe(program));
  for (auto* parser : program.get_subcommands({})) parser->group("Commands");

  refuseEmptyNumbers(program);

  if (words.empty()) {
    std::cerr << program.help();
    return int(ErrorKind::usage);
  }
  if (words.front() == "complete") {  // the scripts of addCompletion() call it
    printCandidates(program, {words.begin() + std::min<std::ptrdiff_t>(2, std::ssize(words)), words.end()});
    return exit_code::done;
  }
  try {
    program.parse(std::vector<std::string>(words.rbegin(), words.rend()));  // the last word first
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
    const auto given = [&](const char* flag) {  // get_option() terminates the program if memory runs out
      const auto found =
          chosen->get_options([&](const CLI::Option* option) { return option->check_lname(flag); });
      return !found.empty() && found.front()->count() > 0;
    };
    session.json = given("json");
    session.quiet = given("quiet");
    session.filterProgress = given("filter-progress");
    if (session.call.empty()) session.call = callOf(words);
    return command.run(session);
  }
  return exit_code::internal;
}

}  // namespace sulcus::app::cli
