#include "core/activation/posterior.h"

#include "core/activation/correlated_body.h"
#include "core/base/parallel_for.h"
#include "core/math/linear_algebra.h"
#include "core/math/statistics.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <functional>

// The loops over a chunk of voxels contain no branch and no call, so that the compiler can use vector
// registers.

namespace sulcus::activation {
namespace {

constexpr int kChunk = 256;            // voxels
constexpr std::int64_t kBlock = 4096;  // voxels between two looks at Progress
constexpr int kNodes = 3;
constexpr std::array<float, kNodes> kWeights{1 / 6.0f, 2 / 3.0f, 1 / 6.0f};
constexpr float kLargestSpread = 3;  // bound of 1 + the squared coefficient of variation of σ²

using Chunk = std::array<float, kChunk>;
using Nodes = std::array<Chunk, kNodes>;
using FloatRows = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// eˣ for −87 ≤ x ≤ 0, relative error 2e-7.
inline float exponential(float x) {
  const float t = std::max(x, -87.0f) * 1.44269504f;
  const float whole = (t + 12582912.0f) - 12582912.0f, f = (t - whole) * 0.693147181f;  // |f| ≤ ln 2 / 2
  const float e =
      1 + f * (1 + f * (0.5f + f * (1 / 6.0f + f * (1 / 24.0f + f * (1 / 120.0f + f * (1 / 720.0f))))));
  return e * std::bit_cast<float>((int(whole) + 127) << 23);
}

/// P(N(0, 1) > x) within 2e-7, and the density there. Abramowitz & Stegun 7.1.26.
inline float upperTail(float x, float& density) {
  const float a = std::abs(x) * 0.707106781f, t = 1 / (1 + 0.3275911f * a), e = exponential(-a * a);
  const float half =
      0.5f * e * t *
      (0.254829592f + t * (-0.284496736f + t * (1.421413741f + t * (-1.453152027f + t * 1.061405429f))));
  density = 0.398942280f * e;
  return x > 0 ? half : 1 - half;
}

/// The posterior of c'β in up to kChunk voxels: a mixture of normal distributions. Centres and widths of its
/// components are relative to the mean, in units of the s.d.
struct Mixture {
  Chunk mean{}, sd{};                         // c'm, √(c'Cc)
  std::array<Chunk, kNodes> centre{}, width;  // mean and s.d. of each component

