#pragma once

#include "core/math/simd.h"

#include <cmath>
#include <limits>

// The computation of denoising in one window (Real = double), or in as many windows as a Real has lanes. The
// eigenvectors of a Gram matrix A = Q·V·Λ·Vᵀ·Qᵀ are never formed: Q is kept as a product of reflections, V as
// one of rotations, and the signal of a voxel is transformed by both and back.

namespace sulcus::preparation {

/// The index of entry (i, j ≤ i) of a symmetric matrix, whose lower triangle is stored by rows.
SULCUS_HD inline int triangleIndex(int i, int j) { return i * (i + 1) / 2 + j; }

/// A plane rotation of entries i and i + 1.
struct Rotation {
  double c, s;
  int i;
};

/// row −= v·wᵀ + w·vᵀ in row i of the matrix, entries 0…i.
template <class Real>
SULCUS_HD_INLINE void changeRow(Real* row, int i, const Real* v, const Real* w) {
  for (int k = 0; k <= i; ++k) row[k] = row[k] - fusedMultiplyAdd(v[i], w[k], w[i] * v[k]);
}

/// Adds row j < i of a symmetric matrix A to A·x: what it adds to the products before j is added to them.
///
/// @param row  entries 0…j of row j
/// @return     Σ_{k<j} a_jk·x_k, the sum that product j still lacks
template <class Real>
SULCUS_HD_INLINE Real multiplyRow(const Real* row, int j, const Real* x, Real* product) {
  const Real xj = x[j];
  Real sum(0.0);
  for (int k = 0; k < j; ++k) {
    sum = fusedMultiplyAdd(row[k], x[k], sum);
    product[k] = fusedMultiplyAdd(row[k], xj, product[k]);
  }
  return sum;
}

/// multiplyRow() after A −= v·wᵀ + w·vᵀ, in one pass.
template <class Real>
SULCUS_HD_INLINE Real multiplyChangedRow(Real* row, int j, const Real* v, const Real* w, const Real* x,
                                         Real* product) {
  const Real vj = v[j], wj = w[j], xj = x[j];
  Real sum(0.0);
  for (int k = 0; k < j; ++k) {
    const Real value = row[k] - fusedMultiplyAdd(vj, w[k], wj * v[k]);
    row[k] = value;
    sum = fusedMultiplyAdd(value, x[k], sum);
    product[k] = fusedMultiplyAdd(value, xj, product[k]);
  }
  row[j] = row[j] - fusedMultiplyAdd(vj, wj, wj * vj);
  return sum;
}

/// Reduces a symmetric n × n matrix to tridiagonal form by reflections I − τ·v·vᵀ, starting with the last row
/// (Householder 1958).
///
/// @param a     the lower triangle; row i becomes the v of its reflection, entries 0…i − 1
/// @param d, e the diagonal, n, and the off-diagonal entries of i and i + 1, n (the last is 0)
/// @param tau   of the reflection of each row, n
/// @param w     scratch memory for 2·n numbers
template <class Real>
SULCUS_HD void tridiagonalize(Real* a, int n, Real* d, Real* e, Real* tau, Real* w) {
  Real* product = w;      // A·v, then what is subtracted: A −= v·wᵀ + w·vᵀ
  Real* pending = w + n;  // the w of the previous row, which is subtracted in the same pass
  const Real zero(0.0);
  e[n - 1] = zero;
  for (int i = n - 1; i >= 0; --i) {
    Real* row = a + triangleIndex(i, 0);
    if (i + 1 < n) changeRow(row, i, a + triangleIndex(i + 1, 0), pending);
    d[i] = row[i];
    tau[i] = zero;
    if (i == 0) break;
    Real norm2 = zero;
    for (int k = 0; k + 1 < i; ++k) norm2 = fusedMultiplyAdd(row[k], row[k], norm2);
    const Real x = row[i - 1];
    const Real length = squareRoot(fusedMultiplyAdd(x, x, norm2));
    const auto isLong = norm2 > zero;
    const Real beta = select(isLong, select(x > zero, zero - length, length), x);
    e[i - 1] = beta;
    row[i - 1] = select(isLong, x - beta, zero);
    const Real vv = fusedMultiplyAdd(row[i - 1], row[i - 1], norm2);
    const Real t = select(isLong, Real(2.0) / select(isLong, vv, Real(1.0)), zero);
    tau[i] = t;

    for (int j = 0; j < i; ++j) product[j] = zero;
    for (int j = 0; j < i; ++j) {
      Real* aj = a + triangleIndex(j, 0);
      const Real sum = i + 1 < n
                           ? multiplyChangedRow(aj, j, a + triangleIndex(i + 1, 0), pending, row, product)
                           : multiplyRow(aj, j, row, product);
      product[j] = product[j] + fusedMultiplyAdd(aj[j], row[j], sum);
    }
    Real along = zero;
    for (int k = 0; k < i; ++k) along = fusedMultiplyAdd(product[k], row[k], along);
    const Real half = t * along * Real(0.5);
    for (int k = 0; k < i; ++k) pending[k] = t * (product[k] - half * row[k]);
  }
}

/// Replaces z by Qᵀ·z, where Q is the product of the reflections of tridiagonalize(); by Q·z if `back`.
template <class Real>
SULCUS_HD void reflect(const Real* a, const Real* tau, int n, Real* z, bool back) {
  for (int step = 1; step < n; ++step) {
    const int i = back ? step : n - step;
    const Real* v = a + triangleIndex(i, 0);
    Real along(0.0);
    for (int k = 0; k < i; ++k) along = fusedMultiplyAdd(v[k], z[k], along);
    along = along * tau[i];
    for (int k = 0; k < i; ++k) z[k] = z[k] - along * v[k];
  }
}

/// The eigenvalues of a tridiagonal matrix by the QL algorithm with implicit shifts (Dubrulle, Martin and
/// Wilkinson 1968), one rotation at a time, so that several matrices can be interleaved to hide the latency
/// of square roots. `d` ends as the eigenvalues, unsorted.
struct TridiagonalQl {
  double *d, *e;  ///< as left by tridiagonalize(), `stride` apart
  int stride, n;
  Rotation* rotations;
  int room;       ///< capacity of `rotations`
  int count = 0;  ///< how many were written to them
  bool isDone = false;
  bool converged = true;  ///< false if the capacity did not suffice

