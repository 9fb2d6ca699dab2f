#pragma once

#include "core/analysis/analysis.h"

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace sulcus {

/// The slot of a diffusion series, whose gradients the command line takes by separate flags.
inline constexpr const char* kDiffusionSlot = "dwi";

/// A file of gradients, and the flag that gives it.
struct GradientFlag {
  std::string flag;  ///< "bval" and "bvec", or "grad"
  std::string file;
  FileStamp stamp;  ///< of the file when it was read
};
/// The files of the diffusion series' gradients; none if they are not from such files.
std::vector<GradientFlag> gradientFlags(const AnalysisInputs& inputs);

/// The flag that changes the axes of the diffusion series' gradients, and its value ("-x y z"); "" if they
/// are unchanged.
inline constexpr const char* kGradientAxes = "gradient-axes";
std::string gradientAxes(const AnalysisInputs& inputs);
/// Whether the content of a layer can be reproduced from its file on the command line: only gradientAxes()
/// may differ.
bool isAsInItsFile(const Layer& layer);
/// The file of a layer, or the name that it would be saved as if it has none.
std::string fileOf(const Layer& layer);

/// The sulcus-cli call of a run, with the options that differ from their defaults; layers without a file
/// appear under the name they would be saved as.
///
/// @param backend  "cpu", "gpu" or "both"
std::string commandLine(const Analysis& analysis, const AnalysisInputs& inputs, const OptionValues& values,
                        const std::string& backend);

/// The sulcus-cli call that runs an analysis on every scan of a study in BIDS, with the options that differ
/// from their defaults; results are written to its derivatives.
std::string studyCommandLine(const Analysis& analysis, const OptionValues& values,
                             const std::filesystem::path& study);

/// `word` quoted so that a POSIX shell takes it literally.
std::string shellQuoted(const std::string& word);

}  // namespace sulcus
