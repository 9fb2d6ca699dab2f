#include "core/activation/results/mixture_fdr.h"

#include "core/base/parallel/parallel_for.h"
#include "core/math/statistics.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <tuple>

#include <Eigen/Core>

namespace sulcus::activation {
namespace {

constexpr std::size_t kMostForGroups = 50'000;  // voxels used to estimate the parameters
constexpr std::int64_t kGroupBlock = 2048;      // voxels whose sums are added up together
constexpr double kNullVoxels = 10;    // number of voxels without effect that the prior of π₀ counts
                                      // as
constexpr double kFarFromNull = 2.5;  // standard errors, see the header
constexpr double kWild = 10;          // median standard errors: values are clamped to this
constexpr int kMostSteps = 500;
constexpr double kSettled = 1e-5;  // length of the last step in π₀, κ, and μ and τ in standard errors

/// An effect, if not zero, given its estimate x with the standard error s.
struct Alternative {
  double mean, variance;  // of the effect given x
  double odds;            // density of x relative to its density if the effect is zero
};

Alternative alternativeOf(const FdrMixture& mixture, double x, double s) {
  const double error = mixture.errorScale * mixture.errorScale * s * s,
               spread = mixture.spread * mixture.spread;
  const double all = spread + error, share = spread / all, above = x - mixture.mean;
  return {mixture.mean + share * above, share * error,
          std::sqrt(error / all) * std::exp(std::min((x * x / error - above * above / all) / 2, 700.0))};
}

/// P(the effect is zero | x).
double nullProbability(const FdrMixture& mixture, double odds) {
  return mixture.nullShare / (mixture.nullShare + (1 - mixture.nullShare) * odds);
}

/// Sums over voxels, weighted by the probabilities of both groups.
struct GroupSums {
  double null = 0, nullSquares = 0;         // Σ P(zero), Σ P(zero) (x/s)²
  double nullFirst = 0, nullWeight = 0;     // Σ P(zero) x/s², Σ P(zero)/s²
  double other = 0, first = 0, second = 0;  // Σ P(other), and times the effect and its square

  GroupSums& operator+=(const GroupSums& b) {
    null += b.null;
    nullSquares += b.nullSquares;
    nullFirst += b.nullFirst;
    nullWeight += b.nullWeight;
    other += b.other;
    first += b.first;
    second += b.second;
    return *this;
  }
};

GroupSums sumGroups(const FdrMixture& mixture, const std::vector<double>& x, const std::vector<double>& s) {
  const auto count = std::int64_t(x.size());
  std::vector<GroupSums> sums((count + kGroupBlock - 1) / kGroupBlock);
  parallelForBlocks(count, kGroupBlock, Progress(), [&](std::int64_t begin, std::int64_t end) {
    GroupSums sum;
    for (auto i = std::size_t(begin); i < std::size_t(end); ++i) {
      const double effect = x[i] - mixture.common;
      const Alternative other = alternativeOf(mixture, effect, s[i]);
      const double null = nullProbability(mixture, other.odds), rest = 1 - null;
      const double square = effect * effect / (s[i] * s[i]);
      sum += {null,
              null * square,
              null * x[i] / (s[i] * s[i]),
              null / (s[i] * s[i]),
              rest,
              rest * other.mean,
              rest * (other.mean * other.mean + other.variance)};
    }
    sums[begin / kGroupBlock] = sum;
  });
  return std::accumulate(sums.begin(), sums.end(), GroupSums(),
                         [](GroupSums a, const GroupSums& b) { return a += b; });
}

/// The mean standard error, with less weight for those of a few wild voxels, which would mask the others.
double typicalError(const std::vector<double>& s) {
  std::vector<double> sorted = s;
  const double most = kWild * upperMedian(std::span(sorted));
  return std::accumulate(s.begin(), s.end(), 0.0,
                         [most](double sum, double error) { return sum + std::min(error, most); }) /
         double(s.size());
}

/// The start of the search: a tenth of the voxels have an effect, with about the mean of those far from zero
/// and the spread of all estimates.
FdrMixture startOf(const std::vector<double>& x, const std::vector<double>& s) {
  double far = 0, count = 0, mean = 0, square = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    mean += x[i];
    square += x[i] * x[i];
    if (!(std::abs(x[i]) > kFarFromNull * s[i])) continue;
    far += x[i];
    ++count;
  }
  mean /= double(x.size());
  square /= double(x.size());
  return {0.9, count > 0 ? far / count : 0, std::sqrt(std::max(square - mean * mean, 0.0)), 1, 0};
}

/// Maximum likelihood μ and τ with √(μ² + τ²) ≥ `least`, for effects with these means of their first and
/// second powers. On the bound μ is the one real root of μ³ − first μ² + second μ − first least².
std::pair<double, double> effectsOf(double first, double second, double least) {
  if (second >= least * least) return {first, std::sqrt(std::max(second - first * first, 0.0))};
  double mean = std::copysign(least, first);
  for (int i = 0; i < 40; ++i)  // Newton's method, from the side where the cubic bends towards its root
    mean -= (((mean - first) * mean + second) * mean - first * least * least) /
            ((3 * mean - 2 * first) * mean + second);
  return {mean, std::sqrt(std::max(least * least - mean * mean, 0.0))};
}

/// The EM algorithm of a fit.
class Fit {
 public:
  /// @param commonSd  s.d. of the error common to all x
  Fit(std::vector<double> x, std::vector<double> s, double commonSd)
      : x_(std::move(x)), s_(std::move(s)), unit_(typicalError(s_)), commonSd_(commonSd) {}

