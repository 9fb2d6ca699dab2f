#pragma once

#include <string>

#include <CLI/CLI.hpp>

namespace sulcus::app::cli {

/// "sulcus-cli phantom fibers"
std::string commandName(const CLI::App& parser);

/// Help texts 100 characters wide: flags in one column, descriptions in the other.
class HelpFormatter : public CLI::Formatter {
 public:
  std::string make_help(const CLI::App* parser, std::string name, CLI::AppFormatMode mode) const override;
  std::string make_usage(const CLI::App* parser, std::string name) const override;
  std::string make_option(const CLI::Option* option, bool positional) const override;
  std::string make_subcommand(const CLI::App* sub) const override;
  std::string make_description(const CLI::App* parser) const override;
};

}  // namespace sulcus::app::cli
