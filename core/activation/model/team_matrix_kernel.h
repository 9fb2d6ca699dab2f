#pragma once

#include "core/math/distributions.h"

// Cholesky factor and eigenvectors of a small matrix in double, computed by a team: one thread of the CPU, or
// a warp of the GPU with its arrays in shared memory. A `Team` has
//   int rank, size;   this thread among those of the team
//   void sync()       waits until everything stored by the team can be read
// Every loop over entries is shared among the team. Matrices are stored by rows.

namespace sulcus::activation {

/// The team of one thread.
struct OneThread {
  static constexpr int rank = 0, size = 1;
  SULCUS_HD void sync() const {}
};

/// Jacobi sweeps end when all m_ij² ≤ this · m_ii m_jj, which is below single precision.
inline constexpr double kJacobiTolerance = 1e-17;

/// Cosine and sine of the smaller Jacobi rotation that makes the element m_pq of a symmetric matrix vanish:
/// tan 2θ = 2 m_pq / (m_qq − m_pp), |θ| ≤ π/4 (Golub and Van Loan, Matrix Computations, "Jacobi methods").
/// The angle has single precision, and the next sweep removes the remainder; c² + s² = 1 holds in double.
///
/// @param difference  m_qq − m_pp, of magnitude about 1 at most
/// @param twice       2 m_pq, likewise
SULCUS_HD inline void jacobiRotation(float difference, float twice, double& c, double& s) {
  const float size =
      reciprocalRoot(fusedMultiplyAdd(difference, difference, fusedMultiplyAdd(twice, twice, 1e-36f)));
  const float square = fusedMultiplyAdd(0.5f * magnitude(difference), size, 0.5f);  // cos²
  const float root = reciprocalRoot(square);
  const double cosine = square * root, sine = (difference < 0 ? -0.5f : 0.5f) * twice * size * root;
  const double excess = cosine * cosine + sine * sine - 1, one = 1 - excess * (0.5 - 0.375 * excess);
  c = cosine * one;
  s = sine * one;
}

/// Most sweeps over all pairs; far fewer are needed.
inline constexpr int kJacobiSweeps = 30;

/// The memory of jacobi(). Matrices are k × k by rows.
struct JacobiWork {
  double* matrix;
  double* vectors;
  double* rotation;  ///< 2 k: cosine and sine of each pair of a round
};

/// Two indices that are rotated against each other.
struct JacobiPair {
  int p, q;
};

/// Rounds of a sweep over all pairs of k indices: the larger odd number of k and k − 1.
SULCUS_HD_INLINE constexpr int jacobiRounds(int k) { return k % 2 == 1 ? k : k - 1; }

/// Pair i of a round. With n odd, round r pairs the indices whose sum is 2 r modulo n. Index r is left over;
/// if k is even it is paired with the last index.
///
/// @param n  jacobiRounds(k)
SULCUS_HD_INLINE JacobiPair jacobiPair(int n, int round, int i) {
  if (2 * i + 1 == n) return {round, n};
  const int above = round + i + 1, below = round - i - 1;
  const int p = above < n ? above : above - n;
  return {p, below < 0 ? below + n : below};
}

/// Whether all elements beside the diagonal are negligible.
template <class Size>
SULCUS_HD_INLINE bool isDiagonal(Size k, const double* matrix) {
  bool done = true;
  for (int i = 1; i < k; ++i)
    for (int j = 0; j < i; ++j) {
      const double off = matrix[i * k + j];
      done = done && off * off <= kJacobiTolerance * matrix[i * k + i] * matrix[j * k + j];
    }
  return done;
}

/// One round of jacobi(): the rotations of k / 2 disjoint pairs.
///
/// @param unit  scales the elements to at most about 1
template <class Size, class Team>
SULCUS_HD_INLINE void rotatePairs(Size k, int round, float unit, const JacobiWork& work, const Team& team) {
  const int n = jacobiRounds(k), pairs = k / 2;
  double *const matrix = work.matrix, *const rotation = work.rotation;
  for (int i = team.rank; i < pairs; i += team.size) {
    const auto [p, q] = jacobiPair(n, round, i);
    jacobiRotation(unit * float(matrix[q * k + q] - matrix[p * k + p]), unit * float(2 * matrix[p * k + q]),
                   rotation[2 * i], rotation[2 * i + 1]);
  }
  team.sync();
  // Rotates columns p and q of both matrices, M J and the vectors times J.
  for (int e = team.rank; e < pairs * 2 * k; e += team.size) {
    const int i = e / (2 * k), row = e % (2 * k);
    const auto [p, q] = jacobiPair(n, round, i);
    const double c = rotation[2 * i], s = rotation[2 * i + 1];
    double* const m = row < k ? matrix + row * k : work.vectors + (row - k) * k;
    const double mp = m[p], mq = m[q];
    m[p] = c * mp - s * mq;
    m[q] = s * mp + c * mq;
  }
  team.sync();
  // Then rotates rows p and q of the matrix, J' (M J).
  for (int e = team.rank; e < pairs * k; e += team.size) {
    const int i = e / k, column = e % k;
    const auto [p, q] = jacobiPair(n, round, i);
    const double c = rotation[2 * i], s = rotation[2 * i + 1];
    const double mp = matrix[p * k + column], mq = matrix[q * k + column];
    matrix[p * k + column] = c * mp - s * mq;
    matrix[q * k + column] = s * mp + c * mq;
  }
  team.sync();
}

/// Eigenvectors of a symmetric, positive definite matrix by Jacobi rotations. The pairs (p, q) follow a fixed
/// round-robin order with disjoint pairs in each round (Brent and Luk, SIAM J Sci Stat Comput 6 (1985) 69).
/// Eigenvectors are never sorted: matrices that differ by rounding have the same ones with the same signs.
///
/// @param work  the matrix, whose diagonal becomes the eigenvalues; receives the vectors: column j belongs to
///              eigenvalue j
template <class Size, class Team>
SULCUS_HD void jacobi(Size k, const JacobiWork& work, const Team& team) {
  for (int e = team.rank; e < k * k; e += team.size) work.vectors[e] = e / k == e % k ? 1.0 : 0.0;
  team.sync();
  float trace = 0;
  for (int i = 0; i < k; ++i) trace += float(work.matrix[i * k + i]);
  const float unit = 1 / trace;
  const int rounds = jacobiRounds(k);
  for (int sweep = 0; sweep < kJacobiSweeps; ++sweep) {
    const bool done = isDiagonal(k, work.matrix);
    team.sync();
    if (done) return;
    for (int round = 0; round < rounds; ++round) rotatePairs(k, round, unit, work, team);
  }
}

/// Replaces the lower triangle of a positive definite matrix (k × k by rows) by the Cholesky factor C with
/// C C' = matrix, column by column: c_jj = √(m_jj − Σ_{l<j} c_jl²), c_ij = (m_ij − Σ_{l<j} c_il c_jl) / c_jj.
/// Elements above the diagonal are unchanged.
template <class Size, class Team>
SULCUS_HD void choleskyInPlace(Size k, double* matrix, const Team& team) {
  for (int j = 0; j < k; ++j) {
    double pivot = matrix[j * k + j];
    for (int l = 0; l < j; ++l) pivot -= matrix[j * k + l] * matrix[j * k + l];
    const double root = reciprocalRoot(pivot);
    team.sync();
    for (int i = j + team.rank; i < k; i += team.size) {
      double sum = pivot;
      if (i > j) {
        sum = matrix[i * k + j];
        for (int l = 0; l < j; ++l) sum -= matrix[i * k + l] * matrix[j * k + l];
      }
      matrix[i * k + j] = sum * root;
    }
    team.sync();
  }
}

}  // namespace sulcus::activation
