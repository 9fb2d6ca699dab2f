#pragma once

#include <span>

#include <Eigen/Core>

// Decompositions of dense matrices in double. Each Eigen template takes some seconds to compile, so they are
// compiled once, in linear_algebra.cpp.

namespace sulcus {

/// Some columns of a matrix, in the given order.
Eigen::MatrixXd columnsOf(const Eigen::MatrixXd& matrix, std::span<const int> columns);

/// The inverse of a square matrix by LU decomposition with partial pivoting.
Eigen::MatrixXd inverse(const Eigen::MatrixXd& a);

/// The lower triangular L with positive diagonal and A = L L'. A is symmetric and positive definite; only its
/// lower triangle is read.
Eigen::MatrixXd choleskyFactor(const Eigen::MatrixXd& a);

/// Solves A X = B. A is symmetric and positive definite; only its lower triangle is read.
Eigen::MatrixXd solvePositiveDefinite(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b);
Eigen::VectorXd solvePositiveDefinite(const Eigen::MatrixXd& a, const Eigen::VectorXd& b);

/// Solve L X = B and L' X = B. L is lower triangular; what lies above its diagonal is not read.
Eigen::MatrixXd solveLower(const Eigen::MatrixXd& l, const Eigen::MatrixXd& b);
Eigen::VectorXd solveLower(const Eigen::MatrixXd& l, const Eigen::VectorXd& b);
Eigen::MatrixXd solveLowerTransposed(const Eigen::MatrixXd& l, const Eigen::MatrixXd& b);
Eigen::VectorXd solveLowerTransposed(const Eigen::MatrixXd& l, const Eigen::VectorXd& b);

/// X that minimizes ‖A X − B‖, by QR decomposition with column pivoting, and the numerical rank of A. Without
/// full column rank, X is one of many minimizers.
struct LeastSquares {
  Eigen::MatrixXd solution;  ///< columns of A × columns of B
  Eigen::Index rank = 0;
};
LeastSquares solveLeastSquares(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b);

/// The x of minimum norm that minimizes ‖A x − b‖, whatever the rank of A.
Eigen::VectorXd shortestLeastSquares(const Eigen::MatrixXd& a, const Eigen::VectorXd& b);

/// X = Q R with orthonormal columns of Q (n × k) and an upper triangular R (k × k) with a positive diagonal.
/// X is n × k, n ≥ k.
struct ThinQr {
  Eigen::MatrixXd q, r;
};
ThinQr thinQr(const Eigen::MatrixXd& x);

/// Eigenvalues of a symmetric matrix in ascending order and its orthonormal eigenvectors; column j belongs to
/// eigenvalue j. Only the lower triangle is read.
struct SymmetricEigen {
  Eigen::VectorXd values;
  Eigen::MatrixXd vectors;
};
SymmetricEigen symmetricEigen(const Eigen::MatrixXd& a);
Eigen::VectorXd symmetricEigenvalues(const Eigen::MatrixXd& a);

/// Eigenvalues and eigenvectors of a 3 × 3 matrix, on the stack.
struct SymmetricEigen3 {
  Eigen::Vector3d values;
  Eigen::Matrix3d vectors;
};
SymmetricEigen3 symmetricEigen3(const Eigen::Matrix3d& a);

/// The orthogonal matrix nearest to A: U V' of its singular value decomposition.
Eigen::Matrix3d nearestOrthogonal(const Eigen::Matrix3d& a);

/// Singular values, the largest first.
Eigen::VectorXd singularValues(const Eigen::MatrixXd& a);

}  // namespace sulcus
