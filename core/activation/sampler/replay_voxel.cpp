#include "core/activation/model/correlated_kernel.h"
#include "core/activation/sampler/gibbs_plan.h"

#include <cmath>

namespace sulcus::activation {
namespace {

/// Repeats the draws of one voxel.
///
/// @tparam Work  VoxelWork or CorrelatedWork
template <class Work>
class Replay {
 public:
  Replay(const GibbsProblem& problem, const GibbsOptions& options, std::int64_t voxel)
      : seed_(options.seed),
        k_(problem.regressors),
        q_(problem.covariates),
        data_(voxelData(problem, voxel)),
        id_(problem.voxelId[voxel]),
        law_(degreesOfFreedom(problem)),
        rootScales_(k_),
        memory_(Work::size(k_)),
        normal_(k_ + 2),
        work_(memory_.data(), k_) {}

  /// Draws γ and σ² of iteration t of a chain.
  ///
  /// @param record  hyper-parameters of the iteration
  void draw(int chain, int t, const float* record, float& sigma2, std::vector<float>& gamma) {
    const HyperLayout layout{k_, q_};
    const float* const axes = record + layout.axes();
    for (int j = 0; j < k_; ++j) rootScales_[j] = std::sqrt(record[layout.scales() + j]);
    const GibbsStep step{q_, axes, record + layout.scales(), rootScales_.data(), record + layout.means()};
    PhiloxStream<std::uint32_t> stream{seed_, id_, std::uint32_t(t), std::uint32_t(chain)};
    float chiSquare;
    drawNumbers(k_, law_, stream, normal_.data(), chiSquare);
    const VoxelNumbers numbers{[&](int j) { return normal_[j]; }, chiSquare};
    sigma2 = drawVoxel(k_, step, data_, sigma2, numbers, work_);
    for (int i = 0; i < k_; ++i) {
      gamma[i] = data_.estimate[i * data_.stride];
      for (int j = 0; j < k_; ++j) gamma[i] = std::fma(axes[i * k_ + j], work_.residual[j], gamma[i]);
    }
  }

 private:
  const PhiloxKey seed_;
  const int k_, q_;
  const VoxelData<float> data_;
  const std::uint32_t id_;
  const ChiSquare<float> law_;
  std::vector<float> rootScales_, memory_, normal_;
  Work work_;
};

template <class Work>
std::vector<float> replay(const GibbsProblem& problem, const GibbsOptions& options, const GibbsResult& result,
                          std::int64_t voxel) {
  const int k = problem.regressors, hyperSize = HyperLayout{k, problem.covariates}.size();
  const auto inverse = inverseFactor(problem);
  const std::size_t group = groupOf(problem, voxel);
  Replay<Work> voxelReplay(problem, options, voxel);
  std::vector<float> draws(std::size_t(k + 1) * options.draws * options.chains), gamma(k);
  float* out = draws.data();
  for (int chain = 0; chain < options.chains; ++chain) {
    float sigma2 = problem.errorPrior[voxel];
    for (int t = 0; t < options.draws; ++t, out += k + 1) {
      const std::size_t index = (chain * problem.groups.size() + group) * options.draws + t;
      voxelReplay.draw(chain, t, result.hyper.data() + index * hyperSize, sigma2, gamma);
      for (int i = 0; i < k && !result.commonErrors.empty(); ++i)
        gamma[i] -= result.commonErrors[index * k + i];
      for (int i = 0; i < k; ++i)
        for (int j = i; j < k; ++j) out[i] = std::fma(inverse[i * k + j], gamma[j], out[i]);
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
