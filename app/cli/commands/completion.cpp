#include "app/analyses/table.h"
#include "app/cli/commands.h"
#include "app/cli/descriptors.h"
#include "app/cli/usage.h"
#include "core/base/sentence.h"

#include <algorithm>
#include <iostream>

#include <CLI/CLI.hpp>

namespace sulcus::app::cli {
namespace {

/// A flag of a command for shell completion.
struct CompletedFlag {
  std::string name, help;  ///< name without --
  bool takesValue = false;
  std::vector<std::string> choices;  ///< possible values; none: a file
};
struct CompletedCommand {
  std::string name, help;  ///< "fibers", "phantom fibers"; "bids fibers" for bids --analysis fibers
  std::vector<CompletedFlag> flags;
  std::vector<std::string> words;  ///< that may follow instead of a file
};

/// The named values of options of analyses and phantoms, by command and flag.
std::vector<std::string> choicesOf(const std::string& command, const std::string& flag) {
  const auto in = [&](const std::vector<OptionInfo>& infos) {
    for (const auto& info : infos)
      if (info.name == flag) return info.choices;
    return std::vector<std::string>();
  };
  if (auto choices = in(runOptions()); !choices.empty()) return choices;
  for (const auto& analysis : analyses::table()) {
    if (command == analysis.name || command == "bids " + analysis.name) return in(analysis.options);
    if (command == "phantom " + analysis.name) return in(analysis.demoOptions);
  }
  if (command != "bids" || flag != "analysis") return {};
  std::vector<std::string> names;
  for (const auto& analysis : analyses::table()) names.push_back(analysis.name);
  return names;
}

/// The first sentence, without characters special to a shell.
std::string shortHelp(const std::string& text) {
  std::string help = text.substr(0, std::min(text.find(". "), text.find("; ")));
  std::erase_if(
      help, [](char c) { return c == '\'' || c == '"' || c == '`' || c == '$' || c == '\\' || c == '\n'; });
  std::replace(help.begin(), help.end(), ':', ',');
  std::replace(help.begin(), help.end(), '[', '(');
  std::replace(help.begin(), help.end(), ']', ')');
  return help.substr(0, help.find(" ("));
}

void addCommands(const CLI::App& parser, const std::string& prefix, std::vector<CompletedCommand>& commands) {
  CompletedCommand command{prefix, shortHelp(parser.get_description()), {}, {}};
  for (const auto* option : parser.get_options()) {
    auto names = option->get_lnames();
    names.insert(names.end(), option->get_fnames().begin(), option->get_fnames().end());
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    for (const auto& name : names)
      command.flags.push_back({name, shortHelp(option->get_description()), option->get_expected_max() > 0,
                               choicesOf(prefix, name)});
  }
  for (const auto* sub : parser.get_subcommands({})) command.words.push_back(sub->get_name());
  if (prefix == "completion") command.words = {"bash", "zsh", "fish"};
  if (prefix.starts_with("bids")) command.words = {"participant", "group"};
  commands.push_back(std::move(command));
  for (const auto* sub : parser.get_subcommands({}))
    addCommands(*sub, prefix.empty() ? sub->get_name() : prefix + " " + sub->get_name(), commands);
}

std::string bashText(const std::vector<CompletedCommand>& commands) {
  std::string text =
      "# Completes sulcus-cli in bash: sulcus-cli completion bash > "
      "~/.local/share/bash-completion/completions/sulcus-cli\n"
      "_sulcus_cli() {\n"
      "  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} "
      "command=${COMP_WORDS[1]}\n"
      "  [ \"$COMP_CWORD\" = 1 ] && command=\n"
      "  [ \"$command\" = phantom ] && [ \"$COMP_CWORD\" -gt 2 ] && command=\"phantom ${COMP_WORDS[2]}\"\n"
      "  local i\n"
      "  [ \"$command\" = bids ] && for ((i = 2; i < COMP_CWORD; ++i)); do\n"
      "    [ \"${COMP_WORDS[i-1]}\" = --analysis ] && command=\"bids ${COMP_WORDS[i]}\"\n"
      "  done\n"
      "  COMPREPLY=()\n"
      "  case \"$command $previous\" in\n";
  for (const auto& command : commands)
    for (const auto& flag : command.flags)
      if (!flag.choices.empty())
        text += "    '" + command.name + " --" + flag.name + "') mapfile -t COMPREPLY < <(compgen -W '" +
                joined(flag.choices, " ") + "' -- \"$current\"); return ;;\n";
  text += "  esac\n  local words=\n  case \"$command\" in\n";
  for (const auto& command : commands) {
    std::vector<std::string> words = command.words;
    for (const auto& flag : command.flags) words.push_back("--" + flag.name);
    text += "    '" + command.name + "') words='" + joined(words, " ") + "' ;;\n";
  }
  return text +
         "  esac\n"
         "  mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$current\")\n"
         "}\n"
         "complete -o default -o bashdefault -F _sulcus_cli sulcus-cli\n";
}

std::string zshText(const std::vector<CompletedCommand>& commands) {
  std::string text =
      "#compdef sulcus-cli\n"
      "# Completes sulcus-cli in zsh: sulcus-cli completion zsh > a folder of $fpath/_sulcus-cli\n"
      "_sulcus-cli() {\n"
      "  local command=$words[2]\n"
      "  (( CURRENT == 2 )) && command=\n"
      "  [[ $command == phantom ]] && (( CURRENT > 3 )) && command=\"phantom $words[3]\"\n"
      "  local i\n"
      "  [[ $command == bids ]] && for (( i = 3; i < CURRENT; ++i )); do\n"
      "    [[ $words[i-1] == --analysis ]] && command=\"bids $words[i]\"\n"
      "  done\n"
      "  case \"$command $words[CURRENT-1]\" in\n";
  for (const auto& command : commands)
    for (const auto& flag : command.flags)
      if (!flag.choices.empty())
        text += "    '" + command.name + " --" + flag.name + "') compadd -- " + joined(flag.choices, " ") +
                "; return ;;\n";
  text += "  esac\n  local -a flags subcommands\n  case \"$command\" in\n";
  for (const auto& command : commands) {
    text += "    '" + command.name + "')\n      subcommands=(" + joined(command.words, " ") +
            ")\n      flags=(\n";
    for (const auto& flag : command.flags) text += "        '--" + flag.name + ":" + flag.help + "'\n";
    text += "      ) ;;\n";
  }
  return text +
         "  esac\n"
         "  (( $#subcommands )) && compadd -- $subcommands\n"
         "  [[ $words[CURRENT] == -* ]] && _describe -o flag flags\n"
         "  [[ -n $command && $words[CURRENT] != -* ]] && _files\n"
         "}\n"
         "_sulcus-cli \"$@\"\n";
}

/// fish's test of whether the words before the cursor are this command.
std::string fishCondition(const std::string& command) {
  if (command.empty()) return "__fish_use_subcommand";
  const std::string some = "test (count (commandline -opc)) -gt 1; and ";
  const auto space = command.find(' ');
  if (space == command.npos) return some + "test (commandline -opc)[2] = " + command;
  const std::string first = command.substr(0, space), last = command.substr(space + 1);
  if (first == "bids")
    return some + "test (commandline -opc)[2] = bids; and string match -q -- \"*--analysis " + last +
           " *\" (string join -- \" \" (commandline -opc) \"\")";
  return some + "test (count (commandline -opc)) -gt 2; and test (commandline -opc)[2] = " + first +
         "; and test (commandline -opc)[3] = " + last;
}

std::string fishText(const std::vector<CompletedCommand>& commands) {
  std::string text =
      "# Completes sulcus-cli in fish: sulcus-cli completion fish > "
      "~/.config/fish/completions/sulcus-cli.fish\n";
  for (const auto& command : commands) {
    const std::string begin = "complete -c sulcus-cli -n '" + fishCondition(command.name) + "'";
    for (const auto& word : command.words) text += begin + " -f -a '" + word + "'\n";
    for (const auto& flag : command.flags) {
      text += begin + " -l " + flag.name + " -d '" + flag.help + "'";
      if (!flag.choices.empty())
        text += " -x -a '" + joined(flag.choices, " ") + "'";
      else if (flag.takesValue)
        text += " -r";
      text += '\n';
    }
  }
  return text;
}

}  // namespace

std::string completionText(const std::string& shell, const CLI::App& program) {
  std::vector<CompletedCommand> commands;
  addCommands(program, "", commands);
  for (const auto& analysis : analyses::table()) {  // bids accepts the flags of the analysis that is named
    CLI::App study;
    const Command bids = addBids(study, analyses::table(), {"--analysis", analysis.name});
    addCommands(*bids.parser, "bids " + analysis.name, commands);
  }
  if (shell == "bash") return bashText(commands);
  return shell == "zsh" ? zshText(commands) : fishText(commands);
}

Command addCompletion(CLI::App& program) {
  CLI::App* parser = program.add_subcommand(
      "completion", "Prints the script by which a shell completes commands and flags: bash, zsh or fish");
  auto shell = std::make_shared<std::string>();
  parser->add_option("SHELL", *shell, "bash, zsh or fish")
      ->required()
      ->check(oneOf("SHELL", {"bash", "zsh", "fish"}));
  return {parser, [&program, shell](const CliContext&) {
            std::cout << completionText(*shell, program);
            return exit_code::done;
          }};
}

void addDescriptorFlags(CLI::App& parser, const Analysis& analysis) {
  const auto add = [&](const char* flag, const char* help, std::string (*text)(const Analysis&)) {
    // Like --version it is answered at once, before anything missing is reported.
    parser
        .add_flag_function(
            flag, [&analysis, text](std::int64_t) { throw CLI::CallForVersion(text(analysis), 0); }, help)
        ->trigger_on_parse()
        ->disable_flag_override()
        ->group("Common");
  };
  add("--boutiques", "Print this command as a Boutiques descriptor", boutiquesText);
  add("--xml", "Print this command as a module of 3D Slicer (Slicer execution model)", slicerText);
}

}  // namespace sulcus::app::cli
