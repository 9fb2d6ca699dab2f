#pragma once

#include "core/activation/model/correlated_kernel.h"
#include "core/activation/model/hyper_prior_kernel.h"
#include "core/activation/model/team_matrix_kernel.h"

// Interweaving (Yu and Meng, J Comput Graph Stat 20 (2011) 531): between the voxels' draws and that of the
// hyper-parameters, both are moved together along one coefficient j, so that the chain does not mix slowly if
// the series carry little information on it. Given the deviations d = β − Δ'z, Δ and V_β are nearly
// determined: they follow d, which follows them. Therefore d_j becomes c (d_j + u'd), u among the other
// regressors of its block of V_β, and Δ_j becomes Δ_j + h, while V_β changes as the covariance of d does.
// This changes only the likelihood (and the prior of hyper-parameters, which has little weight): with the
// shift δ = new − old β_j of a voxel,
//   log likelihood = Σ e δ − ½ Σ g δ² + const,   e = −a'G(draw − g)/σ², g = a'Ga/σ², a = U'L'e_j
// in the axes U (correlated_kernel.h; G = I if the noise has no memory). u and h together have a normal
// distribution given c = 1; then log c is drawn separately. Both are draws from the conditional distribution
// along the orbit of a group of transformations, with its left Haar measure (Liu and Sabatti, Biometrika 87
// (2000) 353), which leaves the posterior invariant. Coefficients take turns, one per iteration,
// those with little information more often.
//
// With P = V_β⁻¹, p = P_j / P_jj (over the block), x = p − u, Ψ the scale of V_β and Δ its means, in β:
//   log prior = −½ P_jj (x'Ψx + a |Δx + h|²) + const of u and h,
//   log prior = −(ν_b + q) log c − ½ P_jj (K_jj / c² + 2 Σ_{l≠j} K_jl x_l / c) of c,   K = Ψ + a Δ'Δ.

namespace sulcus::activation {

/// Component a, in the axes U, of the direction in which β_j moves γ: U'L'e_j.
///
/// @param toGamma  of HyperPrior
SULCUS_HD inline double shiftDirection(int k, const float* axes, const double* toGamma, int j, int a) {
  double sum = 0;
  for (int i = 0; i < k; ++i) sum += double(axes[i * k + a]) * toGamma[i * k + j];
  return sum;
}

/// Slope e and curvature g of a voxel's likelihood along a direction. Must be called before setCovariance().
///
/// @param direction  k, from shiftDirection()
/// @param sigma2     σ² as drawn with `work`
template <class T, int K, class Size>
SULCUS_HD_INLINE void shiftTerms(Size k, const float* direction, T sigma2, const VoxelWork<T, K>& work,
                                 T& slope, T& curvature) {
  T s(0), c(0);
  repeat(k, [&](auto j) {
    s = fusedMultiplyAdd(T(-direction[j]), work.residual[j], s);
    c = fusedMultiplyAdd(T(direction[j]), T(direction[j]), c);
  });
  slope = s / sigma2;
  curvature = c / sigma2;
}
template <class T, int K, class Size>
SULCUS_HD_INLINE void shiftTerms(Size k, const float* direction, T sigma2, const CorrelatedWork<T, K>& work,
                                 T& slope, T& curvature) {
  T s(0), c(0);
  repeat(k, [&](auto j) {
    T turned(0);  // of G a
    for (int l = 0; l < k; ++l)
      turned = fusedMultiplyAdd(work.gram[inSymmetric(j, l)], T(direction[l]), turned);
    s = fusedMultiplyAdd(-turned, work.residual[j], s);
    c = fusedMultiplyAdd(turned, T(direction[j]), c);
  });
  slope = s / sigma2;
  curvature = c / sigma2;
}

/// Adds a voxel to the sums counted by shiftSums().
///
/// @param n      k + q
/// @param known  w = (d, z), n numbers
template <class T, class Size>
SULCUS_HD_INLINE void addShift(Size n, const T* known, T slope, T curvature, T* sums) {
  T* const slopes = sums + n * (n + 1) / 2;
  repeat(n, [&](auto i) {
    const T weighted = curvature * known[i];
    for (int j = 0; j <= i; ++j)
      sums[inTriangle(i, j)] = fusedMultiplyAdd(weighted, known[j], sums[inTriangle(i, j)]);
    slopes[i] = fusedMultiplyAdd(slope, known[i], slopes[i]);
  });
}

/// A draw from the density exp(logDensity(s)), by slice sampling from s = 0 with stepping out and shrinkage
/// (Neal, Ann Stat 31 (2003) 705).
///
/// @param width    of a step, independent of the state of the chain
/// @param uniform  uniform(i) is the i-th uniform number
template <class Density, class Uniform>
SULCUS_HD double drawBySlice(const Density& logDensity, double width, const Uniform& uniform) {
  constexpr int kSteps = 16;
  constexpr double kNarrowest = 1e-9;  // relative to the slice's width; then 0 itself, which lies in it, is
                                       // returned
  const double level = logDensity(0.0) + ::log(uniform(0));
  double low = -width * uniform(1), high = low + width;
  int below = int(kSteps * uniform(2)), above = kSteps - 1 - below;
  while (below-- > 0 && logDensity(low) > level) low -= width;
  while (above-- > 0 && logDensity(high) > level) high += width;
  for (int i = 3; high - low > kNarrowest * width; ++i) {
    const double s = low + uniform(i) * (high - low);
    if (logDensity(s) > level) return s;
    (s < 0 ? low : high) = s;
  }
  return 0;
}

/// The matrices of interweave(), in shiftWork(k, q) doubles; n = k + q, the length of w = (d, z).
struct ShiftWork {
  double* toBeta;    ///< L⁻ᵀU, k × k
  double* gram;      ///< Σ g w w' with d in β, n × n
  double* factor;    ///< precision of (u, h) and its Cholesky factor, n × n
  double* delta;     ///< Δ in β, q × k
  double* slope;     ///< Σ e w, n
  double* right;     ///< right-hand side of the normal equations, then the draw of (u, h), n
  double* ratio;     ///< p, k: 0 outside the block
  double* axis;      ///< a = U'L'e_j, k
  double* weights;   ///< y, k: the shift δ of a voxel is y'd
  double* products;  ///< Σ d (d'y), k, then Σ z (d'y), q