  /// Extrapolates pairs of steps (SQUAREM: Varadhan and Roland, Scand. J. Statist. 35 (2008) 335, scheme S3),
  /// farther and farther as long as the parameters remain valid.
  FdrMixture run() const {
    FdrMixture mixture = startOf(x_, s_);
    if (commonSd_ > 0) {
      std::vector<double> sorted = x_;
      mixture.common = upperMedian(std::span(sorted));
    }
    double farthest = 1;
    for (int i = 0; i < kMostSteps; i += 2) {
      const FdrMixture once = step(mixture), twice = step(once);
      const Vector change = vectorOf(once) - vectorOf(mixture),
                   bend = vectorOf(twice) - vectorOf(once) - change;
      const double moved = std::abs(twice.common - mixture.common) / unit_;
      if (change.norm() < kSettled && moved < kSettled) return twice;
      const double length = std::clamp(change.norm() / std::max(bend.norm(), 1e-300), 1.0, farthest);
      const Vector far = vectorOf(mixture) + 2 * length * change + length * length * bend;
      mixture = allowed(far) ? mixtureOf(far) : twice;
      mixture.common = twice.common;
      if (!allowed(far))
        farthest = 1;
      else if (length == farthest)
        farthest *= 4;
    }
    return step(mixture);
  }

 private:
  /// π₀, κ, and μ and τ in typical standard errors.
  using Vector = Eigen::Vector4d;
  Vector vectorOf(const FdrMixture& mixture) const {
    return {mixture.nullShare, mixture.errorScale, mixture.mean / unit_, mixture.spread / unit_};
  }
  FdrMixture mixtureOf(const Vector& v) const { return {v[0], v[2] * unit_, v[3] * unit_, v[1], 0}; }
  static bool allowed(const Vector& v) {
    return v.allFinite() && v[0] > 0 && v[0] <= 1 && v[1] >= 1 && v[3] >= 0;
  }

  FdrMixture step(FdrMixture mixture) const {
    const GroupSums sums = sumGroups(mixture, x_, s_);
    mixture.nullShare = (sums.null + kNullVoxels) / (double(x_.size()) + kNullVoxels);
    if (sums.null > 0) mixture.errorScale = std::max(1.0, std::sqrt(sums.nullSquares / sums.null));
    if (commonSd_ > 0) {
      const double error = mixture.errorScale * mixture.errorScale;
      mixture.common = sums.nullFirst / error / (sums.nullWeight / error + 1 / (commonSd_ * commonSd_));
    }
    if (sums.other > 0)
      std::tie(mixture.mean, mixture.spread) =
          effectsOf(sums.first / sums.other, sums.second / sums.other, kFarFromNull * unit_);
    return mixture;
  }

  std::vector<double> x_, s_;
  double unit_, commonSd_;
};

}  // namespace

std::optional<FdrMixture> fitFdrMixture(const ContrastEstimates& estimates) {
  std::vector<double> x, s;
  const std::size_t all = estimates.effect.size(), step = (all + kMostForGroups - 1) / kMostForGroups;
  for (std::size_t i = 0; i < all; i += step) {
    if (!(estimates.error[i] > 0) || !std::isfinite(estimates.effect[i])) continue;
    x.push_back(estimates.effect[i] - (estimates.common.empty() ? 0 : estimates.common[i]));
    s.push_back(estimates.normalError(i));
  }
  if (std::int64_t(x.size()) < kFewestForGroups) return std::nullopt;
  return Fit(std::move(x), std::move(s), estimates.commonSd).run();
}

std::vector<float> localFalseShare(const ContrastEstimates& estimates, const FdrMixture& mixture,
                                   double gamma, const Progress& progress) {
  std::vector<float> share(estimates.effect.size(), 1.0f);
  parallelFor(std::ssize(share), progress, [&](std::int64_t at) {
    const auto i = std::size_t(at);
    if (!(estimates.error[i] > 0)) return;
    const double common = mixture.common + (estimates.common.empty() ? 0 : estimates.common[i]);
    const Alternative other = alternativeOf(mixture, estimates.effect[i] - common, estimates.normalError(i));
    const double null = nullProbability(mixture, other.odds),
                 sd = std::sqrt(std::max(other.variance, 1e-300));
    const double below = std::erfc((other.mean - gamma) / sd / std::numbers::sqrt2) / 2;
    share[i] = float((gamma >= 0 ? null : 0) + (1 - null) * below);
  });
  return share;
}

std::shared_ptr<const GroupedEstimates> groupedEstimates(const ActivationResult& result,
                                                         const std::vector<double>& weights,
                                                         const Progress& progress) {
  return (*result.grouped)(weights,
                           [&] {
                             auto estimates = estimateContrast(result, weights, progress);
                             auto mixture = fitFdrMixture(estimates);
                             return std::make_shared<const GroupedEstimates>(
                                 GroupedEstimates{std::move(estimates), mixture});
                           })
      .value;
}

void groupContrasts(const ActivationResult& result, const std::vector<Contrast>& contrasts) {
  // Each search has many short steps, which leave threads idle.
  parallelFor(std::ssize(contrasts), 1, Progress(),
              [&](std::int64_t i) { groupedEstimates(result, contrasts[i].weights, {}); });
}

}  // namespace sulcus::activation
