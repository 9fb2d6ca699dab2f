#pragma once

#include "app/cli/parser.h"
#include "app/cli/scan.h"
#include "core/analysis/analysis.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

// The files of an analysis on the command line.
namespace sulcus::app::cli {

/// The files given for the input slots of an analysis.
struct InputFiles {
  std::map<std::string, std::vector<std::string>> bySlot;  ///< in order
  GradientFiles gradients;

  std::size_t count() const;
};

/// Adds one flag for each of `slots`; one that takes several layers may have several files, or be repeated.
std::shared_ptr<InputFiles> addInputFlags(CLI::App& parser, const std::vector<InputSlot>& slots);

/// Opens the file as the kind that `slot` accepts: a table, or a scan.
Layer openInput(const InputSlot& slot, const std::filesystem::path& file, const Progress& progress);

/// Opens them all.
AnalysisInputs openInputs(const std::vector<InputSlot>& slots, const InputFiles& files,
                          const Progress& progress);

}  // namespace sulcus::app::cli
