#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sulcus::activation {

struct Regressors;

/// The name given to a contrast, if any, and what it weighs, k numbers.
struct NamedWeights {
  std::string_view name;
  std::vector<double> weights;
};

/// Says why a contrast has no map although it can be read.
struct NotEstimable {
  std::string why;
};

/// Reads `name: weights`. A colon may stand in the names of contrast and regressors: the first one behind
/// which everything can be read parts them.
///
/// @throws Error (usage) as parseContrasts(); NotEstimable
NamedWeights namedWeights(std::string_view part, const Regressors& regressors);

}  // namespace sulcus::activation
