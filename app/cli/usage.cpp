#include "app/cli/usage.h"

#include "app/cli/commands/help.h"
#include "core/base/options.h"
#include "core/base/sanitized.h"
#include "core/base/sentence.h"

#include <algorithm>
#include <filesystem>
#include <limits>
#include <system_error>

#include <CLI/CLI.hpp>

namespace sulcus::app::cli {
namespace {

/// How many letters have to be inserted, removed, replaced or swapped with the next to change one word into
/// the other.
std::size_t editDistance(const std::string& a, const std::string& b) {
  std::vector<std::vector<std::size_t>> changes(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i)
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        changes[i][j] = i + j;
        continue;
      }
      const bool same = a[i - 1] == b[j - 1];
      changes[i][j] = std::min({changes[i - 1][j] + 1, changes[i][j - 1] + 1, changes[i - 1][j - 1] + !same});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        changes[i][j] = std::min(changes[i][j], changes[i - 2][j - 2] + 1);
    }
  return changes[a.size()][b.size()];
}

std::vector<std::string> flagsOf(const CLI::App& parser) {
  std::vector<std::string> flags;
  for (const auto* option : parser.get_options()) {
    for (const auto& name : option->get_lnames()) flags.push_back("--" + name);
    for (const auto& name : option->get_fnames()) flags.push_back("--" + name);
  }
  return flags;
}

std::vector<std::string> commandsOf(const CLI::App& parser) {
  std::vector<std::string> names;
  for (const auto* sub : parser.get_subcommands({})) names.push_back(sub->get_name());
  return names;
}

std::string knows(const CLI::App& parser, const std::vector<std::string>& commands) {
  std::string text = commandName(parser) + " knows ";
  for (const auto& name : commands) text += (name == commands.front() ? "" : ", ") + name;
  return text;
}

/// `word` was given to `parser`, which has nothing of that name.
Error unknownWord(const CLI::App& parser, const std::string& given) {
  const bool flag = given.starts_with('-');
  const std::string word = flag ? given.substr(0, given.find('=')) : given;
  const auto names = flag ? flagsOf(parser) : commandsOf(parser);
  const std::string nearest = nearestName(word, names), help = "see " + commandName(parser) + " --help";
  const std::string advice = nearest.empty() ? help : "did you mean " + nearest + "? Else " + help;
  const std::string shown = inQuotes(word);
  if (!flag && !names.empty())
    return Error("Unknown command " + shown, knows(parser, names), advice, ErrorKind::usage);
  std::error_code none;
  if (!flag && given.find(' ') != given.npos &&
      !std::filesystem::exists(given, none))  // numbers, as of a contrast
    return Error("Unknown argument " + shown, "each value follows a flag of its own",
                 "write the flag again before it; see " + commandName(parser) + " --help", ErrorKind::usage);
  for (const auto* option : parser.get_options())
    if (!flag && option->get_group() == "Inputs")
      return Error("Unknown argument " + shown, "a file follows the flag of its input",
                   "give it as " + option->get_name() + " " + given + ", for example; see " +
                       commandName(parser) + " --help",
                   ErrorKind::usage);
  return Error("Unknown argument " + shown, commandName(parser) + " has nothing of that name", advice,
               ErrorKind::usage);
}

CLI::Validator checkedAs(OptionInfo info, OptionValue type) {
  info.defaultValue = std::move(type);
  return CLI::Validator(
      [info = std::move(info)](const std::string& text) {
        parseOption(info, text);
        return std::string();
      },
      "");
}

}  // namespace

const CLI::App* innermostOf(const CLI::App& program) {
  const CLI::App* parser = &program;
  for (auto inner = parser->get_subcommands(); !inner.empty(); inner = parser->get_subcommands())
    parser = inner.front();
  return parser;
}

std::string nearestName(const std::string& word, const std::vector<std::string>& names) {
  std::string nearest;
  std::size_t fewest = word.size() / 3 + 1;  // with more changes it is a different word
  for (const auto& name : names) {
    if (name.size() > 2 * word.size() || word.size() > 2 * name.size()) continue;
    const std::size_t changes = editDistance(word, name);
    if (changes < fewest) {
      nearest = name;
      fewest = changes;
    }
  }
  return nearest;
}

Error usageError(const CLI::App& program, const CLI::ParseError& fault) {
  const CLI::App* parser = innermostOf(program);
  for (const CLI::App* one = &program;; one = one->get_subcommands().front()) {
    if (const auto extras = one->remaining(); !extras.empty()) return unknownWord(*one, extras.front());
    if (one == parser) break;
  }
  const auto commands = commandsOf(*parser);
  const auto inputs =
      parser->get_options([](const CLI::Option* one) { return one->get_group() == "Inputs"; });
  const auto isGiven = [](const CLI::Option* one) { return one->count() > 0; };
  const auto isMissing = [&](const CLI::Option* one) {
    return fault.get_name() == "RequiredError" &&
           std::string(fault.what()).starts_with(one->get_name() + ' ');
  };
  std::string why = commands.empty() ? "the command cannot be executed" : knows(*parser, commands);
  if (!inputs.empty() && fault.get_name() == "RequiredError" && std::ranges::none_of(inputs, isGiven) &&
      std::ranges::none_of(inputs, isMissing))
    why = "no input is given either";
  return Error(sanitizedForDisplay(fault.what(), 200), why, "see " + commandName(*parser) + " --help",
               ErrorKind::usage);
}

CLI::Validator oneOf(const std::string& what, const std::vector<std::string>& names) {
  return CLI::Validator(
      [what, names](const std::string& text) {
        if (std::find(names.begin(), names.end(), text) != names.end()) return std::string();
        throw Error(what + " cannot be " + inQuotes(text), "it is one of " + joined(names, ", "),
                    "give one of them", ErrorKind::usage);
      },
      "");
}

CLI::Validator wholeNumber(const std::string& flag, double minimum, double maximum) {
  return checkedAs(numberOption(flag, "it", "", {minimum, maximum, 1}, ""), std::int64_t(0));
}

CLI::Validator realNumber(const std::string& flag, double minimum, double maximum, const std::string& unit) {
  return checkedAs(numberOption(flag, "it", unit, {minimum, maximum, 0}, ""), 0.0);
}

CLI::Validator notNegative(const std::string& flag) {
  return realNumber(flag, 0, std::numeric_limits<double>::infinity());
}

}  // namespace sulcus::app::cli
