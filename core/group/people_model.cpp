#include "core/group/people_model.h"

#include "core/base/parallel/parallel_for.h"
#include "core/group/exchanges.h"
#include "core/math/philox.h"
#include "core/math/statistics.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace sulcus::group {
namespace {

constexpr int kTile = PreparedMaps::kTile;
constexpr int kDrawLanes = 8;  ///< voxels that are drawn side by side
constexpr int kChains = 2;
constexpr std::int64_t kTilesAtOnce = 256;
constexpr double kReach = 6;  ///< of a histogram beyond the estimate, in standard errors

using DrawPack = FloatPack<kDrawLanes>;
using DrawWords = UintPack<kDrawLanes>;

/// The numbers of a column in a voxel of a tile.
struct TileColumn {
  float* first;
  DrawPack get(int column) const { return load<DrawPack>(first + std::int64_t(column) * kTile); }
  void set(int column, DrawPack value) const { store(first + std::int64_t(column) * kTile, value); }
};

/// Adds up 32 numbers pairwise, as a warp does.
double sumOfHalves(std::array<double, kTile>& values) {
  for (int half = kTile / 2; half > 0; half /= 2)
    for (int i = 0; i < half; ++i) values[i] += values[i + half];
  return values[0];
}

class CpuPeopleSampler final : public PeopleSampler {
 public:
  CpuPeopleSampler(const PeopleProblem& problem, int chains) : problem_(problem) {
    const auto voxels = std::size_t(problem.voxels);
    totals_.sum.resize(voxels * std::size_t(chains));
    totals_.squareSum.resize(totals_.sum.size());
    totals_.deviationSum.resize(voxels);
    totals_.histogram.resize(voxels * PeopleTotals::kBins);
    sums_.resize(problem.rest.size());
    ofTiles_.resize(problem.tiles());
  }

  void begin(std::span<const float> effect, std::span<const float> variance) override {
    effect_.assign(effect.begin(), effect.end());
    variance_.assign(variance.begin(), variance.end());
    rest_ = problem_.rest;
  }

  PeopleSums draw(const PeopleHyper& hyper, bool isKept) override {
    parallelForBlocks(problem_.tiles(), kTilesAtOnce, {}, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t tile = begin; tile < end; ++tile) ofTiles_[tile] = drawTile(hyper, tile, isKept);
    });
    PeopleSums sums;
    for (const PeopleSums& ofTile : ofTiles_) sums += ofTile;
    return sums;
  }

  PeopleTotals totals() override { return std::move(totals_); }

 private:
  PeopleSums drawTile(const PeopleHyper& hyper, std::int64_t tile, bool isKept) {
    std::array<std::array<double, kTile>, 4> sums{};
    for (int lane = 0; lane < kTile; lane += kDrawLanes) {
      const std::int64_t v = tile * kTile + lane;
      drawPack(hyper, v);
      const DrawPack effect = load<DrawPack>(&effect_[v]), variance = load<DrawPack>(&variance_[v]);
      const DrawPack square = effect * effect, log = logarithm(variance), inverse = DrawPack(1.f) / variance;
      for (int i = 0; i < kDrawLanes && v + i < problem_.voxels; ++i) {
        const auto at = std::size_t(lane + i);
        sums[0][at] = effect.v[i] != 0;
        sums[1][at] = square.v[i];
        sums[2][at] = log.v[i];
        sums[3][at] = inverse.v[i];
        if (isKept) keep(hyper.chain, v + i, effect.v[i], variance.v[i]);
      }
    }
    return {sumOfHalves(sums[0]), sumOfHalves(sums[1]), sumOfHalves(sums[2]), sumOfHalves(sums[3])};
  }

  void drawPack(const PeopleHyper& hyper, std::int64_t v) {
    DrawWords voxel;
    for (int i = 0; i < kDrawLanes; ++i) voxel.v[i] = std::uint32_t(v + i);
    const PhiloxStream<DrawWords> random{PhiloxKey(problem_.seed), voxel, hyper.draw, hyper.chain};
    const auto at = std::size_t(v);
    DrawPack effect = load<DrawPack>(&effect_[at]), variance = load<DrawPack>(&variance_[at]);
    const std::int64_t tile = v / kTile, lane = v % kTile;
    const TileColumn rest{rest_.data() + tile * problem_.rests * kTile + lane},
        sums{sums_.data() + tile * problem_.rests * kTile + lane};
    const auto of = [v](const PreparedMaps& maps) {
      return [&maps, v](int person) { return load<DrawPack>(&maps.values[maps.index(person, v)]); };
    };
    const VoxelOfPeople ofPeople{problem_.people,
                                 problem_.rests,
                                 problem_.along.data(),
                                 float(problem_.scale),
                                 problem_.hasVariances(),
                                 load<DrawPack>(&problem_.estimate[at]),
                                 load<DrawPack>(&problem_.squares[at]),
                                 of(problem_.values),
                                 of(problem_.variances),
                                 rest,
                                 sums};
    drawVoxel(hyper, ofPeople, random, effect, variance);
    store(&effect_[at], effect);
    store(&variance_[at], variance);
  }

  void keep(std::uint32_t chain, std::int64_t voxel, float effect, float variance) {
    const auto v = std::size_t(voxel), ofChain = std::size_t(chain * problem_.voxels + voxel);
    totals_.sum[ofChain] += effect;
    totals_.squareSum[ofChain] += double(effect) * effect;
    totals_.deviationSum[v] += squareRoot(variance);
    ++totals_.histogram[v * PeopleTotals::kBins + std::size_t(binOf(effect, problem_.reach[v]))];
  }

  const PeopleProblem& problem_;
  std::vector<float> effect_, variance_, rest_, sums_;
  std::vector<PeopleSums> ofTiles_;
  PeopleTotals totals_;
};

