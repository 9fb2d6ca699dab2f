#pragma once

#include "core/math/distributions.h"
#include "core/math/generators.h"

#include <cstdint>

// The hyper-draw of a group, in double: V_γ ~ IW(ν + M, V + S), Δ | V_γ ~ N(Δ̃, V_γ ⊗ (Z'Z + A)⁻¹), then the
// axes of V_γ for the next iteration of its voxels.
//
// Voxels hand in sums of d = draw − Δ'z (of the iteration's own Δ) in the iteration's axes. With D those rows
// turned back by U, T = Z'D and E = (Z'Z + A)⁻¹ (T − A Δ) one has
//   Δ̃ = Δ + E,   S = D'D − E'(Z'Z + A) E + a Δ'Δ   (which contains Δ̃'A Δ̃),
// so that no two large numbers are subtracted.
//
// Worked on by a team: one thread of the CPU, or a warp of the GPU with its arrays in shared memory. `Team`
// has
//   int rank, size;   void sync()
// Matrices are stored by rows.

namespace sulcus {

struct OneThread {
  static constexpr int rank = 0, size = 1;
  SULCUS_HD void sync() const {}
};

/// Hyper-parameters of an iteration as GibbsResult::hyper holds them: axes, scales, means (HyperLayout).
struct HyperParameters {
  float* axes;    ///< U, k × k
  float* scales;  ///< λ, k
  float* means;   ///< U'Δ', k × q
};

/// What does not change in a group's run.
struct HyperPrior {
  const double* scale;      ///< V, k × k
  const double* zz;         ///< Z'Z + A, q × q
  const double* zzInverse;  ///< its inverse
  const double* zzRoot;     ///< an upper triangle with R R' = that inverse
  double a = 0;             ///< A = a I
  double freedom = 0;       ///< ν + M
};

/// Numbers in the sums of a group: Σ d d' (rows of the lower triangle), then Σ z d' (q × k).
SULCUS_HD constexpr int hyperSums(int k, int q) { return k * (k + 1) / 2 + q * k; }

/// Doubles that drawHyper works in.
SULCUS_HD constexpr int hyperWork(int k, int q) { return 5 * k * k + 5 * q * k + 2 * k; }

/// Which draws these are. Counter: block, iteration, group, chain | kHyperStream.
struct HyperStream {
  PhiloxKey key;
  std::uint32_t iteration = 0, group = 0, chain = 0;

