#include "core/math/linear_algebra.h"

#include <Eigen/Dense>

namespace sulcus {

Eigen::MatrixXd columnsOf(const Eigen::MatrixXd& matrix, std::span<const int> columns) {
  Eigen::MatrixXd chosen(matrix.rows(), std::ssize(columns));
  for (Eigen::Index c = 0; c < chosen.cols(); ++c) chosen.col(c) = matrix.col(columns[c]);
  return chosen;
}

using Eigen::MatrixXd;
using Eigen::VectorXd;

MatrixXd inverse(const MatrixXd& a) { return a.inverse(); }

MatrixXd choleskyFactor(const MatrixXd& a) { return a.llt().matrixL(); }

MatrixXd solvePositiveDefinite(const MatrixXd& a, const MatrixXd& b) { return a.ldlt().solve(b); }
VectorXd solvePositiveDefinite(const MatrixXd& a, const VectorXd& b) { return a.ldlt().solve(b); }

MatrixXd solveLower(const MatrixXd& l, const MatrixXd& b) {
  return l.triangularView<Eigen::Lower>().solve(b);
}
VectorXd solveLower(const MatrixXd& l, const VectorXd& b) {
  return l.triangularView<Eigen::Lower>().solve(b);
}
MatrixXd solveLowerTransposed(const MatrixXd& l, const MatrixXd& b) {
  return l.transpose().triangularView<Eigen::Upper>().solve(b);
}
VectorXd solveLowerTransposed(const MatrixXd& l, const VectorXd& b) {
  return l.transpose().triangularView<Eigen::Upper>().solve(b);
}

LeastSquares solveLeastSquares(const MatrixXd& a, const MatrixXd& b) {
  const Eigen::ColPivHouseholderQR<MatrixXd> qr(a);
  return {qr.solve(b), qr.rank()};
}

VectorXd shortestLeastSquares(const MatrixXd& a, const VectorXd& b) {
  return Eigen::CompleteOrthogonalDecomposition<MatrixXd>(a).solve(b);
}

ThinQr thinQr(const MatrixXd& x) {
  const Eigen::HouseholderQR<MatrixXd> qr(x);
  ThinQr thin{qr.householderQ() * MatrixXd::Identity(x.rows(), x.cols()),
              qr.matrixQR().topRows(x.cols()).triangularView<Eigen::Upper>()};
  for (Eigen::Index j = 0; j < x.cols(); ++j)
    if (thin.r(j, j) < 0) thin.r.row(j) *= -1, thin.q.col(j) *= -1;
  return thin;
}

SymmetricEigen symmetricEigen(const MatrixXd& a) {
  const Eigen::SelfAdjointEigenSolver<MatrixXd> eigen(a);
  return {eigen.eigenvalues(), eigen.eigenvectors()};
}

VectorXd symmetricEigenvalues(const MatrixXd& a) {
  return Eigen::SelfAdjointEigenSolver<MatrixXd>(a, Eigen::EigenvaluesOnly).eigenvalues();
}

SymmetricEigen3 symmetricEigen3(const Eigen::Matrix3d& a) {
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> eigen(a);
  return {eigen.eigenvalues(), eigen.eigenvectors()};
}

Eigen::Matrix3d nearestOrthogonal(const Eigen::Matrix3d& a) {
  const Eigen::JacobiSVD<Eigen::Matrix3d> svd(a, Eigen::ComputeFullU | Eigen::ComputeFullV);
  return svd.matrixU() * svd.matrixV().transpose();
}

VectorXd singularValues(const MatrixXd& a) { return a.jacobiSvd().singularValues(); }

}  // namespace sulcus