/// The parameters that all voxels share, and their conditional distributions.
class SharedParameters {
 public:
  SharedParameters(const PeopleProblem& problem, std::uint32_t chain, double slab, double variance)
      : problem_(problem), chain_(chain), priorSlab_(slab), slab_(slab), variance_(variance) {
    share_ = chain == 0 ? 0.1 : 0.5;
  }

  PeopleHyper hyper(std::uint32_t draw) const {
    PeopleHyper hyper;
    hyper.logOdds = float(std::log(share_ / (1 - share_)));
    hyper.slab = float(slab_);
    hyper.priorSum = float(freedom_ * variance_);
    hyper.variances = ChiSquare<float>(float(freedom_ + problem_.freedom + 1));
    hyper.draw = draw;
    hyper.chain = chain_;
    return hyper;
  }

  void draw(const PeopleSums& sums, std::uint32_t draw) {
    random_ = {PhiloxKey(problem_.seed), 0, draw, chain_ | kHyperStream};
    const auto voxels = double(problem_.voxels);
    // The priors are Beta(1, 1) and a scaled inverse χ² with two degrees of freedom.
    const double with = chiSquare(2 * (1 + sums.effects)),
                 without = chiSquare(2 * (1 + voxels - sums.effects));
    share_ = std::clamp(with / (with + without), 1e-9, 1 - 1e-9);
    slab_ = (2 * priorSlab_ + sums.effectSquares) / chiSquare(2 + sums.effects);
    variance_ = chiSquare(std::max(2.0, voxels * freedom_)) / (freedom_ * sums.inverseVariances);
    drawFreedom(sums);
  }

  double share() const { return share_; }
  double slab() const { return slab_; }

 private:
  double chiSquare(double freedom) {
    const ChiSquare<double> law(freedom);
    for (;;) {
      std::uint32_t words[4];
      random_.next4(words);
      float normal, other;
      reproducibleNormalPair(words[0], words[1], normal, other);
      double value;
      if (chiSquareCandidate(law, double(normal), double(uniform(words[2])), value)) return value;
    }
  }

  /// ν₀ on a fine grid of 1 to 1000 with the prior density 1/ν₀.
  void drawFreedom(const PeopleSums& sums) {
    constexpr int kSteps = 1024;
    const auto voxels = double(problem_.voxels);
    std::array<double, kSteps> density{};
    const auto freedomAt = [](int i) { return std::pow(1000.0, double(i) / (kSteps - 1)); };
    for (int i = 0; i < kSteps; ++i) {
      const double half = 0.5 * freedomAt(i);
      density[i] = voxels * (half * std::log(half * variance_) - std::lgamma(half)) -
                   half * (sums.logVariances + variance_ * sums.inverseVariances);
    }
    const double most = *std::ranges::max_element(density);
    for (double& d : density) d = std::exp(d - most);
    std::uint32_t words[4];
    random_.next4(words);
    double left = double(uniform(words[0])) * std::accumulate(density.begin(), density.end(), 0.0);
    int i = 0;
    while (i < kSteps - 1 && (left -= density[i]) > 0) ++i;
    freedom_ = freedomAt(i);
  }

