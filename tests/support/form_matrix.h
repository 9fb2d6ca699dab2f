#pragma once

#include "core/image/diffusion/tensor_index.h"
#include "core/math/vec3.h"

#include <cmath>
#include <span>

#include <Eigen/Core>

namespace sulcus::test {

/// Rows of multiplicity(u)·g_x^i g_y^j g_z^k, so that matrix · (tensor entries) = A gᵐ: one row per
/// direction, tensorEntries(order) columns.
inline Eigen::MatrixXd formMatrix(int order, std::span<const Vec3<double>> directions) {
  const auto binomial = [](int n, int k) {
    return std::round(std::tgamma(n + 1) / (std::tgamma(k + 1) * std::tgamma(n - k + 1)));
  };
  Eigen::MatrixXd values(directions.size(), tensorEntries(order));
  for (Eigen::Index row = 0; row < values.rows(); ++row) {
    const auto& g = directions[std::size_t(row)];
    for (int s = 0; s <= order; ++s)
      for (int k = 0; k <= s; ++k)
        values(row, tensorIndex(s - k, k)) = binomial(order, s) * binomial(s, k) * std::pow(g.x, order - s) *
                                             std::pow(g.y, s - k) * std::pow(g.z, k);
  }
  return values;
}

}  // namespace sulcus::test
