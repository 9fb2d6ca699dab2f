#pragma once

#include "core/activation/sampler/marginal_kernel.h"
#include "gpu/activation/gibbs_fixed.h"
#include "gpu/activation/gibbs_jacobi.cuh"
#include "gpu/activation/gibbs_team.cuh"
#include "gpu/runtime/blocks.h"
#include "gpu/runtime/device.h"

#include <algorithm>
#include <type_traits>

// Iterations with K regressors and up to Q covariates, known to the compiler, and random numbers of philox.
// Some warps draw the voxels; while the others draw the hyper-parameters they draw the random numbers of the
// next iteration. For files compiled by nvcc only.

namespace sulcus::gpu::activation {
using namespace sulcus::activation;

inline constexpr int kHyperThreads = 128, kVoxelThreads = kFixedThreads - kHyperThreads;

/// What a block of fixedGibbs() holds in static shared memory.
template <int K, int Q>
struct FixedShared {
  static constexpr int kSums = hyperSums(K, Q, true), kSumsPadded = roundedUp(kSums, kWarpSize);

  double sums[kSums], delta[Q * K], variance[K * K], work[hyperWork(K, Q)], prior[GibbsJob::priorSize(K, Q)];
  double partial[kHyperThreads];
  ThreadBarrier hyperBarrier;
  float axes[K * K], scales[K], rootScales[K], means[K * Q], direction[K], inverse[K * K];
  float proposedAxes[K * K], proposedScales[K], proposedRoots[K], proposedMeans[K * Q];
  int taken;  ///< the iteration whose proposal the hyper-parameters are
  float warpSums[kVoxelThreads / kWarpSize][kSumsPadded];
};

/// The voxels of a block, in shared or device memory; quantities `stride` apart.
struct VoxelView {
  const float *estimate, *precision, *z, *squares;
  const std::uint32_t* ids;
  float* sigma2;
  std::int64_t stride;
};

/// What drawVoxels() reads.
template <int K, int Q>
struct BlockView {
  const FixedShared<K, Q>& shared;
  const VoxelView& voxels;
};

/// Shared memory of a block that holds the voxels' data, and of rows of random numbers; a row is a voxel of
/// each thread.
struct FixedRows {
  int staged = 0, ahead = 0;