  const PeopleProblem& problem_;
  std::uint32_t chain_;
  double priorSlab_, share_, slab_, variance_, freedom_ = 10;
  PhiloxStream<std::uint32_t> random_;
};

double meanOf(std::span<const float> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / double(values.size());
}

/// Initial variances between people for a chain: the residual variance around the design, minus what the
/// variances of the maps explain.
std::vector<float> firstVariances(const PeopleProblem& problem) {
  std::vector<float> variance(problem.squares.size(), 1.f);
  const double typical =
      std::max(1e-6, meanOf({problem.squares.data(), std::size_t(problem.voxels)}) / problem.freedom);
  for (std::int64_t v = 0; v < problem.voxels; ++v) {
    const double found = problem.squares[v] / problem.freedom;
    double own = 0;
    if (problem.hasVariances())
      for (int n = 0; n < problem.people; ++n) own += problem.variances.values[problem.variances.index(n, v)];
    variance[v] = float(std::max({0.1 * found, 0.01 * typical, found - own / std::max(1, problem.people)}));
  }
  return variance;
}

PeoplePosterior posteriorOf(const PeopleProblem& problem, PeopleTotals totals, int drawsOfChain) {
  PeoplePosterior made;
  const auto voxels = std::size_t(problem.voxels);
  made.draws = kChains * drawsOfChain;
  made.mean.resize(voxels);
  made.deviation.resize(voxels);
  made.peopleDeviation.resize(voxels);
  made.reach.assign(problem.reach.begin(), problem.reach.begin() + problem.voxels);
  for (float& reach : made.reach) reach *= float(problem.unit);
  made.histogram = std::move(totals.histogram);
  const double n = drawsOfChain;
  std::int64_t above = 0;
  for (std::size_t v = 0; v < voxels; ++v) {
    std::array<double, kChains> mean{};
    double within = 0;
    for (std::size_t c = 0; c < kChains; ++c) {
      mean[c] = totals.sum[c * voxels + v] / n;
      within += std::max(0.0, totals.squareSum[c * voxels + v] - n * mean[c] * mean[c]) / (n - 1) / kChains;
    }
    const double between = 0.5 * (mean[0] - mean[1]) * (mean[0] - mean[1]);  // of two chains
    const double all = (n - 1) / n * within + between;
    const double ratio = within > 0 ? std::sqrt(all / within) : 1;
    made.largestRatio = std::max(made.largestRatio, ratio);
    above += ratio > 1.05;
    made.mean[v] = float(0.5 * (mean[0] + mean[1]) * problem.unit);
    made.deviation[v] = float(std::sqrt(all) * problem.unit);
    made.peopleDeviation[v] = float(totals.deviationSum[v] / made.draws * problem.unit);
  }
  made.shareAbove = double(above) / double(voxels);
  return made;
}

/// The power of 2 nearest to the typical s.d. between people, so that floats suit any unit.
double unitOf(std::vector<double> squares, double freedom) {
  const double median = upperMedian(std::span(squares));
  return median > 0 ? std::exp2(std::round(0.5 * std::log2(median / freedom))) : 1;
}

/// The shift of all estimates that arises from people who differ in all voxels alike, found as the center of
/// a mixture of voxels with and without an effect (expectation maximization; Dempster et al., J R Stat Soc B
/// 39 (1977) 1): an empirical null (Efron, J Am Stat Assoc 99 (2004) 96) whose center has a normal prior with
/// mean 0.
///
/// @param squares   residual sum of squares around the design in each voxel, with `freedom` degrees of
///                  freedom
/// @param factor    κ²: the variance of an estimate is κ² × that between people
/// @param variance  of the prior of the shift
double commonShift(const std::vector<double>& estimate, const std::vector<double>& squares, double freedom,
                   double factor, double variance) {
  constexpr std::size_t kMostVoxels = 20000;
  constexpr int kRounds = 60;
  constexpr double kPriorFreedom = 4;
  if (!(variance > 0)) return 0;
  const double typical = std::accumulate(squares.begin(), squares.end(), 0.0) / double(squares.size());
  std::vector<double> values, variances;
  for (std::size_t i = 0; i < estimate.size(); i += estimate.size() / kMostVoxels + 1) {
    values.push_back(estimate[i]);
    variances.push_back(factor * (squares[i] + kPriorFreedom * typical / freedom) /
                        (freedom + kPriorFreedom));
  }
  std::vector<double> inAnyOrder = values;
  double shift = upperMedian(inAnyOrder), share = 0.3, slab = 0;
  for (const double value : values) slab += (value - shift) * (value - shift) / double(values.size());
  for (int round = 0; round < kRounds && slab > 0; ++round) {
    double effects = 0, effectSquares = 0, weighted = 0, weights = 1 / variance;
    for (std::size_t i = 0; i < values.size(); ++i) {
      const double own = variances[i], both = own + slab, off = values[i] - shift;
      const double odds =
          std::log(share / (1 - share)) + 0.5 * (std::log(own / both) + off * off * (1 / own - 1 / both));
      const double with = 1 / (1 + std::exp(-odds)), shrink = slab / both;
      effects += with;
      effectSquares += with * (off * off * shrink * shrink + own * shrink);
      const double weight = with / both + (1 - with) / own;
      weighted += weight * values[i];
      weights += weight;
    }
    shift = weighted / weights;
    slab = effectSquares / effects;
    share = std::clamp(effects / double(values.size()), 1e-6, 1 - 1e-6);
  }
  return shift;
}

}  // namespace

