#pragma once

#include "core/activation/sampler/gibbs.h"
#include "core/activation/sampler/hyper_proposals.h"
#include "gpu/activation/gibbs_job.h"
#include "gpu/runtime/buffer.h"

#include <algorithm>
#include <vector>

namespace sulcus::gpu::activation {
using namespace sulcus::activation;

/// The blocks of threads for a problem's groups: at most `resident`, the number that runs at once, with
/// nearly equal numbers of voxels. A group that one block processes about as fast as several has one, and so
/// has every group if there are more chains and groups than blocks that run at once.
std::vector<GibbsBlock> planBlocks(const std::vector<GibbsGroup>& groups, int chains, int resident);

/// Chains first … last − 1.
struct ChainRange {
  int first, last;
};

/// A problem on the device and its chains, or some of them if several devices share them: its arrays have
/// room for all. `problem` must outlive it.
class GibbsRun {
 public:
  /// Uploads. Throws Error (unavailable) with both figures if device memory does not suffice.
  GibbsRun(const GibbsProblem& problem, const GibbsOptions& options, const Stream& stream)
      : GibbsRun(problem, options, stream, {0, options.chains}) {}
  /// Runs only `chains`. Their blocks are those of a run of all chains, so that the sums are the same.
  GibbsRun(const GibbsProblem& problem, const GibbsOptions& options, const Stream& stream, ChainRange chains);

  /// Queues the initialization: σ² = s².
  void start();
  /// Queues iterations [first, last); the first call starts with −1, see runGibbs().
  void run(int first, int last) {
    runGibbs(job_, job_.proposing() ? std::max(first, 0) : first, last, stream_);
  }
  /// Queues a copy of the draws that the chains of `other` have made so far.
  ///
  /// @param device, from  devices of this run and of the other
  void takeChains(const GibbsRun& other, int device, int from);
  /// Moments of the iterations before `done`; returns when they are available.
  GibbsMoments moments(int done);
  /// Call after the last iteration; returns when the result is available.
  GibbsResult result();

  const GibbsJob& job() const { return job_; }

 private:
  const GibbsProblem& problem_;
  const GibbsOptions options_;
  const Stream& stream_;
  const ChainRange chains_;
  const HyperProposals proposals_;
  GibbsJob job_;
  Buffer<float> estimate_, precision_, squares_, errorPrior_, z_, inverse_, sigma2_, moments_, hyper_,
      folded_, proposalRecords_;
  Buffer<std::uint32_t> ids_;
  Buffer<double> priors_, freedoms_, keptHyper_, totals_, work_, weights_, levels_;
  Buffer<int> taken_;
  Buffer<unsigned> arrived_;
  Buffer<GibbsBlock> blocks_;
};

}  // namespace sulcus::gpu::activation
