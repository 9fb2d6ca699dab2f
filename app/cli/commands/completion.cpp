#include "app/analyses/table.h"
#include "app/cli/commands.h"
#include "app/cli/descriptors.h"
#include "app/cli/usage.h"

#include <algorithm>
#include <iostream>
#include <map>
#include <utility>

#include <CLI/CLI.hpp>

namespace sulcus::app::cli {
namespace {

constexpr const char* kBash = R"(# Completes sulcus-cli in bash:
# sulcus-cli completion bash > ~/.local/share/bash-completion/completions/sulcus-cli
_sulcus_cli() {
  local program=${COMP_WORDS[0]/#\~/$HOME}
  mapfile -t COMPREPLY < <("$program" complete -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f1)
}
complete -o default -o bashdefault -F _sulcus_cli sulcus-cli
)";
constexpr const char* kZsh = R"(#compdef sulcus-cli
# Completes sulcus-cli in zsh: sulcus-cli completion zsh > a folder of $fpath/_sulcus-cli
_sulcus-cli() {
  local -a found=("${(@f)$($words[1] complete -- "${(@)words[2,CURRENT]}" 2>/dev/null)}")
  found=("${(@)${(@)found:#}/$'\t'/:}")
  if (( $#found )); then _describe sulcus-cli found; else _files; fi
}
_sulcus-cli "$@"
)";
constexpr const char* kFish = R"(# Completes sulcus-cli in fish:
# sulcus-cli completion fish > ~/.config/fish/completions/sulcus-cli.fish
function __sulcus_cli
  set -l words (commandline -opc)
  set -l current (commandline -ct)
  command $words[1] complete -- $words[2..] "$current" 2>/dev/null
end
complete -c sulcus-cli -n '__sulcus_cli | string length -q' -f -a '(__sulcus_cli)'
)";

const std::map<std::string, const char*> kScripts{{"bash", kBash}, {"zsh", kZsh}, {"fish", kFish}};

/// A word that may follow, and what it means.
using Candidate = std::pair<std::string, std::string>;

/// The named values of a flag, without --, of the command that the words name.
std::vector<std::string> choicesOf(const std::vector<std::string>& words, const std::string& flag) {
  const bool isPhantom = words.front() == "phantom", isStudy = words.front() == "bids";
  const std::string& command = isPhantom && words.size() > 1 ? words[1] : words.front();
  const auto studied = std::ranges::find(words, "--analysis");
  const std::string& analysisName = isStudy && words.end() - studied > 1 ? studied[1] : command;
  std::vector<OptionInfo> infos = runOptions();
  for (const auto& analysis : analyses::table()) {
    const auto& own = isPhantom ? analysis.demoOptions : analysis.options;
    if (analysis.name == analysisName) infos.insert(infos.end(), own.begin(), own.end());
  }
  if (isStudy && flag == "analysis") return studyAnalysisNames(analyses::table());
  const auto found = std::ranges::find(infos, flag, &OptionInfo::name);
  return found == infos.end() ? std::vector<std::string>() : found->choices;
}

/// The first sentence, on one line.
std::string shortHelp(const std::string& text) {
  std::string help = text.substr(0, std::min({text.find(". "), text.find("; "), text.find(" (")}));
  std::ranges::replace(help, '\n', ' ');
  return help;
}

/// The flags that a command shows in its help.
std::vector<Candidate> candidateFlags(const CLI::App& parser) {
  std::vector<Candidate> flags;
  for (const auto* option : parser.get_options([](const auto* one) { return !one->get_group().empty(); })) {
    std::vector<std::string> names = option->get_lnames();
    names.insert(names.end(), option->get_fnames().begin(), option->get_fnames().end());
    std::ranges::sort(names);
    const auto repeated = std::ranges::unique(names);
    names.erase(repeated.begin(), repeated.end());
    for (const auto& name : names) flags.emplace_back("--" + name, shortHelp(option->get_description()));
  }
  return flags;
}

/// What may follow the words of a call; nothing where a file is expected.
///
/// @param isFlag  whether the word begins as a flag
std::vector<Candidate> candidatesAfter(const CLI::App& program, const std::vector<std::string>& words,
                                       bool isFlag) {
  const CLI::App* parser = &program;
  for (const auto& word : words) {
    const auto named = parser->get_subcommands([&](const auto* one) { return one->get_name() == word; });
    if (named.empty()) break;
    parser = named.front();
  }
  std::vector<Candidate> found;
  const auto add = [&](const std::vector<std::string>& values) {
    for (const auto& value : values) found.emplace_back(value, "");
  };
  const bool isAfterFlag = !words.empty() && words.back().starts_with("--");
  const auto* const flag = isAfterFlag ? parser->get_option_no_throw(words.back()) : nullptr;
  if (flag && flag->get_expected_max() > 0) {
    add(choicesOf(words, words.back().substr(2)));
    return found;
  }
  if (isFlag) return candidateFlags(*parser);
  for (const auto* sub : parser->get_subcommands({}))
    found.emplace_back(sub->get_name(), shortHelp(sub->get_description()));
  if (parser->get_name() == "completion") add({"bash", "zsh", "fish"});
  if (parser->get_name() == "bids" && words.size() > 2) add({"participant", "group"});
  return found;
}

}  // namespace

void printCandidates(const CLI::App& program, std::vector<std::string> words) {
  if (words.empty()) words.emplace_back();
  const std::string current = std::move(words.back());
  words.pop_back();
  for (const auto& [word, help] : candidatesAfter(program, words, current.starts_with('-')))
    if (word.starts_with(current)) std::cout << word << (help.empty() ? "" : "\t") << help << "\n";
}

Command addCompletion(CLI::App& program) {
  CLI::App* parser = program.add_subcommand(
      "completion", "Prints the script by which a shell completes commands and flags: bash, zsh or fish");
  auto shell = std::make_shared<std::string>();
  parser->add_option("SHELL", *shell, "bash, zsh or fish")
      ->required()
      ->check(oneOf("SHELL", {"bash", "zsh", "fish"}));
  return {parser, [shell](const CliContext&) {
            std::cout << kScripts.at(*shell);
            return exit_code::done;
          }};
}

}  // namespace sulcus::app::cli