PeopleProblem peopleProblem(const GroupInput& input, const std::vector<std::size_t>& mapOfRow,
                            const std::vector<std::int64_t>& voxels, const ContrastModel& contrast,
                            std::uint64_t seed) {
  PeopleProblem problem;
  problem.people = int(contrast.effect.rows());
  problem.rests = int(contrast.nuisance.cols());
  problem.voxels = std::ssize(voxels);
  problem.freedom = contrast.freedom;
  problem.seed = seed;
  Eigen::MatrixXd along(problem.people, 1 + problem.rests);
  along << contrast.effect, contrast.nuisance;
  problem.scale = contrast.estimates.col(0).dot(along.col(0));
  if (problem.scale < 0) {
    problem.scale = -problem.scale;
    along.col(0) *= -1;
  }
  for (Eigen::Index n = 0; n < along.rows(); ++n)
    for (Eigen::Index c = 0; c < along.cols(); ++c) problem.along.push_back(float(along(n, c)));

  const auto padded = std::size_t(problem.tiles() * kTile);
  const bool hasVariances = !input.variances.empty();
  std::vector<double> estimate(voxels.size()), squares(voxels.size());
  Eigen::MatrixXd rest(problem.rests, hasVariances ? problem.voxels : 0);
  const auto valueOf = [&](int person, std::int64_t i) { return input.at(mapOfRow[person], voxels[i]); };
  // What a person has in all voxels alike is noise of the person, not of the voxels.
  Eigen::VectorXd common = Eigen::VectorXd::Zero(problem.people);
  for (int n = 0; n < problem.people; ++n)
    for (std::int64_t i = 0; i < problem.voxels; ++i) common[n] += valueOf(n, i) / double(problem.voxels);
  common -= along * (along.transpose() * common);
  parallelFor(problem.voxels, {}, [&](std::int64_t i) {
    Eigen::VectorXd y(problem.people);
    for (int n = 0; n < problem.people; ++n) y[n] = valueOf(n, i);
    const Eigen::VectorXd fitted = along.transpose() * y;
    estimate[i] = problem.scale * fitted[0];
    squares[i] = (y - common - along * fitted).squaredNorm();
    if (hasVariances) rest.col(i) = fitted.tail(problem.rests);
  });
  const double factor = problem.scale * problem.scale;
  problem.shiftError = std::sqrt(factor * common.squaredNorm() / problem.freedom);
  problem.shift =
      commonShift(estimate, squares, problem.freedom, factor, problem.shiftError * problem.shiftError);
  for (double& one : estimate) one -= problem.shift;
  common += along.col(0) * (problem.shift / problem.scale);
  problem.unit = unitOf(squares, problem.freedom);
  const double inverse = 1 / problem.unit;
  problem.estimate.assign(padded, 0);
  problem.squares.assign(padded, 0);
  problem.reach.assign(padded, 1);
  for (std::size_t i = 0; i < voxels.size(); ++i) {
    problem.estimate[i] = float(estimate[i] * inverse);
    problem.squares[i] = float(squares[i] * inverse * inverse);
    const double error = problem.scale * std::sqrt(problem.squares[i] / problem.freedom);
    problem.reach[i] = float(std::max(1e-6, std::abs(problem.estimate[i]) + kReach * error));
  }
  if (!hasVariances) return problem;
  problem.rest.assign(padded * std::size_t(problem.rests), 0);
  const std::size_t all = padded * std::size_t(problem.people);
  problem.values = {problem.people, problem.voxels, std::vector<float>(all, 0)};
  problem.variances = {problem.people, problem.voxels, std::vector<float>(all, 1)};
  parallelFor(problem.voxels, {}, [&](std::int64_t i) {
    for (int c = 0; c < problem.rests; ++c)
      problem.rest[(i / kTile * problem.rests + c) * kTile + i % kTile] = float(rest(c, i) * inverse);
    for (int n = 0; n < problem.people; ++n) {
      problem.values.values[problem.values.index(n, i)] = float((valueOf(n, i) - common[n]) * inverse);
      problem.variances.values[problem.variances.index(n, i)] =
          float(input.variances[mapOfRow[n]].at(voxels[i]) * inverse * inverse);
    }
  });
  return problem;
}

