#pragma once

#include "core/activation/sampler/marginal_kernel.h"
#include "gpu/activation/gibbs_team.cuh"

#include <type_traits>

// Iterations with any number of regressors and covariates; the whole block draws the hyper-parameters. For
// files compiled by nvcc only.

namespace sulcus::gpu::activation {
using namespace sulcus::activation;

/// Shared memory of a block: what all voxels share, then of each thread k + 2 normal numbers, slope and
/// curvature for interweaving and the work of its voxel, an odd number of floats so that all threads can read
/// theirs at once.
struct GeneralLayout {
  int k = 0, q = 0;
  bool correlated = false, interwoven = false;

  SULCUS_HD int sums() const { return hyperSums(k, q, interwoven); }
  SULCUS_HD int ofVoxel() const {
    return correlated ? CorrelatedWork<float, 0>::size(k) : VoxelWork<float, 0>::size(k);
  }
  SULCUS_HD int slope() const { return ofVoxel() + k + 2; }
  SULCUS_HD int curvature() const { return slope() + 1; }
  SULCUS_HD int ofThread() const { return (ofVoxel() + k + 2 + (interwoven ? 2 : 0)) | 1; }
  SULCUS_HD int floatsOfBlock() const { return k * k + 4 * k + k * q; }
  SULCUS_HD std::int64_t bytes(int threads) const {
    return 8 * std::int64_t(sums() + threads) + 4 * std::int64_t(floatsOfBlock() + threads * ofThread());
  }
  /// Doubles of a block in device memory: Δ, V_γ and the work of the hyper-draw.
  SULCUS_HD std::int64_t workSize() const { return hyperWork(k, q) + std::int64_t(k) * (k + q); }
};

/// Indices into w = (d, z) of the two factors of a sum.
struct Factors {
  int row, column;
};

/// Row and column of number e of a lower triangle by rows.
__device__ inline Factors rowAndColumn(int e) {
  int row = int((sqrtf(8.0f * float(e) + 1) - 1) / 2);
  while (inTriangle(row, 0) > e) --row;
  while (inTriangle(row + 1, 0) <= e) ++row;
  return {row, e - inTriangle(row, 0)};
}

/// The factors of number e of the hyperSums().
///
/// @param squares  number of those with the curvature, which come before those with the slope
__device__ inline Factors factorsOf(int k, int q, int squares, int e) {
  const int triangle = k * (k + 1) / 2, scatter = scatterSums(k, q);
  if (e < triangle) return rowAndColumn(e);
  if (e < scatter) return {k + (e - triangle) / k, (e - triangle) % k};
  if (e < scatter + squares) return rowAndColumn(e - scatter);
  return {e - scatter - squares, k};  // the first z, which is 1
}

/// The covariates after the first of the voxels of a tile.
struct TileCovariates {
  const float* first;
  std::int64_t stride;

  /// Number i ≥ k of w = (d, z) of a voxel.
  __device__ float known(int k, int i, int voxel) const {
    return i == k ? 1.0f : first[(i - k - 1) * stride + voxel];
  }
};

/// Adds the hyperSums() over the voxels of the threads: a warp for each number, which is the sum of products
/// of two of w = (d, z), some of them times the curvature or slope of the voxel.
__device__ inline void addTile(const GeneralLayout& at, const float* threads, const TileCovariates& z,
                               int voxels, double* sums) {
  const int k = at.k, n = k + at.q, lane = ownLane(), warps = blockDim.x / kWarpSize;
  const int scatter = scatterSums(k, at.q), squares = n * (n + 1) / 2;
  for (int e = threadIdx.x / kWarpSize; e < at.sums(); e += warps) {
    const Factors factors = factorsOf(k, at.q, squares, e);
    float sum = 0;
    for (int v = lane; v < voxels; v += kWarpSize) {
      const float* const thread = threads + v * at.ofThread();
      const auto known = [&](int i) { return i < k ? thread[i] : z.known(k, i, v); };
      float other = known(factors.row);
      if (e >= scatter) other *= thread[e < scatter + squares ? at.curvature() : at.slope()];
      sum = fusedMultiplyAdd(other, known(factors.column), sum);
    }
    const double all = sumOverLanes(double(sum));
    if (lane == 0) sums[e] += all;
  }
}

/// What a block of generalGibbs() holds for all of its voxels: in shared memory, and in device memory what
/// only the hyper-draw needs.
struct GeneralMemory {
  double *sums, *partial;
  float *axes, *scales, *rootScales, *direction, *proposedRoots, *means;
  float* threads;  ///< GeneralLayout::ofThread() floats of each thread
  DrawnHyper hyper;
  double* work;  ///< of the hyper-draw

