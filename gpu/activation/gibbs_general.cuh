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

/// Row and column of number e of a lower triangle by rows.
__device__ inline void rowAndColumn(int e, int& row, int& column) {
  row = int((sqrtf(8.0f * float(e) + 1) - 1) / 2);
  while (inTriangle(row, 0) > e) --row;
  while (inTriangle(row + 1, 0) <= e) ++row;
  column = e - inTriangle(row, 0);
}

/// Adds the hyperSums() over the voxels of the threads: a warp for each number, which is the sum of products
/// of two of w = (d, z), some of them times the curvature or slope of the voxel.
__device__ inline void addTile(const GeneralLayout& at, const float* threads, const float* z,
                               std::int64_t zStride, int voxels, double* sums) {
  const int k = at.k, n = k + at.q, lane = ownLane(), warps = blockDim.x / kWarpSize;
  const int triangle = k * (k + 1) / 2, scatter = scatterSums(k, at.q), squares = n * (n + 1) / 2;
  for (int e = threadIdx.x / kWarpSize; e < at.sums(); e += warps) {
    int row = 0, column = 0;
    if (e < triangle)
      rowAndColumn(e, row, column);
    else if (e < scatter)
      row = k + (e - triangle) / k, column = (e - triangle) % k;
    else if (e < scatter + squares)
      rowAndColumn(e - scatter, row, column);
    else
      row = e - scatter - squares, column = k;  // the first z, which is 1
    float sum = 0;
    for (int v = lane; v < voxels; v += kWarpSize) {
      const float* const thread = threads + v * at.ofThread();
      const auto known = [&](int i) {
        return i < k ? thread[i] : i == k ? 1.0f : z[(i - k - 1) * zStride + v];
      };
      float other = known(row);
      if (e >= scatter) other *= thread[e < scatter + squares ? at.curvature() : at.slope()];
      sum = fusedMultiplyAdd(other, known(column), sum);
    }
    const double all = sumOverLanes(double(sum));
    if (lane == 0) sums[e] += all;
  }
}

/// The hyper-parameters of iteration t + 1: those proposed, or again those of t.
///
/// @param change   a thread's sum of marginalChange()
/// @param partial  a double for each thread
__device__ inline void takeHyper(const GibbsJob& job, const GibbsBlock& block, int t, int meeting,
                                 double change, const HyperParameters& hyper, double* sums, double* partial,
                                 const ThreadTeam& team) {
  team.sync();
  partial[team.rank] = change;
  team.sync();
  if (team.rank == 0) {
    double sum = 0;
    for (int i = 0; i < team.size; ++i) sum += partial[i];
    sums[0] = sum;
  }
  team.sync();
  addBlocks(job, block, 1, meeting, sums, partial, team);
  // The leader's entry of this iteration is read by itself alone: blocks of a team may be ahead of it.
  const int now = int(sums[1]);
  const bool takes = takesProposal(job, block, t, now, sums[0]);
  team.sync();
  if (takes) {
    const HyperLayout at = job.record();
    const float* const from = proposalFor(job, block, t + 1);
    for (int i = team.rank; i < at.size(); i += team.size) numberOf(hyper, at, i) = from[i];
  }
  if (team.rank == 0) {
    sums[1] = takes ? t + 1 : now;
    if (block.rank == 0) job.taken[placeOf(job, block, t + 1)] = int(sums[1]);
  }
  team.sync();
}

