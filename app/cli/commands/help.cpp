#include "app/cli/commands/help.h"

#include "app/cli/wrap.h"

namespace sulcus::app::cli {
namespace {

constexpr int kWidth = 100, kColumn = 30;

/// The type that an option shows, without the list of checks that CLI11 appends to it.
std::string typeName(const CLI::Option& option) {
  const std::string name = option.get_type_name();
  return name.substr(0, name.find(':'));
}

std::string row(const std::string& left, const std::string& right) {
  const std::string shown = "  " + left;
  const int gap = kColumn - displayWidth(shown);
  const std::string text = wrapped(right, kWidth - kColumn, kColumn);
  if (right.empty()) return shown + "\n";
  return shown + (gap > 1 ? std::string(std::size_t(gap), ' ') : "\n" + std::string(kColumn, ' ')) + text +
         "\n";
}

}  // namespace

std::string commandName(const CLI::App& parser) {
  const CLI::App* parent = parser.get_parent();
  return parent ? commandName(*parent) + " " + parser.get_name() : parser.get_name();
}

std::string HelpFormatter::make_help(const CLI::App* parser, std::string name,
                                     CLI::AppFormatMode mode) const {
  std::string help = CLI::Formatter::make_help(parser, std::move(name), mode);
  for (auto gap = help.find("\n\n\n"); gap != help.npos; gap = help.find("\n\n\n")) help.erase(gap, 1);
  while (help.ends_with("\n\n")) help.pop_back();
  return help;
}

std::string HelpFormatter::make_description(const CLI::App* parser) const {
  return wrapped(parser->get_description(), kWidth, 0) + "\n\n";
}

std::string HelpFormatter::make_usage(const CLI::App* parser, std::string) const {
  std::string usage = "Usage: " + commandName(*parser);
  for (const auto* option : parser->get_options()) {
    if (option->get_positional())
      usage += " " + option->get_name(true) + (option->get_expected_max() > 1 ? "..." : "");
    else if (option->get_required())
      usage += " " + option->get_name() + " " + typeName(*option);
  }
  usage += parser->get_subcommands({}).empty() ? " [flags]" : " COMMAND [flags]";
  return usage + "\n";
}

std::string HelpFormatter::make_option(const CLI::Option* option, bool positional) const {
  std::string left = positional ? option->get_name(true) : option->get_name(false, true);
  std::replace(left.begin(), left.end(), ',', ' ');
  if (const auto at = left.find("{false}"); at != left.npos) left.erase(at);  // CLI11's mark of a --no-… flag
  if (!positional && option->get_expected_max() > 0) left += " " + typeName(*option);
  return row(left, option->get_description());
}

std::string HelpFormatter::make_subcommand(const CLI::App* sub) const {
  return row(sub->get_name(), sub->get_description());
}

}  // namespace sulcus::app::cli
