#pragma once

#include "app/cli/cli_context.h"
#include "core/analysis/analysis.h"
#include "core/registration/population/population_template.h"

#include <functional>
#include <string>
#include <vector>

namespace sulcus::app::cli {

/// A template that is made of files, and where its files go.
struct TemplateCall {
  std::vector<std::string> images;  ///< one of each person
  std::vector<std::string> labels;  ///< of each image, or none
  std::vector<std::string> names;   ///< of the people
  std::string out;
  std::string folder;   ///< below `out`, of all but the files of people; "": `out` itself
  OptionValues values;  ///< of PopulationOptions
  Backend backend = Backend::cpu;
  int threads = 0;
  bool overwrite = false;
  /// The file of a person's warped, logjac or displacement, without its ending, below `out`.
  std::function<std::string(const std::string& name, const std::string& kind)> personFile;
  std::vector<std::string> personFiles;  ///< all such names, as StagedFiles::results() takes them
};

/// Makes the template and writes it. What is known meanwhile lies in OUT.unfinished, from which the same call
/// goes on. Throws Error, Cancelled.
registration::PopulationTemplate makeTemplateFiles(const TemplateCall& call, const CliContext& session);

}  // namespace sulcus::app::cli
