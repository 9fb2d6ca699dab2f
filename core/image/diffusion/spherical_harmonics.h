#pragma once

#include "core/image/diffusion/sh_basis.h"
#include "core/image/diffusion/tensor_index.h"
#include "core/math/vec3.h"

#include <span>

#include <Eigen/Core>

// Real spherical harmonics of even degree l = 0, 2, …, order. Degree l holds 2l + 1 functions, m = −l…l, at
// shIndex(l, m); together there are tensorEntries(order) of them, as many as a symmetric tensor has entries.
//
// With N_lm orthonormal and without Condon–Shortley phase (m > 0: cos mφ, m < 0: sin |m|φ) the conventions
// are
//   tournier07          (−1)^m N_lm                          MRtrix3, and dipy's tournier07 (legacy=False)
//   tournier07Legacy    (−1)^m N_lm, divided by √2 if m ≠ 0  dipy's tournier07 (legacy=True), MRtrix 0.2
//   descoteaux07        m > 0: (−1)^m N_l,−m; m < 0: N_l,−m  dipy (legacy=False)
//   descoteaux07Legacy  (−1)^m N_l,−m                        dipy (legacy=True)

namespace sulcus {

/// Index of the function of degree l and order m among the coefficients.
constexpr int shIndex(int l, int m) { return l * (l + 1) / 2 + m; }

/// value(l) for every coefficient of degree l, tensorEntries(order) of them.
template <class Value>
Eigen::VectorXd perDegree(int order, const Value& value) {
  Eigen::VectorXd values(tensorEntries(order));
  for (int l = 0; l <= order; l += 2) values.segment(shIndex(l, -l), 2 * l + 1).setConstant(value(l));
  return values;
}

/// The order 0…12 with `count` even real spherical harmonics (1, 6, 15, 28, 45, 66, 91), or −1 if there is
/// none.
int shOrder(int count);

/// Values of the basis at unit directions: one row per direction, tensorEntries(order) columns.
Eigen::MatrixXd shMatrix(int order, std::span<const Vec3<double>> directions,
                         ShBasis basis = ShBasis::tournier07);

/// Y_l0 at a direction whose z is `z`: √((2l+1)/4π) P_l(z).
double zonalHarmonic(int l, double z);

/// The square matrix with tensor entries = matrix · coefficients: the tensor of even order m whose form A gᵐ
/// is the function with these coefficients of degree ≤ m. It is exact (polynomial arithmetic in double).
Eigen::MatrixXd tensorFromSh(int order, ShBasis basis = ShBasis::tournier07);

/// The inverse of tensorFromSh.
Eigen::MatrixXd shFromTensor(int order, ShBasis basis = ShBasis::tournier07);

/// The Legendre polynomial P_l at 0 for even l. The Funk–Radon transform multiplies degree l by 2π times
/// this.
double legendreAtZero(int l);

}  // namespace sulcus