  SULCUS_HD ShiftWork(int k, int q, double* work)
      : toBeta(work),
        gram(toBeta + k * k),
        factor(gram + (k + q) * (k + q)),
        delta(factor + (k + q) * (k + q)),
        slope(delta + q * k),
        right(slope + k + q),
        ratio(right + k + q),
        axis(ratio + k),
        weights(axis + k),
        products(weights + k) {}
};

/// Element (row, column) of Σ w w' stored as rows of a lower triangle, with the d in w transformed to β.
template <class Team>
SULCUS_HD void turnShiftSums(int k, int q, const double* sums, const ShiftWork& at, const Team& team) {
  const int n = k + q, triangle = n * (n + 1) / 2;
  const auto turned = [&](int row, int column) {  // B of that row applied to the given column of Σ w w'
    if (row >= k) return sums[inSymmetric(row, column)];
    double sum = 0;
    for (int l = 0; l < k; ++l) sum += at.toBeta[row * k + l] * sums[inSymmetric(l, column)];
    return sum;
  };
  for (int x = team.rank; x < n * n; x += team.size) at.factor[x] = turned(x / n, x % n);
  for (int row = team.rank; row < n; row += team.size) {
    double sum = row < k ? 0.0 : sums[triangle + row];
    for (int l = 0; row < k && l < k; ++l) sum += at.toBeta[row * k + l] * sums[triangle + l];
    at.slope[row] = sum;
  }
  team.sync();
  for (int x = team.rank; x < n * n; x += team.size) {
    const int row = x / n, column = x % n;
    double sum = column < k ? 0.0 : at.factor[x];
    for (int l = 0; column < k && l < k; ++l) sum += at.factor[row * n + l] * at.toBeta[column * k + l];
    at.gram[x] = sum;
  }
  team.sync();
}

/// A move along coefficient j.
struct Shift {
  int k, q, j;
  double own;  ///< P_jj
  const HyperPrior& prior;
  const HyperStream& stream;

