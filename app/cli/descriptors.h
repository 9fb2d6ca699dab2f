#pragma once

#include "app/cli/parser.h"
#include "core/analysis/analysis.h"

#include <string>
#include <vector>

// Descriptions of commands for other programs, generated from the same data as flags and help.
namespace sulcus::app::cli {

/// The options that control how an analysis is run: backend, device, threads.
std::vector<OptionInfo> runOptions();

/// The command of an analysis as a Boutiques descriptor (schema 0.5), for nipype, pydra and NiWrap.
std::string boutiquesText(const Analysis& analysis);

/// The command of an analysis as an XML description of the Slicer execution model, for a panel in 3D Slicer.
std::string slicerText(const Analysis& analysis);

/// Adds --boutiques and --xml, which print and end the program.
void addDescriptorFlags(CLI::App& parser, const Analysis& analysis);

}  // namespace sulcus::app::cli
