#include "core/preparation/diffusion/eddy_response.h"

#include "core/math/linear_algebra.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace sulcus::preparation {
namespace {

constexpr std::array kVariances{0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0};  // of coefficients, mm²
constexpr double kSureOfResponse = 5;                                         // of the log likelihood
constexpr double kOfFit = 5;  // by this factor directions and motion add to what the fit leaves uncertain
constexpr double kClearlyOwn = 2;     // by this factor more than that a volume has terms of its own
constexpr double kLeastOwn = 0.2;     // mm
constexpr double kLeastNoise = 1e-4;  // variance of a term, mm²
constexpr double kAsMany = 12;        // volumes whose covariance the precision stands for
constexpr int kFewestOfShell = 12;    // volumes: forms and response have nine coefficients
constexpr Eigen::Index kAxes = 3, kCoefficients = kAxes * kEddyTerms;

/// A shell, without what is a quadratic form of the direction.
struct FormlessShell {
  Eigen::MatrixXd forms;     ///< orthonormal columns
  Eigen::MatrixXd response;  ///< of each volume to a unit gradient along each axis
  Eigen::MatrixXd values;    ///< a column for each term
  Eigen::Index freedom = 0;
};

/// A matrix without its components in the columns of an orthonormal one.
Eigen::MatrixXd without(const Eigen::MatrixXd& q, const Eigen::MatrixXd& values) {
  return values - q * (q.transpose() * values);
}

FormlessShell formless(const EddyShell& shell) {
  const auto n = std::ssize(shell.gradients);
  Eigen::MatrixXd gradients(n, 3), forms(n, 6);
  for (Eigen::Index i = 0; i < n; ++i) {
    const Vec3<double>&g = shell.gradients[i], &d = shell.directions[i];
    gradients.row(i) << g.x, g.y, g.z;
    forms.row(i) << 1, d.x * d.x - d.z * d.z, d.y * d.y - d.z * d.z, d.x * d.y, d.x * d.z, d.y * d.z;
  }
  const Eigen::MatrixXd q = thinQr(forms).q;
  FormlessShell result;
  result.forms = q;
  result.response = without(q, gradients - shell.others * gradients);
  result.values = without(q, shell.found - shell.others * shell.taken);
  result.freedom = n - forms.cols();
  return result;
}

/// The precision of the terms of a volume, from what the linear function leaves.
Eigen::MatrixXd precisionOf(const FormlessShell& shell, const Eigen::MatrixXd& relative) {
  const Eigen::MatrixXd own = solveLeastSquares(shell.response, shell.values).solution;
  const Eigen::MatrixXd left = shell.values - shell.response * own;
  const auto freedom = double(shell.freedom - kAxes);
  const double factor = (left * relative * left.transpose()).trace() / (freedom * kEddyTerms);
  const double all = freedom + kAsMany;
  Eigen::MatrixXd covariance = (left.transpose() * left + kAsMany * factor * inverse(relative)) / all;
  covariance.diagonal().array() += kLeastNoise;
  // The inverse of a sample covariance is larger than the precision, on average by this factor.
  return (all - kEddyTerms - 1) / all * inverse(covariance);
}

/// The equations of the coefficients; those of a term are together.
struct ResponseEquations {
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(kCoefficients, kCoefficients);
  Eigen::VectorXd right = Eigen::VectorXd::Zero(kCoefficients);

