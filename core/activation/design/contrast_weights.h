#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sulcus::activation {

struct Regressors;

/// The name of a contrast, if any, and its weights, k numbers.
struct NamedWeights {
  std::string_view name;
  std::vector<double> weights;
};

/// Thrown for a readable contrast that has no map, with the reason.
struct NotEstimable {
  std::string why;
};

/// Reads `name: weights`. Names of contrasts and regressors may contain colons: the separator is the first
/// one after which everything can be parsed.
///
/// @throws Error (usage) as parseContrasts(); NotEstimable
NamedWeights namedWeights(std::string_view part, const Regressors& regressors);

}  // namespace sulcus::activation