  __device__ GeneralMemory(const GeneralLayout& layout, double* shared, double* device) {
    const int k = layout.k, q = layout.q;
    sums = shared;
    partial = sums + layout.sums();
    axes = reinterpret_cast<float*>(partial + blockDim.x);
    scales = axes + k * k;
    rootScales = scales + k;
    direction = rootScales + k;
    proposedRoots = direction + k;
    means = proposedRoots + k;
    threads = means + k * q;
    hyper = {{axes, scales, means}, device, device + q * k};
    work = hyper.variance + k * k;
  }
};

/// What an iteration needs besides the hyper-parameters themselves.
///
/// @return  the hyper-parameters proposed next, null if they are drawn
__device__ inline GibbsStep beginIteration(const GibbsJob& job, const GibbsBlock& block,
                                           const HyperPrior& prior, const GeneralMemory& memory, int t,
                                           const ThreadTeam& team) {
  const int k = job.k;
  for (int j = team.rank; j < k; j += team.size) {
    memory.rootScales[j] = sqrtf(memory.scales[j]);
    memory.direction[j] =
        float(shiftDirection(k, memory.axes, prior.toGamma, prior.shifted(k, std::uint32_t(t)), j));
  }
  if (!job.proposing()) {
    for (int e = team.rank; e < hyperSums(k, job.q, job.interwoven); e += team.size) memory.sums[e] = 0;
    team.sync();
    return {};
  }
  team.sync();
  const float* const next = proposalFor(job, block, min(t + 1, job.draws - 1));
  const HyperLayout record = job.record();
  for (int j = team.rank; j < k; j += team.size) memory.proposedRoots[j] = sqrtf(next[record.scales() + j]);
  team.sync();
  return {job.q, next, next + record.scales(), memory.proposedRoots, next + record.means()};
}

/// The hyper-parameters of iteration t + 1: those proposed, or again those of t.
///
/// @param change  a thread's sum of marginalChange()
__device__ inline void takeHyper(const GibbsJob& job, const GibbsBlock& block, int t, int meeting,
                                 double change, const GeneralMemory& memory) {
  const ThreadTeam team{int(threadIdx.x), int(blockDim.x)};
  double *const sums = memory.sums, *const partial = memory.partial;
  team.sync();
  partial[team.rank] = change;
  team.sync();
  if (team.rank == 0) {
    double sum = 0;
    for (int i = 0; i < team.size; ++i) sum += partial[i];
    sums[0] = sum;
  }
  team.sync();
  addBlocks(job, block, meeting, BlockTotals{sums, 1, partial}, team);
  // The leader's entry of this iteration is read by itself alone: blocks of a team may be ahead of it.
  const int now = int(sums[1]);
  const bool takes = takesProposal(job, block, t, now, sums[0]);
  team.sync();
  if (takes) {
    const HyperLayout at = job.record();
    const float* const from = proposalFor(job, block, t + 1);
    for (int i = team.rank; i < at.size(); i += team.size) numberOf(memory.hyper.parameters, at, i) = from[i];
  }
  if (team.rank == 0) {
    sums[1] = takes ? t + 1 : now;
    if (block.rank == 0) job.taken[placeOf(job, block, t + 1)] = int(sums[1]);
  }
  team.sync();
}

/// The voxel of a thread in an iteration.
template <bool Correlated>
struct ThreadVoxel {
  const GibbsJob& job;
  const GibbsBlock& block;
  std::int64_t voxel;
  float* normal;  ///< working memory of k + 2 numbers
  std::conditional_t<Correlated, CorrelatedWork<float, 0>, VoxelWork<float, 0>> work;
  VoxelData<float> data;
  float sigma2 = 0;

  /// @param memory  GeneralLayout::ofThread() floats
  __device__ ThreadVoxel(const GibbsJob& ofJob, const GibbsBlock& ofBlock, const GeneralLayout& layout,
                         float* memory)
      : job(ofJob), block(ofBlock), normal(memory + layout.ofVoxel()), work(memory, ofJob.k) {}

