#pragma once

#include "core/activation/sampler/gibbs.h"

#include <string>

#include <Eigen/Core>

namespace sulcus::activation {

/// Δ̄ from its text: a row of numbers for each covariate, rows separated by ';', one number for each
/// regressor. Rows that are left out are 0. Empty for a text without numbers.
///
/// @param covariates, regressors  q and k, of the result's rows and columns
/// @throws Error of usage  for another number of rows or numbers, and for what is no finite number
Eigen::MatrixXd deltaMeanFrom(const std::string& text, int covariates, int regressors);

/// Draws as `sample` does, but with Δ̄ in place of 0 as the prior mean of Δ: β − Δ̄'z follows the same model
/// around 0, so that is what is drawn, and Δ̄ is added to what comes back.
///
/// @param mean  Δ̄, q × k, of β; empty: 0
GibbsResult sampleAround(const Eigen::MatrixXd& mean, SampleGibbs& sample, const GibbsProblem& problem,
                         const GibbsOptions& options, const GibbsPreview& preview, const Progress& progress);

}  // namespace sulcus::activation
