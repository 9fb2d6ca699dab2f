#pragma once

#include "gpu/activation/gibbs_job.h"
#include "gpu/runtime/check.h"
#include "gpu/runtime/warp.cuh"

#include <cuda/atomic>
#include <cuda/barrier>

// What blocks of threads do together in an iteration. For files compiled by nvcc only.

namespace sulcus::gpu::activation {
using namespace sulcus::activation;

/// Where some threads of a block meet.
using ThreadBarrier = cuda::barrier<cuda::thread_scope_block>;

/// A block, as a team of hyper_kernel.h, or some of its threads, which meet at a barrier of their own.
struct ThreadTeam {
  int rank, size;
  ThreadBarrier* own = nullptr;

  __device__ void sync() const {
    if (own)
      own->arrive_and_wait();
    else
      __syncthreads();
  }
};

/// Sums 2 Half numbers of each two lanes that differ in bit `Half`: the lane where it is set keeps the upper
/// half of the sums, the other the lower half.
template <int Half>
__device__ void addAcross(float (&v)[32]) {
  const bool upper = threadIdx.x & Half;
#pragma unroll
  for (int i = 0; i < Half; ++i) {
    const float send = upper ? v[i] : v[i + Half];
    const float keep = upper ? v[i + Half] : v[i];
    v[i] = keep + __shfl_xor_sync(kAllLanes, send, Half);
  }
  if constexpr (Half > 1) addAcross<Half / 2>(v);
}

/// Each lane gets the sum over all lanes, in a fixed order, of number First + lane of N; 0 beyond the last.
template <int First, int N>
__device__ float sumForLane(const float (&all)[N]) {
  float v[32];
#pragma unroll
  for (int i = 0; i < 32; ++i) v[i] = First + i < N ? all[min(First + i, N - 1)] : 0.0f;
  addAcross<16>(v);
  return v[0];
}

/// One thread of each block of a team: comes and waits for the others. What the block wrote before is seen by
/// all of them afterwards.
__device__ inline void synchronizeBlocks(unsigned* arrived, unsigned expected) {
  const cuda::atomic_ref<unsigned, cuda::thread_scope_device> count(*arrived);
  count.fetch_add(1, cuda::memory_order_release);
  while (count.load(cuda::memory_order_acquire) < expected) {
  }
}

/// The sums of a block in shared memory.
struct BlockTotals {
  double* sums;
  int count;
  double* partial;  ///< working memory: 32 doubles a warp
};

/// Exchanges the sums of a team's blocks. Every block adds up all of them in the same order, so that all get
/// the same bits.
///
/// @param meeting  0, 1, … within a launch
template <class Team>
__device__ void addBlocks(const GibbsJob& job, const GibbsBlock& block, int meeting, const BlockTotals& own,
                          const Team& team) {
  if (block.size == 1) return;
  const int count = own.count;
  double* const totals = job.totals + std::int64_t(meeting % 2) * job.blockCount * count;
  for (int i = team.rank; i < count; i += team.size)
    totals[std::int64_t(block.leader + block.rank) * count + i] = own.sums[i];
  team.sync();
  if (team.rank == 0) synchronizeBlocks(job.arrived + block.leader, unsigned(meeting + 1) * block.size);
  team.sync();
  const int warp = team.rank / kWarpSize, lane = team.rank % kWarpSize, warps = team.size / kWarpSize;
  const double* const from = totals + std::int64_t(block.leader) * count;
  for (int first = 0; first < count; first += 32) {
    double sum = 0;
    if (first + lane < count) {
#pragma unroll 12
      for (int r = warp; r < block.size; r += warps)
        sum += __ldcg(from + std::int64_t(r) * count + first + lane);
    }
    own.partial[32 * warp + lane] = sum;
    team.sync();
    if (warp == 0 && first + lane < count) {
      for (int w = 1; w < warps; ++w) sum += own.partial[32 * w + lane];
      own.sums[first + lane] = sum;
    }
    team.sync();
  }
}

/// Place of an iteration of a block's chain and group.
__device__ inline std::int64_t placeOf(const GibbsJob& job, const GibbsBlock& block, int iteration) {
  return (std::int64_t(block.chain) * job.groups + block.group) * job.draws + iteration;
}

/// Where the hyper-parameters of an iteration stand in `job.hyper`: HyperLayout::size floats.
__device__ inline float* hyperRecord(const GibbsJob& job, const GibbsBlock& block, int iteration) {
  return job.hyper + placeOf(job, block, iteration) * job.record().size();
}

__device__ inline HyperStream hyperStream(const GibbsJob& job, const GibbsBlock& block, int iteration) {
  return {job.key, std::uint32_t(iteration), std::uint32_t(block.group), std::uint32_t(block.chain)};
}

/// The hyper-parameters proposed for an iteration.
__device__ inline const float* proposalFor(const GibbsJob& job, const GibbsBlock& block, int iteration) {
  return job.proposals + placeOf(job, block, iteration) * job.record().size();
}

/// Whether the chain takes the proposal of iteration t + 1 (HyperProposals::takes()), and keeps which it has.
///
/// @param now     the iteration whose proposal it has
/// @param change  Σ marginalChange() over the voxels
__device__ inline bool takesProposal(const GibbsJob& job, const GibbsBlock& block, int t, int now,
                                     double change) {
  const std::int64_t next = placeOf(job, block, t + 1);
  return change + job.weights[next] - job.weights[placeOf(job, block, now)] > job.levels[next];
}

/// Number i of a record.
__device__ inline float& numberOf(const HyperParameters& hyper, const HyperLayout& at, int i) {
  if (i < at.scales()) return hyper.axes[i];
  if (i < at.means()) return hyper.scales[i - at.scales()];
  return hyper.means[i - at.means()];
}

/// The hyper-parameters that an iteration starts with: those of the record, or before the first iteration
/// zero means and the axes of γ.
template <class Team>
__device__ void loadHyper(const GibbsJob& job, const GibbsBlock& block, int iteration,
                          const HyperParameters& to, const Team& team) {
  const HyperLayout at = job.record();
  const float* const from = job.proposing()
                                ? proposalFor(job, block, job.taken[placeOf(job, block, iteration)])
                                : hyperRecord(job, block, max(iteration, 0));
  for (int i = team.rank; i < at.size(); i += team.size) {
    const bool onDiagonal = i < at.scales() && i % (job.k + 1) == 0;
    float value = onDiagonal ? 1.0f : 0.0f;
    if (iteration >= 0) value = from[i];
    numberOf(to, at, i) = value;
  }
}

/// The hyper-parameters of an iteration, also as Δ and V_γ.
struct DrawnHyper {
  HyperParameters parameters;
  double *delta, *variance;
};

/// Writes the hyper-parameters of an iteration to the record, and Δ and V_γ where its draw is kept.
template <class Team>
__device__ void storeHyper(const GibbsJob& job, const GibbsBlock& block, int iteration,
                           const DrawnHyper& drawn, const Team& team) {
  const HyperLayout at = job.record();
  float* const to = hyperRecord(job, block, iteration);
  for (int i = team.rank; i < at.size(); i += team.size) to[i] = numberOf(drawn.parameters, at, i);
  const KeptDraws& kept = job.kept;
  if (!kept.isKept(iteration)) return;
  const int ofDelta = job.q * job.k, values = ofDelta + job.k * job.k;
  double* const draw =
      job.keptHyper +
      ((std::int64_t(block.chain) * job.groups + block.group) * job.keptCount + kept.before(iteration)) *
          values;
  for (int i = team.rank; i < values; i += team.size)
    draw[i] = i < ofDelta ? drawn.delta[i] : drawn.variance[i - ofDelta];
}

/// Queues `kernel(job, args…)` on as many blocks as the job has, all at once where they wait for each other.
template <class Kernel, class... Args>
void launchBlocks(Kernel* kernel, const GibbsJob& job, int sharedBytes, const Stream& stream, Args... args) {
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(unsigned(job.blockCount));
  config.blockDim = dim3(unsigned(job.threads));
  config.dynamicSmemBytes = std::size_t(sharedBytes);
  config.stream = stream.get();
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeCooperative;
  attribute.val.cooperative = job.together;
  config.attrs = &attribute;
  config.numAttrs = 1;
  SULCUS_CUDA(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, sharedBytes));
  SULCUS_CUDA(cudaLaunchKernelEx(&config, kernel, job, args...));
}

}  // namespace sulcus::gpu::activation
