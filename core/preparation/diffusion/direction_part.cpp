#include "core/preparation/diffusion/direction_part.h"

#include "core/math/linear_algebra.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace sulcus::preparation {
namespace {

// Variances of a step of the walk and of the form, relative to the noise.
constexpr std::array kWalks{0.0, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0};
constexpr std::array kForms{0.0, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0, 300.0, 1000.0};
constexpr double kAnyMean = 1e4;    // variance of the unknown mean
constexpr double kLeastGain = 4;    // of the log likelihood: reached by chance once in 200 times
constexpr double kStillest = 1e-9;  // mean square of a parameter below which nothing moved

/// The largest log likelihood of a parameter so far, and the part that belongs to it.
struct BestFit {
  double logLikelihood = -std::numeric_limits<double>::infinity();
  double withoutForm = -std::numeric_limits<double>::infinity();
  Eigen::VectorXd part;
};

}  // namespace

Eigen::MatrixXd directionPart(std::span<const int> times, std::span<const Vec3<double>> directions,
                              const Eigen::MatrixXd& parameters) {
  const Eigen::Index n = parameters.rows();
  Eigen::MatrixXd walk(n, n), form(n, n);
  for (Eigen::Index i = 0; i < n; ++i)
    for (Eigen::Index j = 0; j < n; ++j) {
      walk(i, j) = std::min(times[i], times[j]) - times.front();
      const double cosine = dot(directions[i], directions[j]);
      form(i, j) = cosine * cosine - 1.0 / 3;
    }
  const Eigen::MatrixXd centered = parameters.rowwise() - parameters.colwise().mean();
  std::vector<BestFit> best(parameters.cols());
  for (const double ofWalk : kWalks)
    for (const double ofForm : kForms) {
      Eigen::MatrixXd covariance = ofWalk * walk + ofForm * form;
      covariance.array() += kAnyMean * std::max(1.0, ofWalk);
      covariance.diagonal().array() += 1;
      const Eigen::MatrixXd factor = choleskyFactor(covariance);
      const double logDeterminant = factor.diagonal().array().log().sum();
      const Eigen::MatrixXd whitened = solveLower(factor, centered);
      const Eigen::MatrixXd parts = ofForm * form * solveLowerTransposed(factor, whitened);
      for (Eigen::Index k = 0; k < parameters.cols(); ++k) {
        const double noise = std::max(kStillest, whitened.col(k).squaredNorm() / double(n));
        const double logLikelihood = -0.5 * double(n) * std::log(noise) - logDeterminant;
        BestFit& fit = best[k];
        if (ofForm == 0) fit.withoutForm = std::max(fit.withoutForm, logLikelihood);
        if (logLikelihood <= fit.logLikelihood) continue;
        fit.logLikelihood = logLikelihood;
        fit.part = parts.col(k);
      }
    }
  Eigen::MatrixXd result = Eigen::MatrixXd::Zero(n, parameters.cols());
  for (Eigen::Index k = 0; k < parameters.cols(); ++k) {
    const BestFit& fit = best[k];
    if (fit.logLikelihood - fit.withoutForm < kLeastGain) continue;
    result.col(k) = fit.part.array() - fit.part.mean();
  }
  return result;
}

}  // namespace sulcus::preparation
