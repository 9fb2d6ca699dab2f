#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sulcus::activation {

struct Design;

/// A contrast c'β, a weighted sum of coefficients.
struct Contrast {
  std::string name;             ///< unique, fit for file names
  std::vector<double> weights;  ///< c, one weight per regressor
};

/// Parses contrasts that are separated by ';', each with an optional name before ':'. A contrast is either k
/// weights separated by blanks or commas, or a sum of regressors: "0 1 0 0 0; faces-houses: 0 1 -1 0 0; 2
/// visual - auditory". A contrast without a name gets one made of its regressors; a single regressor keeps
/// its own name.
///
/// @throws Error (usage) when the number of weights is not k, all are 0, one is too large or too small, or a
///               regressor is unknown
std::vector<Contrast> parseContrasts(std::string_view text, const std::vector<std::string>& regressors);

/// A contrast for each regressor, under its own name, then the contrasts of `text` that are not among them.
std::vector<Contrast> allContrasts(std::string_view text, const std::vector<std::string>& regressors);

/// The same in the order in which maps are shown: the intercept, which is the first regressor, comes last.
std::vector<Contrast> shownContrasts(std::string_view text, const std::vector<std::string>& regressors);

/// Checks that allContrasts() can read `text` with the regressors of a design.
///
/// @throws Error (usage) as parseContrasts(); where `text` is of confounds it says that they are taken out
void checkContrasts(std::string_view text, const Design& design);

}  // namespace sulcus::activation