  SULCUS_HD static int floatsOfVoxel(int k, int q, bool correlated) {
    return k + q + 2 + (correlated ? k * (k + 1) / 2 : 0);
  }
  SULCUS_HD int floats(int k, int q, bool correlated) const {
    return kVoxelThreads * (staged * floatsOfVoxel(k, q, correlated) + ahead * (k + 1));
  }
};

/// What the voxels of iteration t need besides its hyper-parameters.
template <int K, int Q>
__device__ void setStep(const GibbsJob& job, FixedShared<K, Q>& s, int group, int t, int rank) {
  if (rank >= K) return;
  s.rootScales[rank] = sqrtf(s.scales[rank]);
  const HyperPrior prior = job.prior(s.prior, group);
  s.direction[rank] =
      float(shiftDirection(K, s.axes, prior.toGamma, prior.shifted(K, std::uint32_t(t)), rank));
}

/// Loads what is proposed for iteration t.
template <int K, int Q, class Team>
__device__ void loadProposal(const GibbsJob& job, const GibbsBlock& block, FixedShared<K, Q>& s, int t,
                             const Team& team) {
  if (t >= job.draws) return;
  const HyperLayout at = job.record();
  const float* const from = proposalFor(job, block, t);
  for (int i = team.rank; i < at.size(); i += team.size)
    numberOf({s.proposedAxes, s.proposedScales, s.proposedMeans}, at, i) = from[i];
  for (int j = team.rank; j < K; j += team.size) s.proposedRoots[j] = sqrtf(from[at.scales() + j]);
}

/// Place among the hyperSums() of Q covariates of number i of those of q ≤ Q.
template <int K, int Q>
__device__ int placeForMost(int q, int i) {
  const int shift = i - scatterSums(K, q), squares = (K + q) * (K + q + 1) / 2;
  if (shift < 0) return i;
  const bool isSlope = shift >= squares;
  return scatterSums(K, Q) + (isSlope ? (K + Q) * (K + Q + 1) / 2 + shift - squares : shift);
}

/// The hyper-parameters of iteration t + 1: those proposed, or again those of t.
template <int K, int Q>
__device__ void takeHyperParameters(const GibbsJob& job, const GibbsBlock& block, FixedShared<K, Q>& s, int t,
                                    const WarpTeam& warp) {
  const bool takes = takesProposal(job, block, t, s.taken, s.sums[0]);
  warp.sync();
  if (takes) {
    const HyperLayout at = job.record();
    const HyperParameters hyper{s.axes, s.scales, s.means};
    const HyperParameters proposed{s.proposedAxes, s.proposedScales, s.proposedMeans};
    for (int i = warp.rank; i < at.size(); i += warp.size) numberOf(hyper, at, i) = numberOf(proposed, at, i);
    for (int j = warp.rank; j < K; j += warp.size) s.rootScales[j] = s.proposedRoots[j];
    if (warp.rank == 0) s.taken = t + 1;
  }
  warp.sync();
  if (warp.rank == 0 && block.rank == 0) job.taken[placeOf(job, block, t + 1)] = s.taken;
  loadProposal<K, Q>(job, block, s, t + 2, warp);
}

/// Draws the hyper-parameters of iteration t + 1 from the sums of the warps, which are those of t.
template <int K, int Q>
__device__ void drawHyperParameters(const GibbsJob& job, const GibbsBlock& block, FixedShared<K, Q>& s, int t,
                                    int meeting) {
  const int q = Q == 1 ? 1 : job.q;
  const int count = job.proposing() ? 1 : hyperSums(K, q, job.interwoven);
  const ThreadTeam all{int(threadIdx.x), kHyperThreads, &s.hyperBarrier};
  const WarpTeam warp{int(threadIdx.x)};
  for (int i = all.rank; i < count; i += all.size) {
    const int from = placeForMost<K, Q>(q, i);
    double sum = 0;
#pragma unroll
    for (int w = 0; w < kVoxelThreads / kWarpSize; ++w) sum += double(s.warpSums[w][from]);
    s.sums[i] = sum;
  }
  all.sync();
  addBlocks(job, block, meeting, BlockTotals{s.sums, count, s.partial}, all);
  if (all.rank >= kWarpSize) return;
  if (job.proposing()) return takeHyperParameters<K, Q>(job, block, s, t, warp);
  const HyperPrior prior = job.prior(s.prior, block.group);
  const HyperParameters hyper{s.axes, s.scales, s.means};
  applyHyperNoise(Fixed<K>(), q,
                  HyperDraw{prior, hyper, hyper, s.sums, hyperStream(job, block, t + 1),
                            job.interwoven && t >= 0, s.delta, s.variance, s.work},
                  warp);
  setStep<K, Q>(job, s, block.group, t + 1, all.rank);
  warp.sync();
  if (block.rank == 0) storeHyper(job, block, t + 1, DrawnHyper{hyper, s.delta, s.variance}, warp);
}

/// Random numbers drawn ahead, for the first `rows` voxels of each thread: in each row k normal numbers and a
/// χ², threads fastest.
struct NumbersAhead {
  int rows;
  float* first;
};

/// The random numbers of a voxel.
template <int K>
struct OwnNumbers {
  float normal[K + 2], chiSquare;

