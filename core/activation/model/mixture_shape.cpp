#include "core/activation/model/mixture_shape.h"

#include "core/activation/model/correlated_kernel.h"
#include "core/activation/sampler/gibbs_plan.h"
#include "core/base/parallel/parallel_for.h"
#include "core/math/linear_algebra.h"

#include <algorithm>
#include <array>
#include <cmath>

// The loops over a chunk of voxels contain no branches and no calls, so that the compiler can vectorize them.

namespace sulcus::activation {
namespace {

constexpr int kChunk = 256;            // voxels
constexpr std::int64_t kBlock = 4096;  // voxels between two checks of Progress
constexpr float kLargestSpread = 3;    // bound of 1 + the squared coefficient of variation of σ²

using Chunk = std::array<float, kChunk>;
using Nodes = std::array<Chunk, kSigma2Nodes>;
using FloatRows = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// A contrast in the axes of a group, the same for all its voxels.
struct TurnedContrast {
  const GroupPosterior* group = nullptr;
  Eigen::MatrixXf deviationFromData;  // (U', −U'Δ'), k × (k + q): its product with (γ̂, z) is U'(γ̂ − Δ'z)
  Eigen::VectorXf inAxes;             // U'L⁻¹c: c'β = inAxes · (U'γ)
};

TurnedContrast turned(const ActivationResult& result, std::span<const double> weights, std::size_t group) {
  const GroupPosterior& posterior = result.groups[group];
  const Eigen::Index k = posterior.scales.size();
  TurnedContrast contrast{&posterior, Eigen::MatrixXf(k, k + posterior.means.cols()), {}};
  contrast.deviationFromData << posterior.axes.transpose().cast<float>(), -posterior.means.cast<float>();
  const Eigen::VectorXd inGamma = solveLower(
      result.problem->factor, Eigen::VectorXd(Eigen::Map<const Eigen::VectorXd>(weights.data(), k)));
  contrast.inAxes = (posterior.axes.transpose() * inGamma).cast<float>();
  return contrast;
}

/// Components of c'β for the values of σ²: first their mean and variance, then center and width in the
/// mixture.
struct Components {
  Nodes center{}, width{};
};

/// Three values of σ², s/r, s and s r, whose mean and variance with kSigma2Weights are those of its draws:
/// with C = (r + 1/r)/2 and K = 1 + var/mean², 3 (1 + 2C²) = K (2 + C)² and s = 3 mean/(2 + C).
void sigma2Nodes(const ActivationResult& result, std::int64_t begin, int size, Nodes& sigma2) {
  const GibbsMoments& moments = result.samples->moments;
  const float *mean = moments.sigma2Mean.data() + begin, *variance = moments.sigma2Var.data() + begin;
  for (std::size_t i = 0; i < std::size_t(size); ++i) {
    const float k = std::min(1 + variance[i] / (mean[i] * mean[i]), kLargestSpread);
    const float c = (2 * k + std::sqrt(27 * k - 18)) / (6 - k);
    const float s = 3 * mean[i] / (2 + c), r = c + std::sqrt(std::max(c * c - 1, 0.0f));
    sigma2[0][i] = s / r;
    sigma2[1][i] = s;
    sigma2[2][i] = s * r;
  }
}

/// Mean and variance of c'β at each value of σ², in voxels whose likelihoods have the same shape. Given σ²,
/// and with the hyper-parameters at their posterior means, the coefficient along an axis has the mean m +
/// λ/(λ + σ²) (g − m) and the variance λσ²/(λ + σ²), where g is its least-squares estimate, m that of Δ'z and
/// λ the eigenvalue of the axis. The means omit the common term c'm.
void conditionTogether(const GibbsProblem& problem, const TurnedContrast& contrast, std::int64_t begin,
                       int size, const Nodes& sigma2, Components& at) {
  for (Eigen::Index a = 0; a < contrast.inAxes.size(); ++a) {
    const float c = contrast.inAxes(a), scale = std::max(float(contrast.group->scales(a)), 0.0f);
    Chunk deviation{};  // g − m
    for (Eigen::Index b = 0; b < contrast.deviationFromData.cols(); ++b) {
      const float* from = b < problem.regressors
                              ? problem.estimate.data() + b * problem.voxels
                              : problem.z.data() + (b - problem.regressors) * problem.voxels;
      const float weight = contrast.deviationFromData(a, b);
      for (int i = 0; i < size; ++i) deviation[i] += weight * from[begin + i];
    }
    for (std::size_t node = 0; node < kSigma2Nodes; ++node)
      for (std::size_t i = 0; i < std::size_t(size); ++i) {
        const float share = scale / (scale + sigma2[node][i]);
        at.center[node][i] += c * share * deviation[i];
        at.width[node][i] += c * c * share * sigma2[node][i];
      }
  }
}

/// Conditions all contrasts in voxels with their own precision (correlated_kernel.h), which takes little
/// longer than for a single one.
void conditionApart(const GibbsProblem& problem, std::span<const TurnedContrast> contrasts,
                    std::int64_t begin, int size, const Nodes& sigma2, std::span<Components> at) {
  using Work = CorrelatedWork<float, 0>;
  const int k = problem.regressors;
  const GroupPosterior& group = *contrasts.front().group;
  const FloatRows axes = group.axes.cast<float>(), means = group.means.cast<float>();
  const Eigen::VectorXf scales = group.scales.cwiseMax(0).cast<float>(), roots = scales.cwiseSqrt();
  const GibbsStep step{problem.covariates, axes.data(), scales.data(), roots.data(), means.data()};
  std::vector<float> memory(Work::size(k)), along(std::size_t(k), 0.0f);
  Work work(memory.data(), k);
  for (int i = 0; i < size; ++i)
    for (std::size_t node = 0; node < kSigma2Nodes; ++node) {
      conditionVoxel(k, step, voxelData(problem, begin + i), sigma2[node][i], work);
      for (std::size_t c = 0; c < contrasts.size(); ++c) {
        float &mean = at[c].center[node][i], &variance = at[c].width[node][i];
        for (int a = 0; a < k; ++a) {
          mean += contrasts[c].inAxes(a) * work.deviation[a];
          along[a] = contrasts[c].inAxes(a) * rootScale<float>(step, a);
        }
        solveRoot(k, work.root, along.data());
        for (const float x : along) variance += x * x;
      }
    }
}

/// Standardizes components, given by means and variances, so that the mixture has mean 0 and variance 1.
void standardize(Components& at, int size) {
  for (std::size_t i = 0; i < std::size_t(size); ++i) {
    float mean = 0, square = 0;
    for (std::size_t node = 0; node < kSigma2Nodes; ++node) mean += kSigma2Weights[node] * at.center[node][i];
    for (std::size_t node = 0; node < kSigma2Nodes; ++node) {
      at.center[node][i] -= mean;
      square += kSigma2Weights[node] * (at.width[node][i] + at.center[node][i] * at.center[node][i]);
    }
    const float scale = square > 0 ? 1 / std::sqrt(square) : 0;
    for (std::size_t node = 0; node < kSigma2Nodes; ++node) {
      at.center[node][i] *= scale;
      at.width[node][i] = square > 0 ? std::sqrt(at.width[node][i]) * scale : 1;
    }
  }
}

/// The components of each contrast in voxels of one group.
std::vector<Components> componentsOf(const ActivationResult& result,
                                     std::span<const TurnedContrast> contrasts, std::int64_t begin,
                                     int size) {
  const GibbsProblem& problem = *result.problem;
  Nodes sigma2{};
  sigma2Nodes(result, begin, size, sigma2);
  std::vector<Components> at(contrasts.size());
  if (problem.correlated)
    conditionApart(problem, contrasts, begin, size, sigma2, at);
  else
    for (std::size_t c = 0; c < contrasts.size(); ++c)
      conditionTogether(problem, contrasts[c], begin, size, sigma2, at[c]);
  for (Components& one : at) standardize(one, size);
  return at;
}

}  // namespace

std::vector<std::shared_ptr<const MixtureShape>> mixtureShapes(const ActivationResult& result,
                                                               std::span<const std::vector<double>> contrasts,
                                                               const Progress& progress) {
  const std::int64_t m = result.count();
  std::vector<std::shared_ptr<MixtureShape>> shapes;
  for (std::size_t c = 0; c < contrasts.size(); ++c)
    shapes.push_back(
        std::make_shared<MixtureShape>(MixtureShape{std::vector<float>(std::size_t(kSigma2Nodes * m)),
                                                    std::vector<float>(std::size_t(kSigma2Nodes * m))}));
  for (std::size_t g = 0; g < result.groups.size(); ++g) {
    const GibbsGroup& group = result.problem->groups[g];
    std::vector<TurnedContrast> inAxes;
    for (const auto& weights : contrasts) inAxes.push_back(turned(result, weights, g));
    parallelForBlocks(
        group.end - group.begin, kBlock,
        progress.part(double(group.begin) / double(m), double(group.end) / double(m), "Maps"),
        [&](std::int64_t begin, std::int64_t end) {
          for (std::int64_t at = group.begin + begin; at < group.begin + end; at += kChunk) {
            const int size = int(std::min<std::int64_t>(kChunk, group.begin + end - at));
            const auto components = componentsOf(result, inAxes, at, size);
            for (std::size_t c = 0; c < contrasts.size(); ++c)
              for (int node = 0; node < kSigma2Nodes; ++node) {
                const Components& from = components[c];
                std::copy_n(from.center[node].begin(), size, shapes[c]->center.begin() + node * m + at);
                std::copy_n(from.width[node].begin(), size, shapes[c]->width.begin() + node * m + at);
              }
          }
        });
  }
  return {shapes.begin(), shapes.end()};
}

MixtureShape mixtureShapeAt(const ActivationResult& result, std::span<const double> weights,
                            std::int64_t voxel) {
  const TurnedContrast contrast = turned(result, weights, groupOf(*result.problem, voxel));
  const Components at = componentsOf(result, {&contrast, 1}, voxel, 1).front();
  MixtureShape shape;
  for (std::size_t node = 0; node < kSigma2Nodes; ++node) {
    shape.center.push_back(at.center[node][0]);
    shape.width.push_back(at.width[node][0]);
  }
  return shape;
}

}  // namespace sulcus::activation
