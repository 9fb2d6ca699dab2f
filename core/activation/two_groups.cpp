#include "core/activation/two_groups.h"

#include "core/base/parallel_for.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

namespace sulcus::activation {
namespace {

constexpr std::size_t kMostForGroups = 50'000;  // voxels that the parameters are estimated from
constexpr std::int64_t kGroupBlock = 2048;      // voxels whose sums are added up together
constexpr double kNullVoxels = 10;              // the prior of π₀ counts as so many voxels without effect
constexpr double kFarFromNull = 2.5;            // standard errors: where the search takes the first μ from
constexpr int kMostSteps = 500;
constexpr double kSettled = 1e-6;  // change of π₀, κ, and of μ and τ in standard errors, that ends it

/// What is known of an effect x with the standard error s when it is not zero.
struct Alternative {
  double mean, variance;  // of the effect given x
  double odds;            // density of x over its density when the effect is zero
};

Alternative alternativeOf(const TwoGroups& groups, double x, double s) {
  const double error = groups.errorScale * groups.errorScale * s * s, spread = groups.spread * groups.spread;
  const double all = spread + error, share = spread / all, above = x - groups.mean;
  return {groups.mean + share * above, share * error,
          std::sqrt(error / all) * std::exp(std::min((x * x / error - above * above / all) / 2, 700.0))};
}

/// P(the effect is zero | x).
double nullProbability(const TwoGroups& groups, double odds) {
  return groups.nullShare / (groups.nullShare + (1 - groups.nullShare) * odds);
}

/// Sums over voxels, weighted with the probabilities of both groups.
struct GroupSums {
  double null = 0, nullSquares = 0;         // Σ P(zero), Σ P(zero) (x/s)²
  double other = 0, first = 0, second = 0;  // Σ P(other), and times the effect and its square

  GroupSums& operator+=(const GroupSums& b) {
    null += b.null, nullSquares += b.nullSquares, other += b.other, first += b.first, second += b.second;
    return *this;
  }
};

GroupSums sumGroups(const TwoGroups& groups, const std::vector<double>& x, const std::vector<double>& s) {
  const auto count = std::int64_t(x.size());
  std::vector<GroupSums> sums(std::size_t((count + kGroupBlock - 1) / kGroupBlock));
  parallelForBlocks(count, kGroupBlock, Progress(), [&](std::int64_t begin, std::int64_t end) {
    GroupSums sum;
    for (auto i = std::size_t(begin); i < std::size_t(end); ++i) {
      const Alternative other = alternativeOf(groups, x[i], s[i]);
      const double null = nullProbability(groups, other.odds), rest = 1 - null;
      sum += {null, null * x[i] * x[i] / (s[i] * s[i]), rest, rest * other.mean,
              rest * (other.mean * other.mean + other.variance)};
    }
    sums[std::size_t(begin / kGroupBlock)] = sum;
  });
  return std::accumulate(sums.begin(), sums.end(), GroupSums(),
                         [](GroupSums a, const GroupSums& b) { return a += b; });
}

/// Where the search starts: a tenth of the voxels have an effect, about that of those far from zero, and as
/// wide as all estimates.
TwoGroups startOf(const std::vector<double>& x, const std::vector<double>& s) {
  double far = 0, count = 0, mean = 0, square = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    mean += x[i], square += x[i] * x[i];
    if (std::abs(x[i]) > kFarFromNull * s[i]) far += x[i], ++count;
  }
  mean /= double(x.size()), square /= double(x.size());
  return {0.9, count > 0 ? far / count : 0, std::sqrt(std::max(square - mean * mean, 0.0)), 1};
}

}  // namespace

std::optional<TwoGroups> fitTwoGroups(const ContrastEstimates& estimates) {
  std::vector<double> x, s;
  const std::size_t all = estimates.effect.size(), step = (all + kMostForGroups - 1) / kMostForGroups;
  for (std::size_t i = 0; i < all; i += step)
    if (estimates.error[i] > 0 && std::isfinite(estimates.effect[i]))
      x.push_back(estimates.effect[i]), s.push_back(estimates.normalError(i));
  if (std::int64_t(x.size()) < kFewestForGroups) return std::nullopt;
  const auto voxels = double(x.size());
  const double unit = std::accumulate(s.begin(), s.end(), 0.0) / voxels;
  TwoGroups groups = startOf(x, s);
  for (int i = 0; i < kMostSteps; ++i) {
    const TwoGroups last = groups;
    const GroupSums sums = sumGroups(groups, x, s);
    groups.nullShare = (sums.null + kNullVoxels) / (voxels + kNullVoxels);
    if (sums.null > 0) groups.errorScale = std::max(1.0, std::sqrt(sums.nullSquares / sums.null));
    if (sums.other > 0) {
      groups.mean = sums.first / sums.other;
      groups.spread = std::sqrt(std::max(sums.second / sums.other - groups.mean * groups.mean, 0.0));
    }
    const double change =
        std::max({std::abs(groups.nullShare - last.nullShare), std::abs(groups.errorScale - last.errorScale),
                  std::abs(groups.mean - last.mean) / unit, std::abs(groups.spread - last.spread) / unit});
    if (change < kSettled) break;
  }
  return groups;
}

std::vector<float> localFalseShare(const ContrastEstimates& estimates, const TwoGroups& groups, double gamma,
                                   const Progress& progress) {
  std::vector<float> share(estimates.effect.size(), 1.0f);
  parallelFor(std::int64_t(share.size()), progress, [&](std::int64_t at) {
    const auto i = std::size_t(at);
    if (!(estimates.error[i] > 0)) return;
    const Alternative other = alternativeOf(groups, estimates.effect[i], estimates.normalError(i));
    const double null = nullProbability(groups, other.odds), sd = std::sqrt(std::max(other.variance, 1e-300));
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
                             auto groups = fitTwoGroups(estimates);
                             return std::make_shared<const GroupedEstimates>(
                                 GroupedEstimates{std::move(estimates), groups});
                           })
      .value;
}

}  // namespace sulcus::activation
