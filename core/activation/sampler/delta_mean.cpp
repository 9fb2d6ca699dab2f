#include "core/activation/sampler/delta_mean.h"

#include "core/base/error.h"
#include "core/base/numbers.h"
#include "core/base/sentence.h"

#include <algorithm>
#include <cmath>
#include <sstream>

namespace sulcus::activation {
namespace {

/// `numbers` (k, M) += sign · Δ̄γ'z, the prior mean of γ in each voxel.
void addPriorMeans(const GibbsProblem& problem, const Eigen::MatrixXd& meanOfGamma, double sign,
                   std::vector<float>& numbers) {
  const auto m = std::size_t(problem.voxels);
  for (int j = 0; j < problem.regressors; ++j)
    for (std::size_t i = 0; i < m; ++i) {
      double sum = 0;
      for (int c = 0; c < problem.covariates; ++c) sum += meanOfGamma(c, j) * problem.z[c * m + i];
      float& number = numbers[j * m + i];
      number = float(number + sign * sum);
    }
}

}  // namespace

Eigen::MatrixXd deltaMeanFrom(const std::string& text, int covariates, int regressors) {
  const auto refuse = [&](const std::string& why) {
    throw Error("The prior mean of Δ '" + text + "' cannot be read", why,
                sulcus::text("give ", regressors,
                             " numbers, one for each regressor, and where there are covariates "
                             "up to ",
                             covariates, " such rows, separated by ;"),
                ErrorKind::usage);
  };
  Eigen::MatrixXd mean = Eigen::MatrixXd::Zero(covariates, regressors);
  std::string parted = text;
  std::replace(parted.begin(), parted.end(), ',', ' ');
  std::istringstream rows(parted);
  int count = 0;
  bool any = false;
  for (std::string row; std::getline(rows, row, ';'); ++count) {
    std::istringstream words(row);
    int column = 0;
    for (std::string word; words >> word; ++column) {
      const auto number = numberIn(word);
      if (!number || !std::isfinite(*number)) refuse("'" + word + "' is not a number");
      if (count >= covariates) refuse(sulcus::text("it has more than ", covariates, " rows"));
      if (column >= regressors) refuse(sulcus::text("a row has more than ", regressors, " numbers"));
      mean(count, column) = *number;
      any = true;
    }
    if (column > 0 && column < regressors) refuse(sulcus::text("a row has ", column, " numbers"));
  }
  return any ? mean : Eigen::MatrixXd();
}

GibbsResult sampleAround(const Eigen::MatrixXd& mean, SampleGibbs& sample, const GibbsProblem& problem,
                         const GibbsOptions& options, const GibbsPreview& preview, const Progress& progress) {
  if (mean.size() == 0) return sample(problem, options, preview, progress);
  const Eigen::MatrixXd meanOfGamma = mean * problem.factor;  // q × k
  GibbsProblem around = problem;
  addPriorMeans(problem, meanOfGamma, -1, around.estimate);
  GibbsPreview shifted;
  if (preview)
    shifted = [&](const GibbsMoments& moments, double done) {
      GibbsMoments moved = moments;
      addPriorMeans(problem, meanOfGamma, 1, moved.mean);
      preview(moved, done);
    };
  GibbsResult result = sample(around, options, shifted, progress);
  addPriorMeans(problem, meanOfGamma, 1, result.moments.mean);
  const int k = problem.regressors, q = problem.covariates;
  const HyperLayout layout{k, q};
  for (std::size_t at = 0; at < result.hyper.size(); at += std::size_t(layout.size())) {
    float* const draw = result.hyper.data() + at;
    for (int j = 0; j < k; ++j)
      for (int c = 0; c < q; ++c) {
        double sum = 0;
        for (int i = 0; i < k; ++i) sum += double(draw[layout.axes() + i * k + j]) * meanOfGamma(c, i);
        float& entry = draw[layout.means() + j * q + c];
        entry = float(entry + sum);
      }
  }
  for (std::size_t i = 0; i < result.delta.size(); ++i) {
    const int at = int(i % std::size_t(q * k));
    result.delta[i] += mean(at % q, at / q);
  }
  return result;
}

}  // namespace sulcus::activation
