#include "core/activation/model/correlated_kernel.h"
#include "core/activation/sampler/gibbs_plan.h"

#include <cassert>
#include <cmath>

namespace sulcus::activation {
namespace {

/// @tparam Work  VoxelWork or CorrelatedWork
template <class Work>
std::vector<float> replay(const GibbsProblem& problem, const GibbsOptions& options, const GibbsResult& result,
                          std::int64_t voxel) {
  const int k = problem.regressors, q = problem.covariates;
  const HyperLayout layout{k, q};
  const auto inverse = inverseFactor(problem);
  std::size_t group = 0;
  while (voxel >= problem.groups[group].end) ++group;
  assert(voxel >= problem.groups[group].begin);

  // A single voxel, in the layout of a tile of one lane.
  std::vector<float> estimate(k), z(q), rootScales(k), memory(Work::size(k)), gamma(k), normal(k + 2);
  const ChiSquare<float> law(degreesOfFreedom(problem));
  for (int i = 0; i < k; ++i) estimate[i] = problem.estimate[i * problem.voxels + voxel];
  for (int c = 1; c < q; ++c) z[c - 1] = problem.z[c * problem.voxels + voxel];
  std::vector<float> precision(problem.correlated ? k * (k + 1) / 2 : 0);
  for (std::size_t i = 0; i < precision.size(); ++i)
    precision[i] = problem.precision[i * problem.voxels + voxel];
  const float squares = squaresOf(problem, voxel);
  const std::uint32_t id = problem.voxelId[voxel];
  std::vector<float> draws(std::size_t(k + 1) * options.draws * options.chains);
  Work work(memory.data(), k);
  for (int chain = 0; chain < options.chains; ++chain) {
    float sigma2 = problem.errorPrior[voxel];
    for (int t = 0; t < options.draws; ++t) {
      const std::size_t index = (chain * problem.groups.size() + group) * options.draws + t;
      const float* const record = result.hyper.data() + index * layout.size();
      const float* const axes = record + layout.axes();
      for (int j = 0; j < k; ++j) rootScales[j] = std::sqrt(record[layout.scales() + j]);
      const GibbsStep step{q, axes, record + layout.scales(), rootScales.data(), record + layout.means()};
      PhiloxStream<std::uint32_t> stream{options.seed, id, std::uint32_t(t), std::uint32_t(chain)};
      float chiSquare;
      drawNumbers(k, law, stream, normal.data(), chiSquare);
      const VoxelNumbers numbers{[&](int j) { return normal[j]; }, chiSquare};
      sigma2 = drawVoxel(k, step, VoxelData<float>{estimate.data(), precision.data(), z.data(), 1, squares},
                         sigma2, numbers, work);
      for (int i = 0; i < k; ++i) {
        gamma[i] = estimate[i];
        for (int j = 0; j < k; ++j) gamma[i] = std::fma(axes[i * k + j], work.residual[j], gamma[i]);
        if (!result.commonErrors.empty()) gamma[i] -= result.commonErrors[index * k + i];
      }
      float* const out = draws.data() + (std::size_t(chain) * options.draws + t) * (k + 1);
      for (int i = 0; i < k; ++i) {
        out[i] = 0;
        for (int j = i; j < k; ++j) out[i] = std::fma(inverse[i * k + j], gamma[j], out[i]);
      }
      out[k] = sigma2;
    }
  }
  return draws;
}

}  // namespace

std::vector<float> replayVoxel(const GibbsProblem& problem, const GibbsOptions& options,
                               const GibbsResult& result, std::int64_t voxel) {
  return problem.correlated ? replay<CorrelatedWork<float, 0>>(problem, options, result, voxel)
                            : replay<VoxelWork<float, 0>>(problem, options, result, voxel);
}

}  // namespace sulcus::activation