  void add(const FormlessShell& shell, const Eigen::MatrixXd& precision) {
    const Eigen::MatrixXd normal = shell.response.transpose() * shell.response;
    const Eigen::MatrixXd values = shell.response.transpose() * shell.values * precision;
    for (Eigen::Index k = 0; k < kEddyTerms; ++k) {
      right.segment(kAxes * k, kAxes) += values.col(k);
      for (Eigen::Index l = 0; l < kEddyTerms; ++l)
        matrix.block(kAxes * k, kAxes * l, kAxes, kAxes) += precision(k, l) * normal;
    }
  }
};

/// The terms of volumes beside the response, if they are far more than fit, directions and motion leave
/// uncertain; else 0.
///
/// @param response  of each volume
Eigen::MatrixXd ownTerms(const EddyShell& shell, const FormlessShell& part, const Eigen::MatrixXd& response) {
  const Eigen::MatrixXd left = part.values - without(part.forms, response - shell.others * response);
  const Eigen::MatrixXd covariance = left.transpose() * left / double(part.freedom - kAxes);
  const Eigen::MatrixXd uncertain = kOfFit * kOfFit * inverse(shell.precision);
  bool isClear = false;
  for (Eigen::Index k = 0; k < kLinearEddyTerms; ++k) {
    const double least = std::max(kLeastOwn, kClearlyOwn * std::sqrt(uncertain(k, k)));
    isClear = isClear || covariance(k, k) > least * least;
  }
  if (!isClear || !uncertain.allFinite()) return Eigen::MatrixXd::Zero(response.rows(), kEddyTerms);
  // In coordinates in which all that is uncertain is independent and of the same size, each is shrunk by its
  // own share.
  const Eigen::MatrixXd factor = choleskyFactor(uncertain);
  const Eigen::MatrixXd half = solveLower(factor, covariance).transpose();
  const SymmetricEigen axes = symmetricEigen(solveLower(factor, half));
  const Eigen::VectorXd kept = (1 - axes.values.array().inverse()).max(0);
  Eigen::MatrixXd found = (shell.found - response).transpose();
  found.colwise() -= Eigen::VectorXd(found.rowwise().mean());
  const Eigen::MatrixXd whitened = axes.vectors.transpose() * solveLower(factor, found);
  return (factor * axes.vectors * kept.asDiagonal() * whitened).transpose();
}

struct LikelyResponse {
  double logLikelihood = 0;  ///< more than that of none
  Eigen::VectorXd coefficients = Eigen::VectorXd::Zero(kCoefficients);
};

/// The response if the first coefficients have these variances and the others are 0.
LikelyResponse responseWith(const ResponseEquations& equations, const Eigen::VectorXd& variances) {
  const Eigen::Index n = variances.size();
  Eigen::MatrixXd posterior = equations.matrix.topLeftCorner(n, n);
  posterior.diagonal() += variances.cwiseInverse();
  const Eigen::VectorXd right = equations.right.head(n);
  LikelyResponse response;
  response.coefficients.head(n) = solvePositiveDefinite(posterior, right);
  response.logLikelihood = 0.5 * right.dot(response.coefficients.head(n)) -
                           choleskyFactor(posterior).diagonal().array().log().sum() -
                           0.5 * variances.array().log().sum();
  return response;
}

LikelyResponse likeliestResponse(const ResponseEquations& equations) {
  constexpr Eigen::Index kLinear = kAxes * kLinearEddyTerms;
  LikelyResponse linear, all;
  for (const double ofLinear : kVariances) {
    LikelyResponse one = responseWith(equations, Eigen::VectorXd::Constant(kLinear, ofLinear));
    if (one.logLikelihood > linear.logLikelihood) linear = std::move(one);
    for (const double ofQuadratic : kVariances) {
      Eigen::VectorXd variances = Eigen::VectorXd::Constant(kCoefficients, ofQuadratic);
      variances.head(kLinear).setConstant(ofLinear);
      one = responseWith(equations, variances);
      if (one.logLikelihood > all.logLikelihood) all = std::move(one);
    }
  }
  if (linear.logLikelihood < kSureOfResponse) linear = {};
  return all.logLikelihood < linear.logLikelihood + kSureOfResponse ? linear : all;
}

}  // namespace

std::vector<Eigen::MatrixXd> eddyResponse(std::span<const EddyShell> shells) {
  ResponseEquations equations;
  std::vector<FormlessShell> parts(shells.size());
  for (std::size_t s = 0; s < shells.size(); ++s) {
    const EddyShell& shell = shells[s];
    if (int(shell.gradients.size()) < kFewestOfShell) continue;
    const FormlessShell& part = parts[s] = formless(shell);
    const Eigen::MatrixXd precision = precisionOf(part, shell.precision);
    if (precision.allFinite()) equations.add(part, precision);
  }
  const LikelyResponse response = likeliestResponse(equations);
  const auto perTerm = response.coefficients.reshaped(kAxes, kEddyTerms);
  std::vector<Eigen::MatrixXd> result;
  for (std::size_t s = 0; s < shells.size(); ++s) {
    const EddyShell& shell = shells[s];
    Eigen::MatrixXd terms(std::ssize(shell.gradients), kEddyTerms);
    for (Eigen::Index i = 0; i < terms.rows(); ++i) {
      const Vec3<double>& g = shell.gradients[i];
      terms.row(i) = Eigen::RowVector3d(g.x, g.y, g.z) * perTerm;
    }
    if (int(shell.gradients.size()) >= kFewestOfShell) terms += ownTerms(shell, parts[s], terms);
    result.push_back(std::move(terms));
  }
  return result;
}

}  // namespace sulcus::preparation
