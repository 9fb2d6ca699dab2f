#pragma once

#include "core/analysis/analysis.h"

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace sulcus::app::cli {

/// A template that is made of files, which are opened one after the other and never all at once.
struct TemplateFiles {
  std::vector<std::string> images;  ///< one of each person
  std::vector<std::string> labels;  ///< of each image, or none
  std::vector<std::string> names;   ///< of the people
  OptionValues values;              ///< of PopulationOptions
  Backend backend = Backend::cpu;
  std::filesystem::path unfinished;  ///< the folder of what is known meanwhile, from which the same goes on
  /// The staged file of a person's logjac, warped or displacement; empty where it is not wanted.
  std::function<std::filesystem::path(const std::string& name, const std::string& kind)> fileOf;
  std::function<void(Provenance&)> complete;  ///< adds what the caller knows: the command line
  Analysis::Preview preview;                  ///< may be empty
};

/// Makes the template and writes what is of one person each; the rest is given back. Throws Error, Cancelled.
RunResult makeTemplateOf(const TemplateFiles& files, const Progress& progress);

}  // namespace sulcus::app::cli
