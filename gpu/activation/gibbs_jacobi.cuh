#pragma once

#include "core/activation/sampler/gibbs_kernel.h"
#include "core/activation/sampler/hyper_kernel.h"
#include "gpu/runtime/warp.cuh"

// The eigenvectors of hyper_kernel.h by one warp in registers. For files compiled by nvcc only.

namespace sulcus::gpu::activation {
using namespace sulcus::activation;

/// A whole warp, as a team of hyper_kernel.h.
struct WarpTeam {
  int rank;
  static constexpr int size = kWarpSize;

  __device__ void sync() const { __syncwarp(); }
};

/// The index that is rotated against j in a round, see jacobiPair(); j itself if there is none.
template <int K>
__device__ __forceinline__ int partnerOf(int round, int j) {
  constexpr int n = jacobiRounds(K);
  int partner = 2 * round - j;
  if (partner < 0) partner += n;
  if (partner >= n) partner -= n;
  if (K > n && j == n) partner = round;
  if (K > n && j == round) partner = n;
  return partner;
}

/// An element of a column in registers.
template <int K>
__device__ __forceinline__ double elementOf(const double (&column)[K], int row) {
  double value = column[0];
#pragma unroll
  for (int i = 1; i < K; ++i) value = i == row ? column[i] : value;
  return value;
}

/// isDiagonal() of a matrix whose column j is `a` in lane j.
template <int K>
__device__ __forceinline__ bool isDiagonal(const double (&a)[K], int j) {
  const double diagonal = elementOf(a, j);
  bool done = true;
#pragma unroll
  for (int i = 0; i < K; ++i) {
    const double other = __shfl_sync(kAllLanes, diagonal, i);
    done = done && (i == j || a[i] * a[i] <= kJacobiTolerance * diagonal * other);
  }
  return __all_sync(kAllLanes, done);
}

/// rotatePairs() of the matrix and the vectors, of which lane j holds columns `a` and `v`.
template <int K>
__device__ __forceinline__ void rotateRound(double (&a)[K], double (&v)[K], int j, int round, float unit) {
  const int partner = partnerOf<K>(round, j);
  const double mine = elementOf(a, j), theirs = __shfl_sync(kAllLanes, mine, partner);
  const bool first = j < partner;
  double c, s;
  jacobiRotation(unit * float(first ? theirs - mine : mine - theirs), unit * float(2 * elementOf(a, partner)),
                 c, s);
  if (partner == j) {
    c = 1;
    s = 0;
  }
  const double sign = first ? -s : s;
#pragma unroll
  for (int i = 0; i < K; ++i) {
    a[i] = c * a[i] + sign * __shfl_sync(kAllLanes, a[i], partner);
    v[i] = c * v[i] + sign * __shfl_sync(kAllLanes, v[i], partner);
  }
#pragma unroll
  for (int p = 0; p < K; ++p) {
    const int q = partnerOf<K>(round, p);
    if (q <= p) continue;
    const double cp = __shfl_sync(kAllLanes, c, p), sp = __shfl_sync(kAllLanes, s, p), before = a[p];
    a[p] = cp * before - sp * a[q];
    a[q] = sp * before + cp * a[q];
  }
}

/// jacobi() of team_matrix_kernel.h: the same rotations in the same order. Lane j holds column j of both
/// matrices; those beyond the last column do again what the first ones do.
template <int K>
__device__ void jacobi(Fixed<K>, const JacobiWork& work, const WarpTeam& team) {
  const int j = team.rank % K;
  double a[K], v[K];
  float unit = 0;
#pragma unroll
  for (int i = 0; i < K; ++i) {
    a[i] = work.matrix[i * K + j];
    v[i] = i == j ? 1.0 : 0.0;
    unit += float(work.matrix[i * K + i]);
  }
  unit = 1 / unit;
  for (int sweep = 0; sweep < kJacobiSweeps; ++sweep) {
    if (isDiagonal(a, j)) break;
#pragma unroll
    for (int round = 0; round < jacobiRounds(K); ++round) rotateRound(a, v, j, round, unit);
  }
  __syncwarp();
  if (team.rank < K) {
#pragma unroll
    for (int i = 0; i < K; ++i) {
      work.matrix[i * K + j] = a[i];
      work.vectors[i * K + j] = v[i];
    }
  }
  __syncwarp();
}

}  // namespace sulcus::gpu::activation