  __device__ OwnNumbers(const GibbsJob& job, const GibbsBlock& block, std::uint32_t id, int t) {
    PhiloxStream<std::uint32_t> stream{job.key, id, std::uint32_t(t), std::uint32_t(block.chain)};
    drawNumbers(Fixed<K>(), job.law, stream, normal, chiSquare);
  }
  /// Those drawn ahead.
  __device__ explicit OwnNumbers(const float* from) {
#pragma unroll
    for (int j = 0; j < K; ++j) normal[j] = from[j * kVoxelThreads];
    chiSquare = from[K * kVoxelThreads];
  }
};

/// Draws the random numbers of iteration t.
template <int K>
__device__ void drawAhead(const GibbsJob& job, const GibbsBlock& block, const VoxelView& at, int t,
                          const NumbersAhead& ahead) {
  const int thread = threadIdx.x - kHyperThreads;
  for (int row = 0, i = thread; row < ahead.rows && i < block.voxels; ++row, i += kVoxelThreads) {
    const OwnNumbers<K> numbers(job, block, at.ids[i], t);
    float* const to = ahead.first + row * (K + 1) * kVoxelThreads + thread;
#pragma unroll
    for (int j = 0; j < K; ++j) to[j * kVoxelThreads] = numbers.normal[j];
    to[K * kVoxelThreads] = numbers.chiSquare;
  }
}

/// Fetches the sums that addMoments() reads one after the other.
template <int K>
__device__ __forceinline__ void prefetchMoments([[maybe_unused]] const MomentSums& moments) {
#ifdef __NVCC__
#pragma unroll
  for (int slot = 0; slot < MomentLayout{K}.batches(); ++slot)
    asm volatile("prefetch.global.L1 [%0];" ::"l"(moments.first + slot * moments.stride));
#endif
}

/// Adds a voxel to the scatterSums(), those of Q covariates.
template <int K, int Q, class Work>
__device__ __forceinline__ void addScatterOf(int q, const VoxelView& at, int i, const Work& work,
                                             float (&sums)[hyperSums(K, Q, true)]) {
  constexpr int triangle = K * (K + 1) / 2;
  int sum = 0;
#pragma unroll
  for (int a = 0; a < K; ++a)
#pragma unroll
    for (int b = 0; b <= a; ++b, ++sum)
      sums[sum] = fusedMultiplyAdd(work.deviation[a], work.deviation[b], sums[sum]);
#pragma unroll
  for (int a = 0; a < K; ++a) sums[triangle + a] += work.deviation[a];
#pragma unroll
  for (int c = 1; c < Q; ++c)
    if (c < q) {
      const float z = at.z[(c - 1) * at.stride + i];
#pragma unroll
      for (int a = 0; a < K; ++a)
        sums[triangle + c * K + a] = fusedMultiplyAdd(z, work.deviation[a], sums[triangle + c * K + a]);
    }
}

/// A voxel in an iteration.
template <int K, bool Correlated>
struct OwnVoxel {
  VoxelData<float> data;
  std::conditional_t<Correlated, CorrelatedWork<float, K>, VoxelWork<float, K>> work;
  float sigma2 = 0;

  __device__ OwnVoxel(const VoxelView& at, int i)
      : data{at.estimate + i, at.precision + i, at.z + i, at.stride, at.squares[i]} {}

