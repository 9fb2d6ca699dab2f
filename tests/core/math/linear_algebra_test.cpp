#include "core/math/linear_algebra.h"

#include <random>

#include <gtest/gtest.h>

namespace sulcus {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

MatrixXd randomMatrix(int rows, int columns, int seed) {
  std::mt19937 random{std::uint32_t(seed)};
  return MatrixXd::NullaryExpr(rows, columns, [&](auto, auto) { return double(random()) / 0x1p31 - 1; });
}

MatrixXd positiveDefinite(int size, int seed) {
  const MatrixXd a = randomMatrix(size, size, seed);
  return a * a.transpose() + MatrixXd::Identity(size, size);
}

void expectNear(const MatrixXd& a, const MatrixXd& b) {
  ASSERT_EQ(a.rows(), b.rows());
  ASSERT_EQ(a.cols(), b.cols());
  EXPECT_LT((a - b).norm(), 1e-11 * (1 + b.norm()));
}

TEST(LinearAlgebra, InverseTimesTheMatrixIsTheIdentity) {
  const MatrixXd a = randomMatrix(7, 7, 1);
  expectNear(inverse(a) * a, MatrixXd::Identity(7, 7));
}

TEST(LinearAlgebra, CholeskyFactorIsLowerWithAPositiveDiagonal) {
  const MatrixXd a = positiveDefinite(6, 2), l = choleskyFactor(a);
  expectNear(l * l.transpose(), a);
  EXPECT_TRUE(l.isLowerTriangular());
  EXPECT_GT(l.diagonal().minCoeff(), 0);
}

TEST(LinearAlgebra, SolvesPositiveDefiniteSystems) {
  const MatrixXd a = positiveDefinite(6, 3), x = randomMatrix(6, 4, 4);
  expectNear(solvePositiveDefinite(a, MatrixXd(a * x)), x);
  expectNear(solvePositiveDefinite(a, VectorXd(a * x.col(1))), x.col(1));
}

TEST(LinearAlgebra, LeastSquaresLeavesAnOrthogonalResidual) {
  const MatrixXd a = randomMatrix(9, 4, 5), b = randomMatrix(9, 2, 6);
  const LeastSquares fit = solveLeastSquares(a, b);
  EXPECT_EQ(fit.rank, 4);
  expectNear(a.transpose() * (b - a * fit.solution), MatrixXd::Zero(4, 2));
}

TEST(LinearAlgebra, LeastSquaresReportsTheRank) {
  MatrixXd a = randomMatrix(9, 4, 7);
  a.col(3) = a.col(0) - 2 * a.col(1);
  EXPECT_EQ(solveLeastSquares(a, MatrixXd::Identity(9, 9)).rank, 3);
}

TEST(LinearAlgebra, ShortestLeastSquaresLiesInTheRowSpace) {
  MatrixXd a = randomMatrix(5, 4, 8);
  a.col(3) = a.col(0);
  const VectorXd b = randomMatrix(5, 1, 9), x = shortestLeastSquares(a, b);
  expectNear(a.transpose() * (b - a * x), VectorXd::Zero(4));
  EXPECT_NEAR(x[0], x[3], 1e-12);  // (1, 0, 0, −1) spans the null space
}

TEST(LinearAlgebra, ThinQrHasOrthonormalColumnsAndAPositiveDiagonal) {
  const MatrixXd x = randomMatrix(20, 5, 10);
  const ThinQr qr = thinQr(x);
  expectNear(qr.q * qr.r, x);
  expectNear(qr.q.transpose() * qr.q, MatrixXd::Identity(5, 5));
  EXPECT_TRUE(qr.r.isUpperTriangular());
  EXPECT_GT(qr.r.diagonal().minCoeff(), 0);
}

TEST(LinearAlgebra, SymmetricEigenvectorsBelongToAscendingEigenvalues) {
  const MatrixXd a = positiveDefinite(5, 11);
  const SymmetricEigen eigen = symmetricEigen(a);
  expectNear(a * eigen.vectors, eigen.vectors * eigen.values.asDiagonal());
  expectNear(symmetricEigenvalues(a), eigen.values);
  for (int i = 1; i < 5; ++i) EXPECT_LE(eigen.values[i - 1], eigen.values[i]);

  const Eigen::Matrix3d small = positiveDefinite(3, 12);
  const SymmetricEigen3 eigen3 = symmetricEigen3(small);
  expectNear(small * eigen3.vectors, eigen3.vectors * eigen3.values.asDiagonal());
}

TEST(LinearAlgebra, SingularValuesAreTheRootsOfEigenvalues) {
  const MatrixXd a = randomMatrix(8, 3, 13);
  const VectorXd singular = singularValues(a);
  expectNear(singular.cwiseAbs2().reverse(), symmetricEigenvalues(a.transpose() * a));
}

}  // namespace
}  // namespace sulcus