  int l = 0, m = 0, i = -1;
  bool sweeping = false;
  double g = 0, s = 0, c = 0, p = 0;

  SULCUS_HD double& D(int k) { return d[k * stride]; }
  SULCUS_HD double& E(int k) { return e[k * stride]; }

  /// Smaller couplings change an eigenvalue by their square, and the signal in proportion: below the
  /// resolution of a float.
  SULCUS_HD bool couples(int k) { return std::fabs(E(k)) > 1e-10 * (std::fabs(D(k)) + std::fabs(D(k + 1))); }

  /// Begins the next sweep, or finishes.
  SULCUS_HD void begin() {
    for (; l < n; ++l) {
      m = l;
      while (m + 1 < n && couples(m)) ++m;
      if (m > l) break;
    }
    const bool hasRoom = count + (m - l) <= room;
    converged = converged && (l >= n || hasRoom);
    isDone = l >= n || !hasRoom;
    if (isDone) return;
    g = (D(l + 1) - D(l)) / (2.0 * E(l));
    const double r = std::sqrt(fusedMultiplyAdd(g, g, 1.0));
    g = D(m) - D(l) + E(l) / (g + (g < 0 ? -r : r));
    s = c = 1.0;
    p = 0.0;
    i = m - 1;
    sweeping = true;
  }

  /// Ends the sweep, which has reached row l or met a zero.
  SULCUS_HD void end(bool metZero) {
    if (metZero) {
      D(i + 1) -= p;
    } else {
      D(l) -= p;
      E(l) = g;
    }
    E(m) = 0.0;
    sweeping = false;
  }