  /// As before the first iteration.
  __device__ void takeEstimate() {
#pragma unroll
    for (int j = 0; j < K; ++j) work.deviation[j] = data.estimate[j * data.stride];
  }
  __device__ void draw(const GibbsStep& step, float before, const OwnNumbers<K>& own) {
    const VoxelNumbers numbers{[&](int j) { return own.normal[j]; }, own.chiSquare};
    sigma2 = drawVoxel(Fixed<K>(), step, data, before, numbers, work);
  }
  __device__ float changeTo(const GibbsStep& proposed, const GibbsStep& step) const {
    decltype(work) other;
    takeGram(Fixed<K>(), work, other);
    return marginalChange(Fixed<K>(), step, proposed, data, sigma2, other);
  }
};

/// Adds a voxel to the shiftSums(), those of Q covariates.
template <int K, int Q, bool Correlated>
__device__ void addShiftOf(const GibbsStep& step, const VoxelView& at, int i,
                           const OwnVoxel<K, Correlated>& voxel, float (&sums)[hyperSums(K, Q, true)]) {
  float slope, curvature, known[K + Q];
  shiftTerms(Fixed<K>(), step.direction, voxel.sigma2, voxel.work, slope, curvature);
#pragma unroll
  for (int a = 0; a < K; ++a) known[a] = voxel.work.deviation[a];
  known[K] = 1;
#pragma unroll
  for (int c = 1; c < Q; ++c) known[K + c] = c < step.q ? at.z[(c - 1) * at.stride + i] : 0.0f;
  addShift(Fixed<K + Q>(), known, slope, curvature, sums + scatterSums(K, Q));
}

/// Adds a voxel to the sums of a draw of the hyper-parameters.
template <int K, int Q, bool Correlated>
__device__ __forceinline__ void addVoxel(const GibbsStep& step, const VoxelView& at, int i,
                                         const OwnVoxel<K, Correlated>& voxel, bool interwoven,
                                         float (&sums)[hyperSums(K, Q, true)]) {
  addScatterOf<K, Q>(step.q, at, i, voxel.work, sums);
  if (interwoven) addShiftOf<K, Q>(step, at, i, voxel, sums);
}

/// Draws a thread's voxels in iteration t and sums what the hyper-draw needs of them. Iteration −1 only sums
/// up the estimates.
///
/// @param view  the data of the block's voxels, and its hyper-parameters
template <int K, int Q, bool Correlated>
__device__ void drawVoxels(const GibbsJob& job, const GibbsBlock& block, const BlockView<K, Q>& view,
                           const NumbersAhead& ahead, int t, float (&sums)[hyperSums(K, Q, true)]) {
  const auto& [s, at] = view;
  const int thread = threadIdx.x - kHyperThreads, q = Q == 1 ? 1 : job.q;
  const GibbsStep step{q, s.axes, s.scales, s.rootScales, s.means, s.direction};
  const GibbsStep proposed{q, s.proposedAxes, s.proposedScales, s.proposedRoots, s.proposedMeans};
  const bool keep = t >= 0 && job.kept.isKept(t);
  const KeptDraw kept{s.axes, s.inverse, job.plan, keep ? job.kept.before(t) : 0};
#pragma unroll
  for (int i = 0; i < hyperSums(K, Q, true); ++i) sums[i] = 0;
  for (int row = 0, i = thread; i < block.voxels; ++row, i += kVoxelThreads) {
    OwnVoxel<K, Correlated> voxel(at, i);
    const MomentSums moments{
        job.moments + std::int64_t(block.chain) * MomentLayout{K}.size() * job.voxels + block.first + i,
        job.voxels};
    if (keep) prefetchMoments<K>(moments);
    if (t < 0) {
      voxel.takeEstimate();
    } else {
      const float* const from = ahead.first + row * (K + 1) * kVoxelThreads + thread;
      voxel.draw(step, at.sigma2[i],
                 row < ahead.rows ? OwnNumbers<K>(from) : OwnNumbers<K>(job, block, at.ids[i], t));
      at.sigma2[i] = voxel.sigma2;
    }
    if (job.proposing())
      sums[0] += voxel.changeTo(proposed, step);
    else
      addVoxel<K, Q>(step, at, i, voxel, job.interwoven && t >= 0, sums);
    if (keep) {
      setCovariance(Fixed<K>(), step, voxel.work);
      addMoments(Fixed<K>(), kept, voxel.sigma2, voxel.data.squares * job.perFreedom, voxel.work, moments);
    }
  }
}

/// Writes the sums over a warp's lanes, see hyperSums(), to `to`.
template <int First = 0, int N>
__device__ void sumWarp(const float (&sums)[N], float* to) {
  to[First + ownLane()] = sumForLane<First>(sums);
  if constexpr (First + kWarpSize < N) sumWarp<First + kWarpSize>(sums, to);
}

/// Copies the data of a block's voxels to shared memory where there is room for them.
template <int K, bool Correlated>
__device__ VoxelView stageVoxels(const GibbsJob& job, const GibbsBlock& block, int rows, float* memory) {
  const std::int64_t m = job.voxels, first = block.first;
  float* const sigma2 = job.sigma2 + block.chain * m + first;
  const VoxelView outside{job.estimate + first,
                          job.precision + (Correlated ? first : 0),
                          job.z + first,
                          job.squares + first,
                          job.ids + first,
                          sigma2,
                          m};
  if (rows == 0) return outside;
  const int stride = rows * kVoxelThreads, q = job.q;
  float* const estimate = memory;
  float* const z = estimate + K * stride;
  float* const squares = z + (q - 1) * stride;
  float* const inside2 = squares + stride;
  std::uint32_t* const ids = reinterpret_cast<std::uint32_t*>(inside2 + stride);
  float* const precision = reinterpret_cast<float*>(ids + stride);
  for (int i = threadIdx.x; i < block.voxels; i += kFixedThreads) {
    for (int j = 0; j < K; ++j) estimate[j * stride + i] = outside.estimate[j * m + i];
    for (int c = 0; c < q - 1; ++c) z[c * stride + i] = outside.z[c * m + i];
    squares[i] = outside.squares[i];
    inside2[i] = sigma2[i];
    ids[i] = outside.ids[i];
    for (int j = 0; Correlated && j < K * (K + 1) / 2; ++j)
      precision[j * stride + i] = outside.precision[j * m + i];
  }
  return {estimate, precision, z, squares, ids, inside2, stride};
}

/// Copies the σ² of a block's staged voxels back.
__device__ inline void storeVariances(const GibbsJob& job, const GibbsBlock& block, const VoxelView& staged) {
  for (int i = threadIdx.x - kHyperThreads; i < block.voxels; i += kVoxelThreads)
    job.sigma2[block.chain * job.voxels + block.first + i] = staged.sigma2[i];
}

/// Loads what the block shares for iteration `first`.
template <int K, int Q>
__device__ void loadShared(const GibbsJob& job, const GibbsBlock& block, FixedShared<K, Q>& s, int first) {
  const ThreadTeam whole{int(threadIdx.x), kFixedThreads};
  loadHyper(job, block, first, {s.axes, s.scales, s.means}, whole);
  for (int i = whole.rank; i < job.priorSize(); i += whole.size)
    s.prior[i] = job.priors[std::int64_t(block.group) * job.priorSize() + i];
  for (int i = whole.rank; i < K * K; i += whole.size) s.inverse[i] = job.inverse[i];
  whole.sync();
  setStep<K, Q>(job, s, block.group, first, whole.rank);
  if (job.proposing()) {
    if (whole.rank == 0) s.taken = job.taken[placeOf(job, block, first)];
    loadProposal<K, Q>(job, block, s, first + 1, whole);
  }
  whole.sync();
}

/// Iterations [first, last) of a block's voxels.
template <int K, int Q, bool Correlated>
__global__ void __launch_bounds__(kFixedThreads, 1)
    fixedGibbs(const __grid_constant__ GibbsJob job, int first, int last, FixedRows rows) {
  extern __shared__ float fixedMemory[];
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ FixedShared<K, Q> s;
#pragma nv_diag_default static_var_with_dynamic_init
  if (threadIdx.x == 0) init(&s.hyperBarrier, kHyperThreads);
  const GibbsBlock block = job.blocks[blockIdx.x];
  const VoxelView at = stageVoxels<K, Correlated>(job, block, rows.staged, fixedMemory);
  const NumbersAhead ahead{
      rows.ahead, fixedMemory + kVoxelThreads * rows.staged * FixedRows::floatsOfVoxel(K, job.q, Correlated)};
  loadShared<K, Q>(job, block, s, first);

  // Both roles meet twice in an iteration: when there are sums, and when there are hyper-parameters.
  const bool hyper = threadIdx.x < kHyperThreads;
  if (!hyper && first >= 0) drawAhead<K>(job, block, at, first, ahead);
  for (int t = first; t < last; ++t) {
    const bool more = t + 1 < job.draws;
    if (!hyper) {
      float sums[hyperSums(K, Q, true)];
      drawVoxels<K, Q, Correlated>(job, block, BlockView<K, Q>{s, at}, ahead, t, sums);
      __syncwarp();
      sumWarp(sums, s.warpSums[(threadIdx.x - kHyperThreads) / kWarpSize]);
    } else if (more && threadIdx.x < kWarpSize && !job.proposing()) {
      drawHyperNoise(Fixed<K>(), Q == 1 ? 1 : job.q, job.prior(s.prior, block.group),
                     hyperStream(job, block, t + 1), s.work, WarpTeam{int(threadIdx.x)});
    }
    __syncthreads();
    if (hyper && more) drawHyperParameters<K, Q>(job, block, s, t, t - first);
    if (!hyper && t + 1 < last) drawAhead<K>(job, block, at, t + 1, ahead);
    __syncthreads();
  }
  if (!hyper && rows.staged > 0) storeVariances(job, block, at);
}

/// Rows for a grid whose largest block has `voxels` voxels, in `bytes` of dynamic shared memory.
inline FixedRows rowsFor(int k, int q, bool correlated, int voxels, int bytes) {
  const int rows = ceilDivide(voxels, kVoxelThreads);
  const int room = bytes / int(sizeof(float)) / kVoxelThreads,
            ofVoxel = FixedRows::floatsOfVoxel(k, q, correlated);
  const int staged = rows * ofVoxel <= room ? rows : 0;
  return {staged, std::min(rows, (room - staged * ofVoxel) / (k + 1))};
}

template <int K, int Q, bool Correlated>
void launchFixed(const GibbsJob& job, int first, int last, const Stream& stream) {
  const int room = sharedBytesPerBlock() - int(sizeof(FixedShared<K, Q>));
  const FixedRows rows = rowsFor(K, job.q, Correlated, job.mostVoxels, room);
  launchBlocks(&fixedGibbs<K, Q, Correlated>, job, int(sizeof(float)) * rows.floats(K, job.q, Correlated),
               stream, first, last, rows);
}

}  // namespace sulcus::gpu::activation
