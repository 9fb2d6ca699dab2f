#pragma once

#include "app/cli/parser.h"
#include "core/analysis/analysis.h"

#include <string>
#include <vector>

// What other programs want to know of a command, made from what its flags and help are made of.
namespace sulcus::app::cli {

/// How an analysis is run, as options: backend, device, threads.
std::vector<OptionInfo> runOptions();

/// The command of an analysis as a Boutiques descriptor (schema 0.5), for nipype, pydra and NiWrap.
std::string boutiquesText(const Analysis& analysis);

/// The command of an analysis as an XML description of the Slicer execution model, for a panel in 3D Slicer.
std::string slicerText(const Analysis& analysis);

/// The script by which a shell completes commands, flags and their values.
///
/// @param shell  "bash", "zsh" or "fish"
std::string completionText(const std::string& shell, const CLI::App& program);

/// Adds --boutiques and --xml, which print and end the program.
void addDescriptorFlags(CLI::App& parser, const Analysis& analysis);

}  // namespace sulcus::app::cli
