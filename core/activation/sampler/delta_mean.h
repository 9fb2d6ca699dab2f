#pragma once

#include "core/activation/sampler/gibbs.h"

#include <string>

#include <Eigen/Core>

namespace sulcus::activation {

/// Parses Δ̄: a row of numbers for each covariate, rows separated by ';', one number for each regressor.
/// Omitted rows are 0. Empty for a text without numbers.
///
/// @param covariates, regressors  q and k, the numbers of rows and columns of the result
/// @throws Error  (usage) for a wrong number of rows or numbers, and for anything but finite numbers
Eigen::MatrixXd deltaMeanFrom(const std::string& text, int covariates, int regressors);

/// Draws as `sample` does, but with Δ̄ in place of 0 as the prior mean of Δ: β − Δ̄'z, which follows the same
/// model around 0, is drawn, and Δ̄ is added to the result.
///
/// @param mean  Δ̄, q × k, of β; empty: 0
GibbsResult sampleAround(const Eigen::MatrixXd& mean, SampleGibbs& sample, const GibbsProblem& problem,
                         const GibbsOptions& options, const GibbsPreview& preview, const Progress& progress);

}  // namespace sulcus::activation
