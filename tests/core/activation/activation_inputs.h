#pragma once

#include "core/activation/activation.h"
#include "core/phantom/activation_phantom.h"
#include "tests/support/for_each_seed.h"

#include <cmath>
#include <memory>
#include <numbers>

// Small inputs with known truth, and their results, shared by several tests.

namespace sulcus::test {

/// A standard normal number.
inline double normal(Rng& rng) {
  return std::sqrt(-2 * std::log(rng.uniform(1e-12, 1))) * std::cos(2 * std::numbers::pi * rng.uniform());
}

inline const phantom::ActivationPhantom& modelPhantom() {
  static const phantom::ActivationPhantom phantom = [] {
    phantom::ActivationPhantomOptions options;
    options.pattern = phantom::ActivationPhantomOptions::Pattern::model;
    return phantom::makeActivationPhantom(options);
  }();
  return phantom;
}

inline activation::ActivationInput inputOf(const phantom::ActivationPhantom& phantom) {
  activation::ActivationInput input;
  input.bold = phantom.bold, input.mask = phantom.mask, input.design = phantom.design;
  input.tissue = phantom.tissue, input.tissueNames = phantom.tissueNames;
  return input;
}

/// Options for the phantom's series, with enough draws for an accuracy of a percent.
inline activation::ActivationOptions phantomOptions() {
  activation::ActivationOptions options;
  options.fdr = 0;
  options.response = activation::Response::raw;
  options.covariance = activation::Covariance::full;  // like the phantom's
  options.draws = 1500, options.thinning = 2;
  return options;
}

inline std::shared_ptr<const activation::ActivationResult> phantomResult() {
  static const auto result = std::make_shared<const activation::ActivationResult>(
      activation::analyzeActivation(inputOf(modelPhantom()), phantomOptions(), {}));
  return result;
}

/// An input of `size` voxels with a design of a constant and `regressors` − 1 waves, random β and noise, and
/// mean 100.
inline activation::ActivationInput wavesInput(Vec3<int> size, int scans, int regressors,
                                              std::uint64_t seed = 1) {
  Rng rng(seed);
  Grid grid;
  grid.size = size;
  auto bold = std::make_shared<Series<float>>(grid, scans);
  activation::ActivationInput input;
  input.design.matrix.resize(scans, regressors);
  input.design.confounds.resize(scans, 0);
  for (int j = 0; j < regressors; ++j) {
    input.design.names.push_back(j == 0 ? "intercept" : "wave" + std::to_string(j));
    for (int t = 0; t < scans; ++t)
      input.design.matrix(t, j) = j == 0 ? 1 : std::sin(0.35 * j * t + j) + 0.2 * normal(rng);
  }
  for (std::int64_t i = 0; i < grid.voxels(); ++i) {
    Eigen::VectorXd beta(regressors);
    for (int j = 0; j < regressors; ++j) beta(j) = (j == 0 ? 100 : 0) + normal(rng);
    const double sd = std::exp(0.3 * normal(rng));
    for (int t = 0; t < scans; ++t)
      bold->at(i, t) = float(input.design.matrix.row(t).dot(beta) + sd * normal(rng));
  }
  input.bold = bold;
  input.mask = std::make_shared<const Mask>(grid, std::uint8_t(1));
  return input;
}

inline activation::ActivationOptions optionsWith(activation::Response response, int draws = 200) {
  activation::ActivationOptions options;
  options.fdr = 0;
  options.response = response, options.draws = draws, options.thinning = 1;
  return options;
}

}  // namespace sulcus::test