  /// Whether number i of (u, h) is drawn; the others remain 0.
  SULCUS_HD bool isFree(int i) const { return i >= k || (i != j && prior.together(i, j)); }
};

/// Element (row, column) of the precision that the prior adds to (u, h), per P_jj.
SULCUS_HD inline double priorPrecision(const Shift& shift, const ShiftWork& at, int row, int column) {
  const int k = shift.k;
  const double a = shift.prior.a;
  if (row >= k && column >= k) return row == column ? a : 0.0;
  if (row >= k) return -a * at.delta[(row - k) * k + column];
  if (column >= k) return -a * at.delta[(column - k) * k + row];
  double sum = shift.prior.scaleOfBeta[row * k + column];
  for (int c = 0; c < shift.q; ++c) sum += a * at.delta[c * k + row] * at.delta[c * k + column];
  return sum;
}

/// Number i of what the prior adds to the right-hand side, per P_jj.
SULCUS_HD inline double priorSide(const Shift& shift, const ShiftWork& at, int i) {
  const int k = shift.k;
  const double a = shift.prior.a;
  const auto product = [&](int c) {  // (Δp)_c
    double sum = 0;
    for (int l = 0; l < k; ++l) sum += at.delta[c * k + l] * at.ratio[l];
    return sum;
  };
  if (i >= k) return -a * product(i - k);
  double sum = 0;
  for (int l = 0; l < k; ++l) sum += shift.prior.scaleOfBeta[i * k + l] * at.ratio[l];
  for (int c = 0; c < shift.q; ++c) sum += a * at.delta[c * k + i] * product(c);
  return sum;
}

/// Replaces the right-hand side of the normal equations by a draw of (u, h), with the Cholesky factor of its
/// precision.
SULCUS_HD inline void drawAround(const Shift& shift, const ShiftWork& at) {
  const int n = shift.k + shift.q;
  float noise[4] = {};
  for (int i = 0; i < n; ++i) {
    double sum = at.right[i];
    for (int l = 0; l < i; ++l) sum -= at.factor[i * n + l] * at.right[l];
    at.right[i] = sum / at.factor[i * n + i];
  }
  for (int i = 0; i < n; ++i) {
    if (i % 4 == 0) shift.stream.normals(kShiftNormals + std::uint32_t(i / 4), noise);
    if (shift.isFree(i)) at.right[i] += noise[i % 4];
  }
  for (int i = n - 1; i >= 0; --i) {
    double sum = at.right[i];
    for (int l = i + 1; l < n; ++l) sum -= at.factor[l * n + i] * at.right[l];
    at.right[i] = sum / at.factor[i * n + i];
  }
}

/// Draws u and h given c = 1 into at.right; elements that are not part of u remain 0.
template <class Team>
SULCUS_HD void drawShift(const Shift& shift, const ShiftWork& at, const Team& team) {
  const int n = shift.k + shift.q;
  for (int x = team.rank; x < n * n; x += team.size) {
    const int row = x / n, column = x % n;
    const bool free = shift.isFree(row) && shift.isFree(column);
    const double unit = row == column ? 1.0 : 0.0;
    at.factor[x] = free ? at.gram[x] + shift.own * priorPrecision(shift, at, row, column) : unit;
  }
  for (int i = team.rank; i < n; i += team.size)
    at.right[i] = shift.isFree(i) ? at.slope[i] + shift.own * priorSide(shift, at, i) : 0.0;
  team.sync();
  choleskyInPlace(n, at.factor, team);
  if (team.rank == 0) drawAround(shift, at);
  team.sync();
}

/// Draws the scale c given u and h.
SULCUS_HD inline double drawScale(const Shift& shift, const ShiftWork& at) {
  const int k = shift.k, q = shift.q, j = shift.j, n = k + q;
  const HyperPrior& prior = shift.prior;
  const auto weight = [&](int i) { return i == j ? 1.0 : at.right[i]; };  // weights of d_j + u'd
  double curvature = 0, slope = 0, other = 0, square = prior.scaleOfBeta[j * k + j];
  for (int row = 0; row < k; ++row) {
    double left = at.slope[row];
    for (int i = 0; i < n; ++i) left -= at.gram[row * n + i] * at.right[i];
    slope += weight(row) * left;
    for (int i = 0; i < k; ++i) curvature += weight(row) * at.gram[row * n + i] * weight(i);
  }
  for (int c = 0; c < q; ++c) {
    const double mean = at.delta[c * k + j] + at.right[k + c];
    square += prior.a * mean * mean;
  }
  for (int l = 0; l < k; ++l) {
    if (l == j) continue;
    double covariance = prior.scaleOfBeta[j * k + l];
    for (int c = 0; c < q; ++c)
      covariance += prior.a * (at.delta[c * k + j] + at.right[k + c]) * at.delta[c * k + l];
    if (prior.together(j, l)) other += covariance * (at.ratio[l] - at.right[l]);
  }
  const double power = prior.nu - prior.otherBlocks(k, j) + q;
  const auto logDensity = [&](double s) {
    const double less = ::expm1(s), inverse = ::exp(-s);
    return less * (slope - 0.5 * less * curvature) - power * s -
           0.5 * shift.own * inverse * (square * inverse + 2 * other);
  };
  // About twice the s.d. of log c if the voxels' own deviations are known exactly; otherwise that is larger.
  const double width = 2 * reciprocalRoot(prior.freedom);
  return ::exp(
      drawBySlice(logDensity, width, [&](int i) { return shift.stream.uniformNumber(std::uint32_t(i)); }));
}

/// The input and output of interweave().
struct Interwoven {
  const HyperPrior& prior;
  const HyperParameters& last;  ///< of the iteration that the sums are from, the one before that of `stream`
  const HyperStream& stream;
  double* sums;   ///< hyperSums(k, q, true) in the axes of `last`; the first scatterSums() of them are moved
  double* means;  ///< U'Δ', k × q, of that iteration; moved
  double* work;   ///< shiftWork(k, q)
};

/// Sets at.toBeta, at.axis, at.ratio and at.delta for coefficient j.
///
/// @return  P_jj
template <class Size, class Team>
SULCUS_HD double setCoordinates(Size k, int q, int j, const Interwoven& in, const ShiftWork& at,
                                const Team& team) {
  const HyperPrior& prior = in.prior;
  const HyperParameters& last = in.last;
  for (int x = team.rank; x < k * k; x += team.size) {
    double sum = 0;
    for (int i = 0; i < k; ++i) sum += prior.toBeta[x / k * k + i] * double(last.axes[i * k + x % k]);
    at.toBeta[x] = sum;
  }
  for (int a = team.rank; a < k; a += team.size)
    at.axis[a] = shiftDirection(k, last.axes, prior.toGamma, j, a);
  team.sync();
  double own = 0;
  for (int a = 0; a < k; ++a) own += at.axis[a] * at.axis[a] / double(last.scales[a]);
  for (int l = team.rank; l < k; l += team.size) {
    double sum = 0;
    for (int a = 0; a < k; ++a)
      sum += at.axis[a] * shiftDirection(k, last.axes, prior.toGamma, l, a) / double(last.scales[a]);
    at.ratio[l] = prior.together(l, j) ? sum / own : 0.0;
  }
  for (int x = team.rank; x < q * k; x += team.size) {
    const int c = x / k, l = x % k;
    double sum = 0;
    for (int a = 0; a < k; ++a) sum += at.toBeta[l * k + a] * in.means[a * q + c];
    at.delta[x] = sum;
  }
  return own;
}

/// Moves the sums and U'Δ' by the shift y'd of each voxel along at.axis, y in at.weights.
template <class Size, class Team>
SULCUS_HD void moveSums(Size k, int q, const Interwoven& in, const ShiftWork& at, const Team& team) {
  double *const sums = in.sums, *const sumsOfZ = sums + k * (k + 1) / 2;
  for (int x = team.rank; x < k + q; x += team.size) {
    double sum = 0;
    for (int a = 0; a < k; ++a)
      sum += at.weights[a] * (x < k ? sums[inSymmetric(x, a)] : sumsOfZ[(x - k) * k + a]);
    at.products[x] = sum;
  }
  team.sync();
  double square = 0;
  for (int a = 0; a < k; ++a) square += at.weights[a] * at.products[a];
  for (int x = team.rank; x < k * k; x += team.size) {
    const int row = x / k, column = x % k;
    if (column <= row)
      sums[inTriangle(row, column)] += at.axis[row] * at.products[column] +
                                       at.axis[column] * at.products[row] +
                                       at.axis[row] * at.axis[column] * square;
  }
  for (int x = team.rank; x < q * k; x += team.size) {
    const int c = x / k, a = x % k;
    sumsOfZ[x] += at.products[k + c] * at.axis[a];
    in.means[a * q + c] += at.axis[a] * at.right[k + c];
  }
  team.sync();
}

/// Moves the sums of an iteration's voxels and Δ along one coefficient.
template <class Size, class Team>
SULCUS_HD void interweave(Size k, int q, const Interwoven& in, const Team& team) {
  const ShiftWork at(k, q, in.work);
  const int j = in.prior.shifted(k, in.stream.iteration - 1);
  const Shift shift{k, q, j, setCoordinates(k, q, j, in, at, team), in.prior, in.stream};
  turnShiftSums(k, q, in.sums + scatterSums(k, q), at, team);
  drawShift(shift, at, team);
  const double scale = drawScale(shift, at);
  for (int a = team.rank; a < k; a += team.size) {
    double sum = (scale - 1) * at.toBeta[j * k + a];
    for (int l = 0; l < k; ++l)
      if (l != j) sum += scale * at.right[l] * at.toBeta[l * k + a];
    at.weights[a] = sum;
  }
  team.sync();
  moveSums(k, q, in, at, team);
}

}  // namespace sulcus::activation
