#pragma once

#include "core/activation/sampler/gibbs_layout.h"
#include "core/activation/sampler/hyper_kernel.h"
#include "gpu/runtime/stream.h"

#include <cstdint>

namespace sulcus::gpu::activation {
using namespace sulcus::activation;

/// The voxels that a block of threads processes, for one chain of one group. The blocks of a chain and group
/// form a team: they synchronize once per iteration.
struct GibbsBlock {
  int group = 0, chain = 0;
  int rank = 0, size = 1;  ///< in the team
  std::int64_t first = 0;  ///< of the problem's voxels
  int voxels = 0;
  int leader = 0;  ///< index of the team's first block
};

/// The input and output of a launch; pointers are to device memory. C chains, G groups, M voxels, k
/// regressors, q covariates; the last index of a shape is the fastest.
struct GibbsJob {
  int k = 0, q = 0, chains = 0, groups = 0, draws = 0;
  bool interwoven = false;  ///< GibbsOptions::interwoven
  bool parted = false;      ///< whether V_β has several blocks
  KeptDraws kept;
  int keptCount = 0;  ///< of each chain
  std::int64_t voxels = 0;
  PhiloxKey key;
  ChiSquare<float> law{3};
  float perFreedom = 0;  ///< 1 / (ν_e + n)
  double a = 0;          ///< A = a I
  double nu = 0;         ///< ν
  BatchPlan plan;

  const float* estimate = nullptr;   ///< (k, M)
  const float* precision = nullptr;  ///< lower triangles of H, (k(k+1)/2, M); null: the identity
  const float* squares = nullptr;    ///< ν_e s² + RSS, M
  const float* z = nullptr;          ///< (q − 1, M), without the first
  const std::uint32_t* ids = nullptr;
  const float* inverse = nullptr;      ///< L⁻ᵀ, k × k by rows
  const double* priors = nullptr;      ///< for each group the data that HyperPrior points to, in its order
  const double* freedoms = nullptr;    ///< for each group ν + M
  const GibbsBlock* blocks = nullptr;  ///< of the grid
  int blockCount = 0, threads = 0;
  int mostVoxels = 0;     ///< of a block
  bool together = false;  ///< blocks wait for each other, so all have to be resident

  float* sigma2 = nullptr;   ///< (C, M)
  float* moments = nullptr;  ///< (C, MomentLayout::size, M)
  float* hyper = nullptr;    ///< as GibbsResult::hyper
  /// Proposed hyper-parameters (HyperProposals), null if they are drawn; and which were accepted.
  const float* proposals = nullptr;
  const double *weights = nullptr, *levels = nullptr;  ///< (C, G, draws)
  int* taken = nullptr;                                ///< (C, G, draws), as for setHyper()
  double* keptHyper = nullptr;  ///< Δ (q × k) and V_γ of each kept draw: (C, G, kept, value)
  double* totals = nullptr;     ///< sums of each block, twice: (parity, block, hyperSums(k, q, interwoven))
  unsigned* arrived = nullptr;  ///< number of blocks of a team that have arrived at a synchronization, stored
                                ///< for its leader
  double* work = nullptr;       ///< for blocks with any number of regressors: GibbsShape::workSize each

  SULCUS_HD bool proposing() const { return proposals != nullptr; }
  SULCUS_HD bool correlated() const { return precision != nullptr; }
  SULCUS_HD HyperLayout record() const { return {k, q}; }
  /// Number of values in a group's prior.
  SULCUS_HD static constexpr int priorSize(int k, int q) { return 4 * k * k + k + shiftTurns(k) + 3 * q * q; }
  SULCUS_HD int priorSize() const { return priorSize(k, q); }
  /// The prior of a group, whose values are at `from`.
  SULCUS_HD HyperPrior prior(const double* from, int group) const {
    const int kk = k * k, qq = q * q;
    const double *const block = from + 4 * kk, *const turns = block + k, *const zz = turns + shiftTurns(k);
    return {from, from + kk, from + 2 * kk,   from + 3 * kk, block, turns, zz, zz + qq, zz + 2 * qq,
            a,    nu,        freedoms[group], parted};
  }
};

/// The blocks of threads for a problem, on the current device.
struct GibbsShape {
  int threads = 0;            ///< of a block
  int resident = 0;           ///< number of blocks that run at once
  std::int64_t workSize = 0;  ///< GibbsJob::work, doubles per block
};

/// For few regressors and covariates, specialized code is used.
///
/// @param correlated  voxels have their own precision
/// @param interwoven  GibbsOptions::interwoven
/// @throws Error if there are too many regressors
GibbsShape gibbsShape(int k, int q, bool correlated, bool interwoven);

/// Queues iterations [first, last) of all teams, starting at −1, which only sums the estimates and draws the
/// first hyper-parameters.
void runGibbs(const GibbsJob& job, int first, int last, const Stream& stream);

/// Queues the moments of the first `done` kept draws: mean of γ (k, M), split-R̂ (k, M), effective sizes (k,
/// M), covariance (k(k+1)/2, M), mean and variance of σ² (2, M), consecutively in `out`.
void foldGibbs(const GibbsJob& job, int done, float* out, const Stream& stream);

}  // namespace sulcus::gpu::activation
