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

/// jacobi() of hyper_kernel.h: the same rotations in the same order. Lane j holds column j of both matrices;
/// those beyond the last column do again what the first ones do.
template <int K>
__device__ void jacobi(Fixed<K>, double* matrix, double* vectors, double*, const WarpTeam& team) {
  constexpr int n = K % 2 == 1 ? K : K - 1;
  const int j = team.rank % K;
  double a[K], v[K];
  float unit = 0;
#pragma unroll
  for (int i = 0; i < K; ++i) {
    a[i] = matrix[i * K + j];
    v[i] = i == j ? 1.0 : 0.0;
    unit += float(matrix[i * K + i]);
  }
  unit = 1 / unit;
  const auto own = [&](int row) {
    double value = a[0];
#pragma unroll
    for (int i = 1; i < K; ++i) value = i == row ? a[i] : value;
    return value;
  };
  for (int sweep = 0; sweep < 30; ++sweep) {
    const double diagonal = own(j);
    bool done = true;
#pragma unroll
    for (int i = 0; i < K; ++i) {
      const double other = __shfl_sync(kAllLanes, diagonal, i);
      done = done && (i == j || a[i] * a[i] <= kJacobiTolerance * diagonal * other);
    }
    if (__all_sync(kAllLanes, done)) break;
#pragma unroll
    for (int round = 0; round < n; ++round) {
      int partner = 2 * round - j;
      partner += partner < 0 ? n : partner >= n ? -n : 0;
      if (K > n) partner = j == n ? round : j == round ? n : partner;
      const double mine = own(j), theirs = __shfl_sync(kAllLanes, mine, partner);
      const bool first = j < partner;
      double c, s;
      jacobiRotation(unit * float(first ? theirs - mine : mine - theirs), unit * float(2 * own(partner)), c,
                     s);
      if (partner == j) c = 1, s = 0;
      const double sign = first ? -s : s;
#pragma unroll
      for (int i = 0; i < K; ++i) {
        a[i] = c * a[i] + sign * __shfl_sync(kAllLanes, a[i], partner);
        v[i] = c * v[i] + sign * __shfl_sync(kAllLanes, v[i], partner);
      }
#pragma unroll
      for (int p = 0; p < K; ++p) {
        int q = (2 * round - p + 2 * n) % n;
        if (K > n) q = p == n ? round : p == round ? n : q;
        if (q <= p) continue;
        const double cp = __shfl_sync(kAllLanes, c, p), sp = __shfl_sync(kAllLanes, s, p), before = a[p];
        a[p] = cp * before - sp * a[q];
        a[q] = sp * before + cp * a[q];
      }
    }
  }
  __syncwarp();
  if (team.rank < K) {
#pragma unroll
    for (int i = 0; i < K; ++i) {
      matrix[i * K + j] = a[i];
      vectors[i * K + j] = v[i];
    }
  }
  __syncwarp();
}

}  // namespace sulcus::gpu::activation