  /// P(c'β > mean + z sd), and the density there times sd.
  float tail(int i, float z, float& density) const {
    float p = 0;
    density = 0;
    for (int node = 0; node < kNodes; ++node) {
      float d;
      const float w = width[std::size_t(node)][std::size_t(i)];
      p += kWeights[std::size_t(node)] * upperTail((z - centre[std::size_t(node)][std::size_t(i)]) / w, d);
      density += kWeights[std::size_t(node)] * d / w;
    }
    return p;
  }
};

/// A contrast in the axes of a group, the same for all its voxels.
struct Contrast {
  std::span<const double> weights;  // c
  const GroupPosterior* group = nullptr;
  Eigen::MatrixXf deviationFromData;  // (U', −U'Δ'), k × (k + q): its product with (γ̂, z) is U'(γ̂ − Δ'z)
  Eigen::VectorXf inAxes;             // U'L⁻¹c: c'β = inAxes · (U'γ)
};

Contrast contrastOf(const ActivationResult& result, std::span<const double> weights, std::size_t group) {
  Contrast contrast{weights, nullptr, {}, {}};
  if (result.groups.empty()) return contrast;
  const GroupPosterior& posterior = result.groups[group];
  const Eigen::Index k = posterior.scales.size();
  contrast.group = &posterior;
  contrast.deviationFromData.resize(k, k + posterior.means.cols());
  contrast.deviationFromData << posterior.axes.transpose().cast<float>(), -posterior.means.cast<float>();
  const Eigen::VectorXd inGamma = solveLower(
      result.problem->factor, Eigen::VectorXd(Eigen::Map<const Eigen::VectorXd>(weights.data(), k)));
  contrast.inAxes = (posterior.axes.transpose() * inGamma).cast<float>();
  return contrast;
}

/// Sets mean and s.d. of the mixtures of the voxels begin … begin + size − 1, the first `size` of the chunk.
void addMoments(const ActivationResult& result, const Contrast& contrast, std::int64_t begin, int size,
                Mixture& mixture) {
  const auto add = [size](double weight, const float* from, Chunk& to) {
    if (weight == 0) return;
    const auto w = float(weight);
    for (int i = 0; i < size; ++i) to[std::size_t(i)] += w * from[i];
  };
  const auto& c = contrast.weights;
  const float* covariance = result.covariance.data() + begin;
  for (std::size_t i = 0; i < c.size(); ++i) {
    add(c[i], result.mean.data() + std::int64_t(i) * result.count() + begin, mixture.mean);
    for (std::size_t j = 0; j <= i; ++j, covariance += result.count())
      add((i == j ? 1 : 2) * c[i] * c[j], covariance, mixture.sd);
  }
  for (float& sd : mixture.sd) sd = std::sqrt(std::max(sd, 0.0f));
}

/// Three values of σ², s/r, s and s r, which with kWeights have the mean and the variance of its draws: with
/// C = (r + 1/r)/2 and K = 1 + var/mean², 3 (1 + 2C²) = K (2 + C)² and s = 3 mean/(2 + C).
void sigma2Nodes(const ActivationResult& result, std::int64_t begin, int size, Nodes& sigma2) {
  const GibbsMoments& moments = result.samples->moments;
  const float *mean = moments.sigma2Mean.data() + begin, *variance = moments.sigma2Var.data() + begin;
  for (std::size_t i = 0; i < std::size_t(size); ++i) {
    const float k = std::min(1 + variance[i] / (mean[i] * mean[i]), kLargestSpread);
    const float c = (2 * k + std::sqrt(27 * k - 18)) / (6 - k);
    const float s = 3 * mean[i] / (2 + c), r = c + std::sqrt(std::max(c * c - 1, 0.0f));
    sigma2[0][i] = s / r, sigma2[1][i] = s, sigma2[2][i] = s * r;
  }
}

/// Mean and variance of c'β at each value of σ², in voxels whose likelihoods have one shape. Given σ², and
/// with the hyper-parameters at their posterior means, the coefficient along an axis has the mean m + λ/(λ +
/// σ²) (g − m) and the variance λσ²/(λ + σ²), where g is its least squares estimate, m that of Δ'z and λ the
/// eigenvalue of the axis. Means lack what they share, c'm.
void conditionTogether(const GibbsProblem& problem, const Contrast& contrast, std::int64_t begin, int size,
                       const Nodes& sigma2, Nodes& centre, Nodes& variance) {
  for (Eigen::Index a = 0; a < contrast.inAxes.size(); ++a) {
    const float c = contrast.inAxes(a), scale = std::max(float(contrast.group->scales(a)), 0.0f);
    Chunk deviation{};  // g − m
    for (Eigen::Index b = 0; b < contrast.deviationFromData.cols(); ++b) {
      const float* from = b < problem.regressors
                              ? problem.estimate.data() + b * problem.voxels
                              : problem.z.data() + (b - problem.regressors) * problem.voxels;
      const float weight = contrast.deviationFromData(a, b);
      for (int i = 0; i < size; ++i) deviation[std::size_t(i)] += weight * from[begin + i];
    }
    for (std::size_t node = 0; node < kNodes; ++node)
      for (std::size_t i = 0; i < std::size_t(size); ++i) {
        const float share = scale / (scale + sigma2[node][i]);
        centre[node][i] += c * share * deviation[i];
        variance[node][i] += c * c * share * sigma2[node][i];
      }
  }
}

/// The same in voxels with a precision of their own (correlated_body.h).
void conditionApart(const GibbsProblem& problem, const Contrast& contrast, std::int64_t begin, int size,
                    const Nodes& sigma2, Nodes& centre, Nodes& variance) {
  using Work = CorrelatedWork<float, 0>;
  const int k = problem.regressors;
  const FloatRows axes = contrast.group->axes.cast<float>(), means = contrast.group->means.cast<float>();
  const Eigen::VectorXf scales = contrast.group->scales.cwiseMax(0).cast<float>(), roots = scales.cwiseSqrt();
  const GibbsStep step{axes.data(), scales.data(), roots.data(), means.data()};
  const std::int64_t m = problem.voxels;
  std::vector<float> memory(std::size_t(Work::size(k))), along(std::size_t(k), 0.0f);
  Work work(memory.data(), k);
  for (int i = 0; i < size; ++i)
    for (std::size_t node = 0; node < kNodes; ++node) {
      const std::int64_t voxel = begin + i;
      conditionVoxel(k, problem.covariates, step, problem.estimate.data() + voxel,
                     problem.precision.data() + voxel, problem.z.data() + m + voxel, m,
                     sigma2[node][std::size_t(i)], work);
      for (int a = 0; a < k; ++a) {
        centre[node][std::size_t(i)] += contrast.inAxes(a) * work.deviation[a];
        along[std::size_t(a)] = contrast.inAxes(a) * rootScale<float>(step, a);
      }
      solveRoot(k, work.root, along.data());
      for (const float x : along) variance[node][std::size_t(i)] += x * x;
    }
}

/// Sets centres and widths of the components.
void addComponents(const ActivationResult& result, const Contrast& contrast, std::int64_t begin, int size,
                   Mixture& mixture) {
  for (auto& width : mixture.width) width.fill(1);
  if (!contrast.group) return;
  const GibbsProblem& problem = *result.problem;
  Nodes sigma2{}, centre{}, variance{};
  sigma2Nodes(result, begin, size, sigma2);
  const auto condition = problem.correlated ? conditionApart : conditionTogether;
  condition(problem, contrast, begin, size, sigma2, centre, variance);
  for (std::size_t i = 0; i < std::size_t(size); ++i) {
    float mean = 0, square = 0;
    for (std::size_t node = 0; node < kNodes; ++node) mean += kWeights[node] * centre[node][i];
    for (std::size_t node = 0; node < kNodes; ++node) {
      centre[node][i] -= mean;
      square += kWeights[node] * (variance[node][i] + centre[node][i] * centre[node][i]);
    }
    const float scale = square > 0 ? 1 / std::sqrt(square) : 0;
    for (std::size_t node = 0; node < kNodes; ++node) {
      mixture.centre[node][i] = centre[node][i] * scale;
      mixture.width[node][i] = square > 0 ? std::sqrt(variance[node][i]) * scale : 1;
    }
  }
}

Mixture mixtureOf(const ActivationResult& result, const Contrast& contrast, std::int64_t begin, int size) {
  Mixture mixture;
  addMoments(result, contrast, begin, size, mixture);
  addComponents(result, contrast, begin, size, mixture);
  return mixture;
}

/// Calls `use(mixture, begin, size)` for all voxels in chunks, on all threads.
void forChunks(const ActivationResult& result, std::span<const double> weights, const Progress& progress,
               const std::function<void(const Mixture&, std::int64_t begin, int size)>& use) {
  for (std::size_t g = 0; g < result.problem->groups.size(); ++g) {
    const GibbsGroup& group = result.problem->groups[g];
    const Contrast contrast = contrastOf(result, weights, g);
    const auto voxels = double(result.count());
    parallelForBlocks(group.end - group.begin, kBlock,
                      progress.part(double(group.begin) / voxels, double(group.end) / voxels, "Maps"),
                      [&](std::int64_t begin, std::int64_t end) {
                        for (std::int64_t at = group.begin + begin; at < group.begin + end; at += kChunk) {
                          const int size = int(std::min<std::int64_t>(kChunk, group.begin + end - at));
                          use(mixtureOf(result, contrast, at, size), at, size);
                        }
                      });
  }
}

Mixture mixtureAt(const ActivationResult& result, std::span<const double> weights, std::int64_t voxel) {
  const auto& groups = result.problem->groups;
  const auto group =
      std::find_if(groups.begin(), groups.end(), [&](const GibbsGroup& g) { return voxel < g.end; });
  return mixtureOf(result, contrastOf(result, weights, std::size_t(group - groups.begin())), voxel, 1);
}

void exceedanceOf(const Mixture& mixture, int size, double gamma, float* probability) {
  const auto limit = float(gamma);
  for (int i = 0; i < size; ++i) {
    float density;
    // A posterior without spread lies on one side of the limit.
    const float sd = std::max(mixture.sd[std::size_t(i)], 1e-30f);
    const float z = (limit - mixture.mean[std::size_t(i)]) / sd;
    probability[i] = mixture.tail(i, std::clamp(z, -40.0f, 40.0f), density);
  }
}

/// Ends of the credible intervals of `size` voxels, by Newton's method from those of a normal distribution.
void solveInterval(const Mixture& mixture, int size, double share, float* low, float* high) {
  const double tail = (1 - share) / 2;
  const auto start = float(upperDeviate(tail));  // where Newton's method starts
  for (const int side : {-1, 1}) {
    float* ends = side < 0 ? low : high;
    const auto wanted = float(side < 0 ? 1 - tail : tail);
    for (int i = 0; i < size; ++i) {
      float z = float(side) * start;
      for (int step = 0; step < 4; ++step) {
        float density;
        const float p = mixture.tail(i, z, density);
        z += std::clamp((p - wanted) / std::max(density, 1e-6f), -1.0f, 1.0f);
      }
      ends[i] = mixture.mean[std::size_t(i)] + z * mixture.sd[std::size_t(i)];
    }
  }
}

}  // namespace

ContrastMoments contrastMoments(const ActivationResult& result, std::span<const double> weights,
                                const Progress& progress) {
  ContrastMoments moments{std::vector<float>(result.voxels.size()), std::vector<float>(result.voxels.size())};
  const Contrast contrast{weights, nullptr, {}, {}};
  parallelForBlocks(result.count(), kChunk, progress, [&](std::int64_t begin, std::int64_t end) {
    Mixture mixture;
    addMoments(result, contrast, begin, int(end - begin), mixture);
    std::copy_n(mixture.mean.begin(), end - begin, moments.mean.begin() + begin);
    std::copy_n(mixture.sd.begin(), end - begin, moments.sd.begin() + begin);
  });
  return moments;
}

std::vector<float> exceedance(const ActivationResult& result, std::span<const double> weights, double gamma,
                              const Progress& progress) {
  std::vector<float> probability(result.voxels.size());
  forChunks(result, weights, progress, [&](const Mixture& mixture, std::int64_t begin, int size) {
    exceedanceOf(mixture, size, gamma, probability.data() + begin);
  });
  return probability;
}

CredibleInterval credibleInterval(const ActivationResult& result, std::span<const double> weights,
                                  double share, const Progress& progress) {
  CredibleInterval ends{std::vector<float>(result.voxels.size()), std::vector<float>(result.voxels.size())};
  forChunks(result, weights, progress, [&](const Mixture& mixture, std::int64_t begin, int size) {
    solveInterval(mixture, size, share, ends.low.data() + begin, ends.high.data() + begin);
  });
  return ends;
}

float exceedanceAt(const ActivationResult& result, std::span<const double> weights, double gamma,
                   std::int64_t voxel) {
  float probability;
  exceedanceOf(mixtureAt(result, weights, voxel), 1, gamma, &probability);
  return probability;
}

Range credibleIntervalAt(const ActivationResult& result, std::span<const double> weights, double share,
                         std::int64_t voxel) {
  float low, high;
  solveInterval(mixtureAt(result, weights, voxel), 1, share, &low, &high);
  return {low, high};
}

Range highestDensity(std::span<const float> values, double share) {
  std::vector<float> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  const std::size_t held =
      std::clamp<std::size_t>(std::size_t(std::ceil(share * double(sorted.size()))), 1, sorted.size());
  Range best{sorted.front(), sorted.back()};
  for (std::size_t i = 0; i + held <= sorted.size(); ++i)
    if (const Range range{sorted[i], sorted[i + held - 1]}; range.high - range.low < best.high - best.low)
      best = range;
  return best;
}

double fdrThreshold(std::span<const float> exceedance, double q) {
  std::vector<float> sorted;
  for (const float p : exceedance)
    if (std::isfinite(p)) sorted.push_back(p);
  std::sort(sorted.begin(), sorted.end(), std::greater<>());
  double errors = 0, threshold = 2;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    errors += 1 - double(sorted[i]);
    if (errors > q * double(i + 1)) break;
    const bool last = i + 1 == sorted.size() || sorted[i + 1] < sorted[i];  // of equal probabilities
    if (last) threshold = sorted[i];
  }
  return threshold;
}

}  // namespace sulcus::activation
