#include "core/activation/results/posterior.h"

#include "core/activation/model/mixture_shape.h"
#include "core/base/parallel/parallel_for.h"
#include "core/math/statistics.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <functional>

// The loops over a chunk of voxels contain no branches and no calls, so that the compiler can vectorize them.

namespace sulcus::activation {
namespace {

constexpr int kChunk = 256;            // voxels
constexpr std::int64_t kBlock = 4096;  // voxels between two checks of Progress

using Chunk = std::array<float, kChunk>;
using Nodes = std::array<Chunk, kSigma2Nodes>;

/// a + b x + c x² + …
constexpr float polynomial(float, float a) { return a; }
template <class... More>
constexpr float polynomial(float x, float a, float b, More... more) {
  return a + x * polynomial(x, b, more...);
}

/// eˣ for −87 ≤ x ≤ 0, relative error 2e-7.
inline float exponential(float x) {
  constexpr float kLog2 = 0.693147181f, kPerLog2 = 1.44269504f;
  constexpr float kRounds = 12582912;  // 1.5 · 2²³: what is added to it is rounded to a whole number
  constexpr int kBias = 127, kMantissaBits = 23;
  const float t = std::max(x, -87.0f) * kPerLog2;
  const float whole = (t + kRounds) - kRounds, f = (t - whole) * kLog2;  // |f| ≤ ln 2 / 2
  const float e = polynomial(f, 1, 1, 0.5f, 1 / 6.0f, 1 / 24.0f, 1 / 120.0f, 1 / 720.0f);
  return e * std::bit_cast<float>((int(whole) + kBias) << kMantissaBits);
}

/// P(N(0, 1) > x) within 2e-7, and the density there. Abramowitz & Stegun 7.1.26.
inline float upperTail(float x, float& density) {
  const float a = std::abs(x) * 0.707106781f, t = 1 / (1 + 0.3275911f * a), e = exponential(-a * a);
  const float half =
      0.5f * e * t * polynomial(t, 0.254829592f, -0.284496736f, 1.421413741f, -1.453152027f, 1.061405429f);
  density = 0.398942280f * e;
  return x > 0 ? half : 1 - half;
}

/// The posterior of c'β in up to kChunk voxels: a mixture of normal distributions. Centers and widths of its
/// components are relative to the mean, in units of the s.d.
struct Mixture {
  Chunk mean{}, sd{};       // c'm, √(c'Cc)
  Nodes center{}, width{};  // mean and s.d. of each component

  /// P(c'β > mean + z sd), and the density there times sd.
  float tail(int i, float z, float& density) const {
    float p = 0;
    density = 0;
    for (int node = 0; node < kSigma2Nodes; ++node) {
      float d;
      const float w = width[node][i];
      p += kSigma2Weights[node] * upperTail((z - center[node][i]) / w, d);
      density += kSigma2Weights[node] * d / w;
    }
    return p;
  }
};

/// Sets mean and s.d. of the mixtures of the voxels begin … begin + size − 1, the first `size` of the chunk.
void addMoments(const ActivationResult& result, std::span<const double> weights, std::int64_t begin, int size,
                Mixture& mixture) {
  const auto add = [size](double weight, const float* from, Chunk& to) {
    if (weight == 0) return;
    const auto w = float(weight);
    for (int i = 0; i < size; ++i) to[i] += w * from[i];
  };
  const float* covariance = result.covariance.data() + begin;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    add(weights[i], result.mean.data() + std::int64_t(i) * result.count() + begin, mixture.mean);
    for (std::size_t j = 0; j <= i; ++j, covariance += result.count())
      add((i == j ? 1 : 2) * weights[i] * weights[j], covariance, mixture.sd);
  }
  for (float& sd : mixture.sd) sd = std::sqrt(std::max(sd, 0.0f));
}

/// Calls `use(mixture, begin, size)` for all voxels in chunks, on all threads.
void forChunks(const ActivationResult& result, std::span<const double> weights, const Progress& progress,
               const std::function<void(const Mixture&, std::int64_t begin, int size)>& use) {
  const std::vector<double> key(weights.begin(), weights.end());
  std::shared_ptr<const MixtureShape> shape;
  if (!result.groups.empty())
    shape = (*result.shapes)(key, [&] {
              return mixtureShapes(result, {&key, 1}, progress.part(0, 0.5, "Maps"))[0];
            }).value;
  const std::int64_t m = result.count();
  parallelForBlocks(m, kBlock, progress.part(0.5, 1, "Maps"), [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t at = begin; at < end; at += kChunk) {
      const int size = int(std::min<std::int64_t>(kChunk, end - at));
      Mixture mixture;
      addMoments(result, weights, at, size, mixture);
      for (int node = 0; node < kSigma2Nodes; ++node) {
        auto &center = mixture.center[node], &width = mixture.width[node];
        if (shape) {
          std::copy_n(shape->center.begin() + node * m + at, size, center.begin());
          std::copy_n(shape->width.begin() + node * m + at, size, width.begin());
        } else {
          width.fill(1);
        }
      }
      use(mixture, at, size);
    }
  });
}

