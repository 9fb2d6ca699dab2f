#include "core/activation/design/design.h"
#include "core/activation/design/names.h"
#include "core/base/error.h"
#include "core/image/grids/value_check.h"

#include <algorithm>
#include <cmath>

#include <Eigen/QR>

namespace sulcus::activation {
namespace {

constexpr double kSmallest =
    1e-15;  // smallest norm of a centered column; squares of its coefficients fit into float32

/// The names of the regressors of which the column after the first `rank` pivots is a linear combination.
std::vector<std::string> combinedRegressors(const Eigen::ColPivHouseholderQR<Eigen::MatrixXd>& qr,
                                            Eigen::Index rank, const std::vector<std::string>& names) {
  constexpr double kShare = 1e-4;  // relative to the largest weight; smaller ones are rounding errors
  const Eigen::VectorXd weights = qr.matrixR()
                                      .topLeftCorner(rank, rank)
                                      .triangularView<Eigen::Upper>()
                                      .solve(qr.matrixR().block(0, rank, rank, 1));
  std::vector<std::string> partners;
  for (Eigen::Index i = 0; i < rank; ++i)
    if (std::abs(weights[i]) > kShare * weights.cwiseAbs().maxCoeff())
      partners.push_back("'" + names[qr.colsPermutation().indices()[i]] + "'");
  return partners;
}

/// All columns after the intercept, centered and scaled to length 1, n × (k + r − 1).
/// @throws Error for a constant regressor
Eigen::MatrixXd centeredColumns(const Design& design) {
  const std::vector<std::string> names = design.allNames();
  const Eigen::MatrixXd all = design.allColumns();
  Eigen::MatrixXd columns = all.rightCols(all.cols() - 1);
  for (Eigen::Index c = 0; c < columns.cols(); ++c) {
    const std::string& name = names[c + 1];
    const double size = columns.col(c).norm();
    columns.col(c).array() -= columns.col(c).mean();
    const double spread = columns.col(c).norm();
    if (!(spread > std::max(kConstantColumn * size, kSmallest)))
      throw Error("The regressor '" + name + "' is constant",
                  size > kSmallest
                      ? "it varies only by rounding and cannot be distinguished from the intercept"
                      : "it is 0 in every scan, or hardly more",
                  "remove that column or subtract its mean, or the events that lie outside the run");
    columns.col(c) /= spread;
  }
  return columns;
}

}  // namespace

void checkDesign(const Design& design, int scans) {
  const Eigen::MatrixXd x = design.allColumns();
  const std::vector<std::string> all = design.allNames();
  if (x.rows() != scans)
    throw Error("The design has " + std::to_string(x.rows()) + " rows",
                "the scan has " + std::to_string(scans) + (scans == 1 ? " volume" : " volumes"),
                "give one row per volume");
  for (Eigen::Index c = 0; c < x.cols(); ++c)
    for (Eigen::Index row = 0; row < x.rows(); ++row)
      if (!(std::abs(x(row, c)) <= kLargestValue))
        throw Error(
            "The regressor '" + all[c] + "' is not finite or too large in scan " + std::to_string(row + 1),
            "no signal can be expected there", "correct that number");
  if (x.cols() >= x.rows())
    throw Error("The design has " + std::to_string(x.cols()) + " regressors for " + std::to_string(x.rows()) +
                    " scans",
                "no degrees of freedom would remain to distinguish signal from noise",
                "use fewer confounds or drift terms, or a longer scan");
  if (x.cols() < 2) return;
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(centeredColumns(design));
  const Eigen::Index columns = x.cols() - 1;
  Eigen::Index rank = 0;
  while (rank < columns && std::abs(qr.matrixR()(rank, rank)) > kCollinear) ++rank;
  if (rank == columns) return;
  const std::vector<std::string> names(all.begin() + 1, all.end());
  const std::string& dependent = names[qr.colsPermutation().indices()[rank]];
  throw Error(
      "The regressor '" + dependent + "' is collinear with " + listed(combinedRegressors(qr, rank, names)),
      "their effects cannot be told apart from each other and the intercept", "remove one of them");
}

}  // namespace sulcus::activation