  SULCUS_HD void block(std::uint32_t index, std::uint32_t (&words)[4]) const {
    words[0] = index;
    words[1] = iteration;
    words[2] = group;
    words[3] = chain | kHyperStream;
    philox(words, key);
  }
  /// Standard normal numbers 4 i … 4 i + 3.
  SULCUS_HD void normals(std::uint32_t i, float (&n)[4]) const {
    std::uint32_t words[4];
    block(i, words);
    normalPair(words[0], words[1], n[0], n[1]);
    normalPair(words[2], words[3], n[2], n[3]);
  }
  /// The i-th χ².
  SULCUS_HD double chiSquare(std::uint32_t i, double freedom) const {
    const ChiSquare<double> law(freedom);
    for (std::uint32_t attempt = 0;; ++attempt) {
      std::uint32_t words[4];
      block(0x80000000u | i << 12 | attempt, words);
      float normal, spare;
      normalPair(words[0], words[1], normal, spare);
      double value;
      if (chiSquareCandidate(law, double(normal), double(uniform(words[2])), value)) return value;
    }
  }
};

/// What is left of off-diagonal elements, squared, relative to the diagonal's: less than single precision
/// holds.
inline constexpr double kJacobiRest = 1e-17;

/// The smaller rotation that makes an off-diagonal element vanish. Its angle is of single precision, and the
/// next sweep takes care of what it leaves; that it is a rotation holds in double.
///
/// @param apart  difference of the two diagonal elements, @param twice the element times two; at most about 1
SULCUS_HD inline void turnAway(float apart, float twice, double& c, double& s) {
  const float size = reciprocalRoot(fusedMultiplyAdd(apart, apart, fusedMultiplyAdd(twice, twice, 1e-36f)));
  const float square = fusedMultiplyAdd(0.5f * magnitude(apart), size, 0.5f);  // cos²
  const float root = reciprocalRoot(square);
  const double cosine = square * root, sine = (apart < 0 ? -0.5f : 0.5f) * twice * size * root;
  const double excess = cosine * cosine + sine * sine - 1, one = 1 - excess * (0.5 - 0.375 * excess);
  c = cosine * one;
  s = sine * one;
}

/// Eigenvectors of a symmetric matrix by Jacobi's rotations, pairs in a fixed order (each round turns
/// disjoint pairs), never sorted: a matrix that differs by rounding has the same vectors with the same signs.
///
/// @param matrix   k × k; its diagonal becomes the eigenvalues
/// @param vectors  k × k; column j belongs to eigenvalue j
/// @param turn     room for k numbers
template <class Size, class Team>
SULCUS_HD void jacobi(Size k, double* matrix, double* vectors, double* turn, const Team& team) {
  for (int e = team.rank; e < k * k; e += team.size) vectors[e] = e / k == e % k ? 1.0 : 0.0;
  team.sync();
  // Round-robin: with n odd, round r pairs the indices whose sum is 2 c modulo n, c the one left over, which
  // meets the last where k is even.
  const int n = k % 2 == 1 ? int(k) : k - 1, pairs = k / 2;
  const auto pairOf = [&](int round, int i, int& p, int& q) {
    p = round + i + 1 < n ? round + i + 1 : round + i + 1 - n;
    q = round - i - 1 < 0 ? round - i - 1 + n : round - i - 1;
    if (2 * i + 1 == n) p = round, q = n;
  };
  float unit = 0;
  for (int i = 0; i < k; ++i) unit += float(matrix[i * k + i]);
  unit = 1 / unit;
  for (int sweep = 0; sweep < 30; ++sweep) {
    bool done = true;
    for (int i = 1; i < k; ++i)
      for (int j = 0; j < i; ++j) {
        const double off = matrix[i * k + j];
        done = done && off * off <= kJacobiRest * matrix[i * k + i] * matrix[j * k + j];
      }
    team.sync();
    if (done) return;
    for (int round = 0; round < n; ++round) {
      int p, q;
      for (int i = team.rank; i < pairs; i += team.size) {
        pairOf(round, i, p, q);
        turnAway(unit * float(matrix[q * k + q] - matrix[p * k + p]), unit * float(2 * matrix[p * k + q]),
                 turn[2 * i], turn[2 * i + 1]);
      }
      team.sync();
      // Columns p and q of both matrices, then rows p and q of the matrix.
      for (int e = team.rank; e < pairs * 2 * k; e += team.size) {
        const int i = e / (2 * k), row = e % (2 * k);
        pairOf(round, i, p, q);
        const double c = turn[2 * i], s = turn[2 * i + 1];
        double* const m = row < k ? matrix + row * k : vectors + (row - k) * k;
        const double mp = m[p], mq = m[q];
        m[p] = c * mp - s * mq;
        m[q] = s * mp + c * mq;
      }
      team.sync();
      for (int e = team.rank; e < pairs * k; e += team.size) {
        const int i = e / k, column = e % k;
        pairOf(round, i, p, q);
        const double c = turn[2 * i], s = turn[2 * i + 1];
        const double mp = matrix[p * k + column], mq = matrix[q * k + column];
        matrix[p * k + column] = c * mp - s * mq;
        matrix[q * k + column] = s * mp + c * mq;
      }
      team.sync();
    }
  }
}

/// Lower triangle C of C C' = matrix (k × k, positive definite), in its place; what is above it stays.
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

/// Where drawHyper keeps what: hyperWork(k, q) doubles.
template <class Size>
struct HyperWork {
  double* s;         ///< V + S, then its Cholesky factor C; k × k as the next four
  double* bartlett;  ///< B, on its diagonal the reciprocals
  double* factor;    ///< F = C B⁻ᵀ, so that V_γ = F F'
  double* half;      ///< products on the way
  double* vectors;
  double* lastDelta;  ///< q × k as the next four
  double* t;          ///< Z'D
  double* e;          ///< E
  double* ze;         ///< (Z'Z + A) E = T − a Δ
  double* noise;
  double* turn;  ///< 2 k