std::unique_ptr<PeopleSampler> makePeopleSampler(const PeopleProblem& problem, int chains) {
  return std::make_unique<CpuPeopleSampler>(problem, chains);
}

std::vector<float> PeoplePosterior::exceedance(double gamma, bool isBelow) const {
  constexpr int kHalf = PeopleTotals::kHalf, kBins = PeopleTotals::kBins;
  std::vector<float> probability(mean.size());
  parallelFor(std::ssize(mean), {}, [&](std::int64_t v) {
    const std::uint16_t* bins = &histogram[std::size_t(v) * kBins];
    // γ in bins from the left; for P(θ < −γ) the histogram is read from the right.
    const double cut = kHalf + kHalf * gamma / double(reach[v]);
    double count = gamma < 0 ? bins[kBins - 1] : 0;
    for (int b = 0; b < 2 * kHalf; ++b)
      count += bins[isBelow ? 2 * kHalf - 1 - b : b] * std::clamp(b + 1 - cut, 0.0, 1.0);
    probability[v] = float(count / draws);
  });
  return probability;
}

std::vector<float> PeoplePosterior::quantile(double share) const {
  constexpr int kHalf = PeopleTotals::kHalf, kBins = PeopleTotals::kBins;
  std::vector<float> values(mean.size());
  parallelFor(std::ssize(mean), {}, [&](std::int64_t v) {
    const std::uint16_t* bins = &histogram[std::size_t(v) * kBins];
    double left = share * draws;
    int b = 0;
    double place = 0;  // in bins from the left
    for (; b < 2 * kHalf; ++b) {
      if (b == kHalf) {  // exactly 0
        place = kHalf;
        if (left <= bins[kBins - 1]) break;
        left -= bins[kBins - 1];
      }
      if (left <= bins[b]) {
        place = b + (bins[b] > 0 ? left / bins[b] : 0);
        break;
      }
      left -= bins[b];
      place = b + 1;
    }
    values[v] = float((place / kHalf - 1) * reach[v]);
  });
  return values;
}

PeoplePosterior samplePeople(MakePeopleSampler& make, const PeopleProblem& problem, int drawsOfChain,
                             const Progress& progress) {
  const auto sampler = make(problem, kChains);
  const int warmUp = drawsOfChain / 4, kept = drawsOfChain - warmUp;
  const std::vector<float> none(problem.estimate.size()), variances = firstVariances(problem);
  const std::span<const float> estimates(problem.estimate.data(), std::size_t(problem.voxels));
  const double slab =
      std::max(1e-6, std::inner_product(estimates.begin(), estimates.end(), estimates.begin(), 0.0) /
                         double(problem.voxels));
  double share = 0, deviation = 0;
  for (int chain = 0; chain < kChains; ++chain) {
    SharedParameters shared(problem, std::uint32_t(chain), slab,
                            meanOf({variances.data(), std::size_t(problem.voxels)}));
    sampler->begin(chain == 0 ? none : problem.estimate, variances);
    for (int draw = 0; draw < drawsOfChain; ++draw) {
      progress.update((chain + double(draw) / drawsOfChain) / kChains);
      shared.draw(sampler->draw(shared.hyper(std::uint32_t(draw)), draw >= warmUp), std::uint32_t(draw));
      if (draw < warmUp) continue;
      share += shared.share() / (kChains * kept);
      deviation += std::sqrt(shared.slab()) / (kChains * kept);
    }
  }
  PeoplePosterior posterior = posteriorOf(problem, sampler->totals(), kept);
  posterior.share = share;
  posterior.effectDeviation = deviation * problem.unit;
  posterior.shift = problem.shift;
  posterior.shiftError = problem.shiftError;
  return posterior;
}

}  // namespace sulcus::group
