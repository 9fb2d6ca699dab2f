#include "core/activation/gibbs_plan.h"

#include "core/activation/beta_from_gamma.h"
#include "core/activation/gibbs_body.h"
#include "core/base/error.h"
#include "core/math/linear_algebra.h"

#include <cassert>
#include <string>

namespace sulcus::activation {

GroupPrior groupPrior(const GibbsProblem& problem, const GibbsGroup& group) {
  const int q = problem.covariates;
  GroupPrior prior;
  prior.scale = group.priorScale;
  prior.zz = Eigen::Map<const RowMajor>(group.zz.data(), q, q) + problem.a * RowMajor::Identity(q, q);
  prior.zzRoot = inverse(choleskyFactor(prior.zz)).transpose();
  prior.zzInverse = prior.zzRoot * prior.zzRoot.transpose();
  prior.a = problem.a;
  prior.freedom = problem.nu + double(group.end - group.begin);
  assert(group.end > group.begin && prior.freedom - problem.regressors + 1 >= 2);
  return prior;
}

std::vector<float> inverseFactor(const GibbsProblem& problem) {
  const RowMajor inverse = betaFromGamma(problem);
  return {inverse.data(), inverse.data() + inverse.size()};
}

int wordsOf(RandomGenerator generator) {
  switch (generator) {
    case RandomGenerator::multicarry:
      return Multicarry::kWords;
    case RandomGenerator::xorgens:
      return Xorgens::kWords;
    case RandomGenerator::mt19937:
      return MersenneTwister::kWords;
    case RandomGenerator::philox:
      break;
  }
  return 0;
}

void seedVoxel(RandomGenerator generator, std::uint32_t* state, std::int64_t stride, PhiloxKey key,
               std::uint32_t voxel, std::uint32_t chain) {
  switch (generator) {
    case RandomGenerator::multicarry:
      return seedStream<Multicarry>(state, stride, key, voxel, chain);
    case RandomGenerator::xorgens:
      return seedStream<Xorgens>(state, stride, key, voxel, chain);
    case RandomGenerator::mt19937:
      return seedStream<MersenneTwister>(state, stride, key, voxel, chain);
    case RandomGenerator::philox:
      return;
  }
}

void requireDraws(const GibbsOptions& options) {
  if (options.kept() >= 1) return;
  throw Error("No draw would be kept of " + std::to_string(options.draws) + " with a burn-in of " +
                  std::to_string(options.burnIn) + " and one kept of every " +
                  std::to_string(options.thinning),
              "there is nothing to describe the posterior with", "draw more, or drop fewer");
}

}  // namespace sulcus::activation
