#pragma once

#include "core/fibers/fibers.h"
#include "core/fibers/tensor_index.h"
#include "core/math/affine.h"
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

constexpr int shIndex(int l, int m) { return l * (l + 1) / 2 + m; }

/// The order 0…8 with `count` even real spherical harmonics (1, 6, 15, 28, 45), or −1 when there is none.
int shOrder(int count);

/// Values of the basis at unit directions: directions × tensorEntries(order).
Eigen::MatrixXd shMatrix(int order, std::span<const Vec3<double>> directions,
                         ShBasis basis = ShBasis::tournier07);

/// Y_l0 at directions whose z is `z`: √((2l+1)/4π) P_l(z).
double zonalHarmonic(int l, double z);

/// Values of multiplicity(u)·g_x^i g_y^j g_z^k, so that matrix · entries = A gᵐ: directions ×
/// tensorEntries(order).
Eigen::MatrixXd formMatrix(int order, std::span<const Vec3<double>> directions);

/// Tensor entries = matrix · coefficients: the tensor of even order m whose form A gᵐ is the function with
/// those coefficients of degree ≤ m. Exact (polynomial arithmetic in double).
Eigen::MatrixXd tensorFromSh(int order, ShBasis basis = ShBasis::tournier07);

/// The inverse of tensorFromSh.
Eigen::MatrixXd shFromTensor(int order, ShBasis basis = ShBasis::tournier07);

/// Coefficients in world axes = matrix · coefficients in a frame, for the same function: what the frame's
/// function is at g, the world's is at worldFromFrame g. `worldFromFrame`: orthonormal, reflections allowed.
Eigen::MatrixXd turnedSh(int order, ShBasis basis, const Affine& worldFromFrame);

/// Legendre polynomial P_l at 0 for even l: the Funk–Radon transform multiplies degree l by 2π times this.
double legendreAtZero(int l);

}  // namespace sulcus
