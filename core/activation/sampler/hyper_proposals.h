#pragma once

#include "core/activation/sampler/gibbs.h"

#include <vector>

namespace sulcus::activation {

// Proposals of hyper-parameters, one for each iteration, drawn before a chain starts from a t distribution
// around HyperFit. After the voxels of an iteration have been drawn, their σ² are known, and the
// hyper-parameters h of the next one are the proposed ones, h*, with the Metropolis–Hastings probability
//   min(1, p(h* | σ², y) q(h) / (p(h | σ², y) q(h*))),
// and otherwise h again; the coefficients are integrated out of p. Then the coefficients are drawn given h
// and σ², and σ² given them: a partially collapsed Gibbs sampler (van Dyk and Park, J Am Stat Assoc 103
// (2008) 790). As the posterior of h is close to q for many voxels, its draws are nearly independent, unlike
// those given the coefficients if the series carry little information on a coefficient.

/// (…, iteration, group, chain): first fastest.
struct HyperProposals {
  std::vector<float> records;        ///< (HyperLayout::size(), iteration, group, chain)
  std::vector<double> weights;       ///< log (prior / q), (iteration, group, chain)
  std::vector<double> levels;        ///< logarithms of uniform numbers, (iteration, group, chain)
  std::vector<double> delta, vBeta;  ///< as in GibbsResult, for every iteration

  bool empty() const { return records.empty(); }
  /// Whether the chain at proposal `now` accepts that of index `next`.
  ///
  /// @param change  Σ marginalChange() over the voxels
  bool takes(std::size_t next, std::size_t now, double change) const {
    return change + weights[next] - weights[now] > levels[next];
  }
};

/// Draws the proposals; empty if the problem has no fits.
HyperProposals proposeHyper(const GibbsProblem& problem, const GibbsOptions& options);

/// Sets hyper, delta and vBeta of a result.
///
/// @param taken  (iteration, group, chain): the iteration whose proposal was accepted
void setHyper(const GibbsProblem& problem, const GibbsOptions& options, const HyperProposals& proposals,
              const std::vector<int>& taken, GibbsResult& result);

}  // namespace sulcus::activation