  SULCUS_HD HyperWork(Size k, int q, double* work)
      : s(work),
        bartlett(s + k * k),
        factor(bartlett + k * k),
        half(factor + k * k),
        vectors(half + k * k),
        lastDelta(vectors + k * k),
        t(lastDelta + q * k),
        e(t + q * k),
        ze(e + q * k),
        noise(ze + q * k),
        turn(noise + q * k) {}
};

/// The random numbers of a hyper-draw, which depend on nothing that was drawn before: B and the normal
/// numbers of Δ, in `work`.
template <class Size, class Team>
SULCUS_HD void drawHyperNoise(Size k, int q, double freedom, const HyperStream& stream, double* work,
                              const Team& team) {
  const HyperWork<Size> at(k, q, work);
  const int triangle = k * (k + 1) / 2;
  for (int i = team.rank; i < k; i += team.size) {
    at.bartlett[i * k + i] = reciprocalRoot(stream.chiSquare(i, freedom - i));
    for (int j = i + 1; j < k; ++j) at.bartlett[i * k + j] = 0;
  }
  const int below = triangle - k, normals = below + q * k;
  for (int b = team.rank; 4 * b < normals; b += team.size) {
    float n[4];
    stream.normals(b, n);
    for (int l = 0; l < 4; ++l) {
      const int index = 4 * b + l;
      if (index >= normals) break;
      if (index >= below) {
        at.noise[index - below] = n[l];
        continue;
      }
      int row = 1;  // of the strict lower triangle
      while (row * (row + 1) / 2 <= index) ++row;
      at.bartlett[row * k + index - row * (row - 1) / 2] = n[l];
    }
  }
  team.sync();
}

/// Draws Δ and V_γ from the sums of an iteration's voxels, and what the next iteration needs, from the random
/// numbers of drawHyperNoise().
///
/// @param last   of the iteration that the sums are from
/// @param next   of the iteration that follows; may be the same memory as `last`
/// @param sums   hyperSums(k, q)
/// @param delta  Δ in γ, q × k   @param variance  V_γ, k × k
/// @param work   hyperWork(k, q)
template <class Size, class Team>
SULCUS_HD void applyHyperNoise(Size k, int q, const HyperPrior& prior, const HyperParameters& last,
                               const HyperParameters& next, const double* sums, double* delta,
                               double* variance, double* work, const Team& team) {
  const int kk = k * k, qk = q * k, triangle = k * (k + 1) / 2;
  const HyperWork<Size> at(k, q, work);
  double *const s = at.s, *const bartlett = at.bartlett, *const factor = at.factor, *const half = at.half;
  double *const vectors = at.vectors, *const lastDelta = at.lastDelta, *const t = at.t, *const e = at.e;
  double *const ze = at.ze, *const noise = at.noise;

  // U times the sums of d d'; Δ and Z'D in γ.
  for (int x = team.rank; x < kk; x += team.size) {
    const int i = x / k, j = x % k;
    double sum = 0;
    for (int l = 0; l < k; ++l) {
      const int high = l > j ? l : j, low = l > j ? j : l;
      sum += double(last.axes[i * k + l]) * sums[high * (high + 1) / 2 + low];
    }
    half[x] = sum;
  }
  for (int x = team.rank; x < qk; x += team.size) {
    const int c = x / k, i = x % k;
    double d = 0, zd = 0;
    for (int j = 0; j < k; ++j) {
      d += double(last.axes[i * k + j]) * double(last.means[j * q + c]);
      zd += double(last.axes[i * k + j]) * sums[triangle + c * k + j];
    }
    lastDelta[x] = d;
    t[x] = zd;
    ze[x] = zd - prior.a * d;
  }
  team.sync();
  for (int x = team.rank; x < qk; x += team.size) {
    const int c = x / k, i = x % k;
    double sum = 0;
    for (int l = 0; l < q; ++l) sum += prior.zzInverse[c * q + l] * ze[l * k + i];
    e[x] = sum;
  }
  team.sync();
  for (int x = team.rank; x < kk; x += team.size) {
    const int i = x / k, j = x % k;
    double sum = prior.scale[x];
    for (int l = 0; l < k; ++l) sum += half[i * k + l] * double(last.axes[j * k + l]);
    for (int c = 0; c < q; ++c) {
      sum -= e[c * k + i] * ze[c * k + j];
      sum += prior.a * lastDelta[c * k + i] * lastDelta[c * k + j];
    }
    s[x] = sum;
  }
  team.sync();
  choleskyInPlace(k, s, team);
  for (int i = team.rank; i < k; i += team.size)
    for (int j = 0; j < k; ++j) {
      double sum = j <= i ? s[i * k + j] : 0.0;
      for (int l = 0; l < j; ++l) sum -= factor[i * k + l] * bartlett[j * k + l];
      factor[i * k + j] = sum * bartlett[j * k + j];
    }
  team.sync();
  for (int x = team.rank; x < kk; x += team.size) {
    const int i = x / k, j = x % k;
    double sum = 0;
    for (int l = 0; l < k; ++l) sum += factor[i * k + l] * factor[j * k + l];
    variance[x] = half[x] = sum;
  }
  for (int x = team.rank; x < qk; x += team.size) {
    const int c = x / k, i = x % k;
    double sum = 0;
    for (int l = 0; l < k; ++l) sum += noise[c * k + l] * factor[i * k + l];
    t[x] = sum;
  }
  team.sync();
  for (int x = team.rank; x < qk; x += team.size) {
    const int c = x / k, i = x % k;
    double sum = lastDelta[x] + e[x];
    for (int l = c; l < q; ++l) sum += prior.zzRoot[c * q + l] * t[l * k + i];
    delta[x] = sum;
  }
  team.sync();
  jacobi(k, half, vectors, at.turn, team);
  for (int x = team.rank; x < kk; x += team.size) next.axes[x] = float(vectors[x]);
  for (int j = team.rank; j < k; j += team.size) next.scales[j] = float(half[j * k + j]);
  for (int x = team.rank; x < qk; x += team.size) {
    const int j = x / q, c = x % q;
    double sum = 0;
    for (int i = 0; i < k; ++i) sum += vectors[i * k + j] * delta[c * k + i];
    next.means[j * q + c] = float(sum);
  }
  team.sync();
}

/// Both: draws Δ and V_γ.
template <class Size, class Team>
SULCUS_HD void drawHyper(Size k, int q, const HyperPrior& prior, const HyperParameters& last,
                         const HyperParameters& next, const double* sums, const HyperStream& stream,
                         double* delta, double* variance, double* work, const Team& team) {
  drawHyperNoise(k, q, prior.freedom, stream, work, team);
  applyHyperNoise(k, q, prior, last, next, sums, delta, variance, work, team);
}

}  // namespace sulcus