template <bool Correlated>
__global__ void generalGibbs(const __grid_constant__ GibbsJob job, int first, int last) {
  extern __shared__ double generalMemory[];
  const GeneralLayout layout{job.k, job.q, Correlated, job.interwoven};
  const int k = job.k, q = job.q, threads = int(blockDim.x), thread = int(threadIdx.x);
  double *const sums = generalMemory, *const partial = sums + layout.sums();
  float *const axes = reinterpret_cast<float*>(partial + threads), *const scales = axes + k * k,
               *const rootScales = scales + k, *const direction = rootScales + k,
               *const proposedRoots = direction + k, *const means = proposedRoots + k,
               *const all = means + k * q;
  double *const delta = job.work + blockIdx.x * layout.workSize(), *const variance = delta + q * k,
                *const work = variance + k * k;
  const GibbsBlock block = job.blocks[blockIdx.x];
  const ThreadTeam team{thread, threads};
  const HyperParameters hyper{axes, scales, means};
  const HyperPrior prior = job.prior(job.priors + std::int64_t(block.group) * job.priorSize(), block.group);
  const GibbsStep step{axes, scales, rootScales, means, direction};
  float* const mine = all + thread * layout.ofThread();
  std::conditional_t<Correlated, CorrelatedWork<float, 0>, VoxelWork<float, 0>> voxelWork(mine, k);
  float* const normal = mine + layout.ofVoxel();
  const std::int64_t m = job.voxels, ofChain = std::int64_t(block.chain) * m;

  loadHyper(job, block, first, hyper, team);
  if (job.proposing() && thread == 0) sums[1] = job.taken[placeOf(job, block, first)];
  team.sync();
  for (int t = first; t < last; ++t) {
    for (int j = thread; j < k; j += threads) {
      rootScales[j] = sqrtf(scales[j]);
      direction[j] = float(shiftDirection(k, axes, prior.toGamma, prior.shifted(k, std::uint32_t(t)), j));
    }
    for (int e = thread; e < layout.sums() && !job.proposing(); e += threads) sums[e] = 0;
    team.sync();
    const bool keep = t >= 0 && job.kept.isKept(t), proposing = job.proposing();
    const float* const proposal = proposing ? proposalFor(job, block, min(t + 1, job.draws - 1)) : nullptr;
    const HyperLayout record = job.record();
    const GibbsStep proposed{proposal, proposal + record.scales(), proposedRoots, proposal + record.means()};
    if (proposing) {
      for (int j = thread; j < k; j += threads) proposedRoots[j] = sqrtf(proposed.scales[j]);
      team.sync();
    }
    double change = 0;
    for (int start = 0; start < block.voxels; start += threads) {
      const std::int64_t voxel = block.first + start + thread;
      const bool active = start + thread < block.voxels;
      const VoxelData<float> data{job.estimate + voxel, job.precision + (Correlated ? voxel : 0),
                                  job.z + voxel, m, active ? job.squares[voxel] : 0.0F};
      float sigma2 = 0;
      if (active && t < 0) {
        for (int j = 0; j < k; ++j) voxelWork.deviation[j] = job.estimate[j * m + voxel];
      } else if (active) {
        PhiloxStream<std::uint32_t> stream{job.key, job.ids[voxel], std::uint32_t(t),
                                           std::uint32_t(block.chain)};
        float chiSquare;
        drawNumbers(k, job.law, stream, normal, chiSquare);
        sigma2 = drawVoxel(
            k, q, step, data, job.sigma2[ofChain + voxel], [&](int j) { return normal[j]; }, chiSquare,
            voxelWork);
        job.sigma2[ofChain + voxel] = sigma2;
      }
      if (job.interwoven && !proposing) {
        mine[layout.slope()] = mine[layout.curvature()] = 0;
        if (active && t >= 0)
          shiftTerms(k, direction, sigma2, voxelWork, mine[layout.slope()], mine[layout.curvature()]);
      }
      if (!proposing) {
        team.sync();
        addTile(layout, all, job.z + block.first + start, m, min(threads, block.voxels - start), sums);
        team.sync();
      }
      if (active && keep) {
        setCovariance(k, step, voxelWork);
        addMoments(k, axes, job.inverse, job.plan, job.kept.before(t), sigma2,
                   job.squares[voxel] * job.perFreedom, voxelWork,
                   job.moments + ofChain * MomentLayout{k}.size() + voxel, m);
      }
      if (active && proposing) {
        if (keep) setGram(k, step, data, voxelWork);  // setCovariance() took its place
        change += double(marginalChange(k, q, step, proposed, data, sigma2, voxelWork));
      }
    }
    if (t + 1 == job.draws) break;
    if (proposing) {
      takeHyper(job, block, t, t - first, change, hyper, sums, partial, team);
      continue;
    }
    addBlocks(job, block, layout.sums(), t - first, sums, partial, team);
    drawHyper(k, q,
              HyperDraw{prior, hyper, hyper, sums, hyperStream(job, block, t + 1), job.interwoven && t >= 0,
                        delta, variance, work},
              team);
    if (block.rank == 0) storeHyper(job, block, t + 1, hyper, delta, variance, team);
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
