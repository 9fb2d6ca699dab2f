#pragma once

#include "core/activation/activation.h"
#include "tests/bench/papers/exhibit.h"

#include <filesystem>

// The two data sets of Ferreira da Silva (2010), and their replacements.

namespace sulcus::bench {

struct PaperScan {
  std::string name;  ///< its description for titles
  bool real = false;
  activation::ActivationInput input;
  activation::ActivationOptions options;      ///< those of the paper
  std::size_t visual = 1, auditory = 1;       ///< columns of the design
  std::shared_ptr<const Series<float>> beta;  ///< the true effects if the series was simulated, NaN outside
};

/// Slice 3 of the audio-visual scan `fmri`; a slice of the activation phantom if it is missing.
PaperScan audioVisualScan(const PapersOptions& options);

/// Slice 21 of a series over the mask, the tissue maps and the design of `swrfM`, simulated from known Δ, V_β
/// and σ²; a slice of the activation phantom if these are missing.
PaperScan simulatedAuditoryScan(const PapersOptions& options);

}  // namespace sulcus::bench