Mixture mixtureAt(const ActivationResult& result, std::span<const double> weights, std::int64_t voxel) {
  Mixture mixture;
  addMoments(result, weights, voxel, 1, mixture);
  for (Chunk& width : mixture.width) width[0] = 1;
  if (result.groups.empty()) return mixture;
  const MixtureShape shape = mixtureShapeAt(result, weights, voxel);
  for (std::size_t node = 0; node < kSigma2Nodes; ++node) {
    mixture.center[node][0] = shape.center[node];
    mixture.width[node][0] = shape.width[node];
  }
  return mixture;
}

void exceedanceOf(const Mixture& mixture, int size, double gamma, float* probability) {
  const auto limit = float(gamma);
  for (int i = 0; i < size; ++i) {
    float density;
    // A posterior without spread lies on one side of the limit.
    const float sd = std::max(mixture.sd[i], 1e-30f);
    const float z = (limit - mixture.mean[i]) / sd;
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
      ends[i] = mixture.mean[i] + z * mixture.sd[i];
    }
  }
}

}  // namespace

ContrastMoments contrastMoments(const ActivationResult& result, std::span<const double> weights,
                                const Progress& progress) {
  ContrastMoments moments{std::vector<float>(result.voxels.size()), std::vector<float>(result.voxels.size())};
  parallelForBlocks(result.count(), kChunk, progress, [&](std::int64_t begin, std::int64_t end) {
    Mixture mixture;
    addMoments(result, weights, begin, int(end - begin), mixture);
    std::copy_n(mixture.mean.begin(), end - begin, moments.mean.begin() + begin);
    std::copy_n(mixture.sd.begin(), end - begin, moments.sd.begin() + begin);
  });
  return moments;
}

void shapeContrasts(const ActivationResult& result, std::vector<std::vector<double>> contrasts,
                    const Progress& progress) {
  if (result.groups.empty()) return;
  std::sort(contrasts.begin(), contrasts.end());
  contrasts.erase(std::unique(contrasts.begin(), contrasts.end()), contrasts.end());
  std::erase_if(contrasts, [&](const auto& weights) { return result.shapes->recall(weights).has_value(); });
  if (contrasts.empty()) return;
  const auto shapes = mixtureShapes(result, contrasts, progress);
  for (std::size_t c = 0; c < contrasts.size(); ++c)
    (*result.shapes)(contrasts[c], [&] { return shapes[c]; });
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
    const bool last = i + 1 == sorted.size() || sorted[i + 1] < sorted[i];  // last of equal probabilities
    if (last) threshold = sorted[i];
  }
  return threshold;
}

}  // namespace sulcus::activation
