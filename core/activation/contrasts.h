#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sulcus {

/// A weighted sum c'β of coefficients.
struct Contrast {
  std::string name;             ///< unique, fit for file names
  std::vector<double> weights;  ///< k
};

/// Contrasts parted by ';', each with an optional name before ':'. Either k weights, parted by blanks or
/// commas, or a sum of regressors: "0 1 0 0 0; faces-houses: 0 1 -1 0 0; 2 visual - auditory".
/// Without a name one is made of the regressors; that of one regressor alone is its own.
/// Throws Error (usage) when the number of weights is not k, all are 0, one is too large or small, or a name
/// is unknown.
std::vector<Contrast> parseContrasts(std::string_view text, const std::vector<std::string>& regressors);

/// Each regressor by itself, under its own name, then those of `text` that are not among them.
std::vector<Contrast> allContrasts(std::string_view text, const std::vector<std::string>& regressors);

}  // namespace sulcus
