#pragma once

#include <vector>

#include <Eigen/Core>

namespace sulcus::fibers {

/// The values of a matrix by rows, which are padded with zeros up to `stride`.
template <class Real = float>
std::vector<Real> byRows(const Eigen::MatrixXd& matrix, Eigen::Index stride) {
  std::vector<Real> values(matrix.rows() * stride, Real(0));
  for (Eigen::Index i = 0; i < matrix.rows(); ++i)
    for (Eigen::Index j = 0; j < matrix.cols(); ++j) values[i * stride + j] = Real(matrix(i, j));
  return values;
}
inline std::vector<float> byRows(const Eigen::MatrixXd& matrix) { return byRows(matrix, matrix.cols()); }

/// A matrix that is stored by rows.
inline auto matrixByRows(const std::vector<float>& values, Eigen::Index rows) {
  using RowMajor = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  return Eigen::Map<const RowMajor>(values.data(), rows, std::ssize(values) / rows);
}

}  // namespace sulcus::fibers