  SULCUS_HD void step() {
    if (!sweeping) begin();
    if (isDone) return;
    const double f = s * E(i), b = c * E(i);
    const double r = std::sqrt(fusedMultiplyAdd(f, f, g * g));
    E(i + 1) = r;
    if (r == 0.0) return end(true);
    const double inverse = 1.0 / r;
    s = f * inverse;
    c = g * inverse;
    g = D(i + 1) - p;
    const double q = fusedMultiplyAdd(D(i) - g, s, 2.0 * c * b);
    p = s * q;
    D(i + 1) = g + p;
    g = fusedMultiplyAdd(c, q, -b);
    rotations[count++] = {c, s, i};
    if (--i < l) end(false);
  }
};

/// Replaces the z of each lane by Vᵀ·z, where V is the product of its rotations. Entry i of a lane is at
/// z[i·stride + lane]. Lanes are interleaved, since each waits for its own sums.
SULCUS_HD inline void rotate(const TridiagonalQl* ql, int lanes, int stride, double* z) {
  int most = 0;
  for (int lane = 0; lane < lanes; ++lane) most = ql[lane].count > most ? ql[lane].count : most;
  for (int k = 0; k < most; ++k)
    for (int lane = 0; lane < lanes; ++lane) {
      if (k >= ql[lane].count) continue;
      const Rotation r = ql[lane].rotations[k];
      double* at = z + r.i * stride + lane;
      const double lower = at[0], upper = at[stride];
      at[0] = fusedMultiplyAdd(r.c, lower, -r.s * upper);
      at[stride] = fusedMultiplyAdd(r.s, lower, r.c * upper);
    }
}

/// Replaces the z of each lane by V·z.
SULCUS_HD inline void rotateBack(const TridiagonalQl* ql, int lanes, int stride, double* z) {
  int most = 0;
  for (int lane = 0; lane < lanes; ++lane) most = ql[lane].count > most ? ql[lane].count : most;
  for (int k = most - 1; k >= 0; --k)
    for (int lane = 0; lane < lanes; ++lane) {
      if (k >= ql[lane].count) continue;
      const Rotation r = ql[lane].rotations[k];
      double* at = z + r.i * stride + lane;
      const double lower = at[0], upper = at[stride];
      at[0] = fusedMultiplyAdd(r.c, lower, r.s * upper);
      at[stride] = fusedMultiplyAdd(r.c, upper, -r.s * lower);
    }
}

/// The noise of a window, from its eigenvalues.
struct NoiseOfWindow {
  double variance = 0;
  int rank = 0;       ///< number of eigenvalues that are signal
  double limit = -1;  ///< eigenvalues above are signal
};

/// Finds the most eigenvalues that a Marchenko–Pastur distribution explains.
///
/// @param eigenvalues  of the Gram matrix, ascending: the largest min(m, n) of them
/// @param count        min(m, n)
/// @param larger       max(m, n), of m volumes and n voxels
/// Veraart et al., NeuroImage 142 (2016) 394; the estimator of Cordero-Grande et al., NeuroImage 200 (2019)
/// 391.
SULCUS_HD inline NoiseOfWindow noiseOfWindow(const double* eigenvalues, int count, int larger) {
  const double lowest = (eigenvalues[0] > 0 ? eigenvalues[0] : 0) / larger;
  NoiseOfWindow noise;
  noise.rank = count;
  double sum = 0;
  for (int p = 0; p < count; ++p) {
    const double value = (eigenvalues[p] > 0 ? eigenvalues[p] : 0) / larger;
    sum += value;
    const double gamma = double(p + 1) / (larger - (count - p - 1));
    const double byMean = sum / (p + 1), byRange = (value - lowest) / (4.0 * std::sqrt(gamma));
    if (byRange < byMean) {
      noise.variance = byMean;
      noise.rank = count - p - 1;
    }
  }
  return noise;
}

}  // namespace sulcus::preparation
