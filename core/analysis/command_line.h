#pragma once

#include "core/analysis/analysis.h"

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace sulcus {

/// The slot of a diffusion series: the command line takes its gradients by flags of their own.
inline constexpr const char* kDiffusionSlot = "dwi";

/// A file of gradients, and the flag that gives it.
struct GradientFlag {
  std::string flag;  ///< "bval" and "bvec", or "grad"
  std::string file;
  FileStamp stamp;  ///< of it when it was read
};
/// Those of the diffusion series; none where its gradients are not from such files.
std::vector<GradientFlag> gradientFlags(const AnalysisInputs& inputs);

/// The flag of the axes that are changed for the gradients of the diffusion series, and what they are changed
/// to ("-x y z"); "" where they are as their files say.
inline constexpr const char* kGradientAxes = "gradient-axes";
std::string gradientAxes(const AnalysisInputs& inputs);
/// Whether the command line finds the content of a layer in its file: gradientAxes() at most is changed.
bool isAsInItsFile(const Layer& layer);
/// The file that holds a layer, or the name that it would be saved as where none does.
std::string fileOf(const Layer& layer);

/// The sulcus-cli call of a run, with the parameters that differ from their defaults; layers without a file
/// appear under the name they would be saved as.
///
/// @param backend  "cpu", "gpu" or "both"
std::string commandLine(const Analysis& analysis, const AnalysisInputs& inputs, const OptionValues& values,
                        const std::string& backend);

/// The sulcus-cli call that runs an analysis on every scan of a study in BIDS, with the parameters that
/// differ from their defaults; results go among its derivatives.
std::string studyCommandLine(const Analysis& analysis, const OptionValues& values,
                             const std::filesystem::path& study);

/// `word` as a POSIX shell takes it literally.
std::string shellQuoted(const std::string& word);

}  // namespace sulcus
