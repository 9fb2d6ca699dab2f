#pragma once

#include "core/analysis/analysis.h"

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace sulcus::app::cli {

/// A template made from files, which are opened one after another and never all at once.
struct TemplateFiles {
  std::vector<std::string> images;  ///< one for each person
  std::vector<std::string> labels;  ///< one for each image, or none
  std::vector<std::string> names;   ///< of the people
  OptionValues values;              ///< of PopulationOptions
  Backend backend = Backend::cpu;
  std::filesystem::path unfinished;  ///< the folder of intermediate states, from which the same call resumes
  /// The staged file of a person's logjac, warped or displacement; empty if it is not wanted.
  std::function<std::filesystem::path(const std::string& name, const std::string& kind)> fileOf;
  std::function<void(Provenance&)> complete;  ///< adds what the caller knows: the command line
  Analysis::Preview preview;                  ///< may be empty
};

/// Makes the template and writes the files of each person; returns the rest. Throws Error, Cancelled.
RunResult makeTemplateOf(const TemplateFiles& files, const Progress& progress);

}  // namespace sulcus::app::cli
