#include "core/activation/sampler/beta_from_gamma.h"

#include "core/activation/sampler/gibbs_plan.h"
#include "core/math/linear_algebra.h"

namespace sulcus::activation {

Eigen::MatrixXd betaFromGamma(const GibbsProblem& problem) {
  const Eigen::MatrixXd identity = Eigen::MatrixXd::Identity(problem.regressors, problem.regressors);
  return solveLowerTransposed(problem.factor, identity);
}

void drawInBeta(const Eigen::MatrixXd& toBeta, int q, const double* delta, const double* variance,
                double* deltaOut, double* varianceOut) {
  const Eigen::Index k = toBeta.rows();
  const Eigen::Map<const RowMajor> inGamma(delta, q, k), v(variance, k, k);
  Eigen::Map<Eigen::MatrixXd>(deltaOut, q, k) = inGamma * toBeta.transpose();
  Eigen::Map<Eigen::MatrixXd>(varianceOut, k, k) = toBeta * v * toBeta.transpose();
}

}  // namespace sulcus::activation