  __device__ void begin(std::int64_t at, bool exists) {
    voxel = at;
    const float squares = exists ? job.squares[voxel] : 0.0F;
    data = {job.estimate + voxel, job.precision + (Correlated ? voxel : 0), job.z + voxel, job.voxels,
            squares};
    sigma2 = 0;
  }
  /// As before the first iteration.
  __device__ void takeEstimate() {
    for (int j = 0; j < job.k; ++j) work.deviation[j] = job.estimate[j * job.voxels + voxel];
  }
  __device__ void draw(const GibbsStep& step, int t) {
    PhiloxStream<std::uint32_t> stream{job.key, job.ids[voxel], std::uint32_t(t), std::uint32_t(block.chain)};
    float chiSquare;
    drawNumbers(job.k, job.law, stream, normal, chiSquare);
    float& stored = job.sigma2[std::int64_t(block.chain) * job.voxels + voxel];
    const VoxelNumbers numbers{[&](int j) { return normal[j]; }, chiSquare};
    sigma2 = drawVoxel(job.k, step, data, stored, numbers, work);
    stored = sigma2;
  }
  /// Stores slope and curvature for interweaving, 0 unless the voxel counts.
  __device__ void storeShift(const GibbsStep& step, bool counts, float* to) {
    to[0] = to[1] = 0;
    if (counts) shiftTerms(job.k, step.direction, sigma2, work, to[0], to[1]);
  }
  __device__ void keep(const GibbsStep& step, int t) {
    setCovariance(job.k, step, work);
    const std::int64_t first = std::int64_t(block.chain) * job.voxels * MomentLayout{job.k}.size() + voxel;
    addMoments(job.k, KeptDraw{step.axes, job.inverse, job.plan, job.kept.before(t)}, sigma2,
               job.squares[voxel] * job.perFreedom, work, MomentSums{job.moments + first, job.voxels});
  }
};

/// An iteration and its hyper-parameters.
struct GeneralIteration {
  int t;
  bool keep;
  GibbsStep step, proposed;  ///< what beginIteration() returns
};

/// Draws the voxels of a tile, one in each thread, and adds them to the sums of the block.
///
/// @param start  of the tile, among the voxels of the block
/// @return       the thread's marginalChange(), if hyper-parameters are proposed
template <bool Correlated>
__device__ double drawTile(ThreadVoxel<Correlated>& voxel, const GeneralLayout& layout,
                           const GeneralMemory& memory, const GeneralIteration& now, int start) {
  const GibbsJob& job = voxel.job;
  const GibbsBlock& block = voxel.block;
  const int threads = blockDim.x, thread = threadIdx.x;
  const bool active = start + thread < block.voxels, proposing = job.proposing();
  voxel.begin(block.first + start + thread, active);
  if (active && now.t < 0) voxel.takeEstimate();
  if (active && now.t >= 0) voxel.draw(now.step, now.t);
  if (!proposing) {
    float* const mine = memory.threads + thread * layout.ofThread();
    if (job.interwoven) voxel.storeShift(now.step, active && now.t >= 0, mine + layout.slope());
    __syncthreads();
    addTile(layout, memory.threads, {job.z + block.first + start, job.voxels},
            min(threads, block.voxels - start), memory.sums);
    __syncthreads();
  }
  if (active && now.keep) voxel.keep(now.step, now.t);
  if (!active || !proposing) return 0;
  if (now.keep) setGram(job.k, now.step, voxel.data, voxel.work);  // setCovariance() took its place
  return marginalChange(job.k, now.step, now.proposed, voxel.data, voxel.sigma2, voxel.work);
}

/// Iterations [first, last) of a block's voxels.
template <bool Correlated>
__global__ void generalGibbs(const __grid_constant__ GibbsJob job, int first, int last) {
  extern __shared__ double generalMemory[];
  const GeneralLayout layout{job.k, job.q, Correlated, job.interwoven};
  const GeneralMemory memory(layout, generalMemory, job.work + blockIdx.x * layout.workSize());
  const GibbsBlock block = job.blocks[blockIdx.x];
  const ThreadTeam team{int(threadIdx.x), int(blockDim.x)};
  const HyperParameters& hyper = memory.hyper.parameters;
  const HyperPrior prior = job.prior(job.priors + std::int64_t(block.group) * job.priorSize(), block.group);
  const GibbsStep step{job.q, memory.axes, memory.scales, memory.rootScales, memory.means, memory.direction};
  ThreadVoxel<Correlated> voxel(job, block, layout, memory.threads + team.rank * layout.ofThread());

  loadHyper(job, block, first, hyper, team);
  if (job.proposing() && team.rank == 0) memory.sums[1] = job.taken[placeOf(job, block, first)];
  team.sync();
  for (int t = first; t < last; ++t) {
    const GeneralIteration now{t, t >= 0 && job.kept.isKept(t), step,
                               beginIteration(job, block, prior, memory, t, team)};
    double change = 0;
    for (int start = 0; start < block.voxels; start += team.size)
      change += drawTile(voxel, layout, memory, now, start);
    if (t + 1 == job.draws) break;
    if (job.proposing()) {
      takeHyper(job, block, t, t - first, change, memory);
      continue;
    }
    addBlocks(job, block, t - first, BlockTotals{memory.sums, layout.sums(), memory.partial}, team);
    drawHyper(job.k, job.q,
              HyperDraw{prior, hyper, hyper, memory.sums, hyperStream(job, block, t + 1),
                        job.interwoven && t >= 0, memory.hyper.delta, memory.hyper.variance, memory.work},
              team);
    if (block.rank == 0) storeHyper(job, block, t + 1, memory.hyper, team);
    team.sync();
  }
}

/// Threads of a block: as many as its shared memory has room for, at least a warp; 0 where not even that.
inline int generalThreads(const GeneralLayout& layout, int bytes) {
  for (int threads = 256; threads >= kWarpSize; threads /= 2)
    if (layout.bytes(threads) <= bytes) return threads;
  return 0;
}

}  // namespace sulcus::gpu::activation
