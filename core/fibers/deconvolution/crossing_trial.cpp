#include "core/fibers/deconvolution/crossing_trial.h"

#include "core/base/parallel/parallel_for.h"
#include "core/fibers/deconvolution/deconvolve.h"
#include "core/fibers/fiber_choice.h"
#include "core/fibers/models/models.h"
#include "core/fibers/models/models_kernel.h"
#include "core/fibers/peaks/find_peaks.h"
#include "core/fibers/peaks/starts.h"
#include "core/image/diffusion/spherical_harmonics.h"
#include "core/math/distributions.h"
#include "core/math/linear_algebra.h"
#include "core/math/philox.h"
#include "core/math/statistics.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

namespace sulcus::fibers {
namespace {

constexpr int kWide = 800, kWeak = 200, kNarrow = 200, kThree = 400;
constexpr int kMixed = 200, kNone = 500;  // voxels for each tissue
constexpr int kSeed = 1;
constexpr std::int64_t kBlock = 64;                  // voxels
constexpr double kNearCosine = 0.93969262078590838;  // of 20°: a peak this close to a fiber belongs to it
constexpr double kWeakShare = 0.3;                   // share of the weaker fiber in the signal
constexpr double kMayLose = 0.005;                   // share of voxels that other kinds may cost
constexpr int kLeastFreedom = 13;
constexpr int kRounds = 8;  // for the noise of magnitudes; convergence is slowest where there is no signal
/// How much faster the signal of gray matter decays than the mean of white matter: ratio of ln(S/S0), for a
/// model without a response of gray matter.
constexpr double kDecayOfGray = 1.35;

/// The content of one simulated voxel.
struct Simulated {
  std::vector<CrossingOutcome> CrossingOutcomes::*kind;
  std::vector<Vec3<double>> fibers;
  double share = 0.5;  ///< of the second of two fibers in their signal
  int tissue = -1;     ///< index of the tissue beside them, −1: none
};

std::vector<Simulated> simulatedVoxels(int tissues) {
  std::vector<Simulated> voxels;
  const auto add = [&](auto kind, int count, int fibers, double least, double most, double share = 0.5,
                       int tissue = -1) {
    const auto axes = randomDirections(int(2 * (voxels.size() + std::size_t(count))), kSeed);
    for (int i = 0; i < count; ++i) {
      const Vec3<double> first = axes[2 * voxels.size()], other = axes[2 * voxels.size() + 1];
      const double angle = (least + (most - least) * (i + 0.5) / count) * std::numbers::pi / 180;
      const Vec3<double> across = normalized(cross(first, other));
      std::vector<Vec3<double>> all{first, std::cos(angle) * first + std::sin(angle) * across,
                                    cross(first, across)};
      all.resize(fibers);
      voxels.push_back({kind, std::move(all), share, tissue});
    }
  };
  using O = CrossingOutcomes;
  add(&O::wide, kWide, 2, 75, 90);
  add(&O::weak, kWeak, 2, 75, 90, kWeakShare);
  add(&O::narrow, kNarrow, 2, 35, 45);
  add(&O::three, kThree, 3, 90, 90);
  for (int t = 0; t < tissues; ++t) {
    add(&O::mixed, kMixed, 2, 60, 90, 0.5, t);
    add(&O::none, kNone, 0, 90, 90, 0.5, t);
  }
  return voxels;
}

/// The variance of a magnitude relative to that of the noise, as a function of its mean relative to the s.d.
/// of the noise: 0.43 where there is no signal, 1 where it is large (Rician; within 0.02).
double varianceOfMagnitude(double mean) { return 1 - 0.57 * std::exp(-1.15 * std::max(0.0, mean - 1.25)); }

/// S/S0 of one simulated voxel with noise. The response was measured from magnitudes, in which noise had
/// already raised the smallest signals, so only the variance of the added noise is that of magnitudes; but
/// given responses of gray matter and CSF may lack this effect, so their signals are raised.
Eigen::VectorXf signalOf(const TriedModel& model, double noise, const Simulated& voxel, int number) {
  Eigen::VectorXf ratios = Eigen::VectorXf::Zero(model.fiberSignal.rows());
  if (!voxel.fibers.empty()) {
    const Eigen::MatrixXd each = shMatrix(model.order, voxel.fibers);
    Eigen::VectorXd shares = Eigen::VectorXd::Constant(each.rows(), 1.0 / double(each.rows()));
    if (each.rows() == 2) shares << 1 - voxel.share, voxel.share;
    ratios = model.fiberSignal * (each.transpose() * shares).cast<float>();
  }
  if (voxel.tissue >= 0) {
    const double s0 = model.unweighted[voxel.tissue];
    const double share = voxel.fibers.empty() ? 1 : s0 / (1 + s0);  // share in the unweighted signal
    ratios = float(1 - share) * ratios + float(share) * model.isotropic.col(voxel.tissue);
    noise /= voxel.fibers.empty() ? s0 : (1 + s0) / 2;
  }
  for (Eigen::Index i = 0; i < ratios.size(); ++i) {
    std::uint32_t words[4] = {std::uint32_t(number), std::uint32_t(i), 0, 0};
    philox(words, PhiloxKey(kSeed));
    float one, other;
    normalPair(words[0], words[1], one, other);
    if (model.knowsTissues && voxel.fibers.empty())
      ratios[i] = std::hypot(ratios[i] + float(noise) * one, float(noise) * other);
    else
      ratios[i] += float(noise * std::sqrt(varianceOfMagnitude(ratios[i] / noise))) * one;
  }
  return ratios;
}

CrossingOutcome outcomeOf(const Series<float>& peaks, std::int64_t voxel,
                          const std::vector<Vec3<double>>& fibers, double residual) {
  CrossingOutcome outcome;
  std::vector<double> own(fibers.size());
  for (int p = 0; p < peaks.count; p += 3) {
    const Vec3<double> peak{peaks.at(voxel, p), peaks.at(voxel, p + 1), peaks.at(voxel, p + 2)};
    const double amplitude = norm(peak);
    if (!(amplitude > 0)) break;
    std::size_t nearest = 0;
    double cosine = 0;
    for (std::size_t f = 0; f < fibers.size(); ++f)
      if (const double c = std::abs(dot(peak, fibers[f])) / amplitude; c > cosine) {
        nearest = f;
        cosine = c;
      }
    if (cosine > kNearCosine && own[nearest] == 0)
      own[nearest] = amplitude / residual;
    else
      outcome.falsePeak = std::max(outcome.falsePeak, amplitude / residual);
  }
  outcome.fiber =
      fibers.empty() ? std::numeric_limits<double>::infinity() : *std::min_element(own.begin(), own.end());
  return outcome;
}

/// The share of correct outcomes; 1 if there are none.
double shareRight(std::span<const CrossingOutcome> outcomes, double cut, double flat) {
  if (outcomes.empty()) return 1;
  const auto right = std::count_if(outcomes.begin(), outcomes.end(), [&](const CrossingOutcome& o) {
    if (o.spread < flat) return std::isinf(o.fiber);
    return o.fiber >= cut && o.falsePeak < cut;
  });
  return double(right) / double(outcomes.size());
}

double shareBelow(const std::vector<double>& ascending, double value) {
  return double(std::lower_bound(ascending.begin(), ascending.end(), value) - ascending.begin()) /
         double(ascending.size());
}

double atShare(const std::vector<double>& ascending, double share) {
  return ascending[std::size_t(share * double(ascending.size() - 1))];
}

std::vector<double> ascending(std::span<const CrossingOutcome> outcomes, double CrossingOutcome::*value) {
  std::vector<double> values;
  for (const auto& outcome : outcomes) values.push_back(outcome.*value);
  std::sort(values.begin(), values.end());
  return values;
}

using Outcomes = std::vector<CrossingOutcome>;

Outcomes together(const Outcomes& one, const Outcomes& other) {
  Outcomes both = one;
  both.insert(both.end(), other.begin(), other.end());
  return both;
}

/// See CrossingTrial::flat: the threshold exceeded by only as many of the voxels without fibers as may have
/// false peaks, or by more if otherwise too many of those that vary least, with three fibers or other tissue,
/// would be below it.
double flatOf(const CrossingOutcomes& outcomes, double falsePeaks) {
  const auto none = ascending(outcomes.none, &CrossingOutcome::spread),
             fibers = ascending(together(outcomes.three, outcomes.mixed), &CrossingOutcome::spread);
  double best = 0, most = -1;
  for (const double spread : none) {
    const double gain = shareBelow(none, spread) - shareBelow(fibers, spread);
    if (gain >= most) {
      best = spread;
      most = gain;
    }
  }
  return std::min(best, atShare(none, 1 - falsePeaks));
}

/// See CrossingTrial::cut. Among the cuts for which the number of correct outcomes in `judged` is within
/// kMayLose of the maximum, the one with the most correct outcomes of the other kinds, equally weighted.
double cutOf(const CrossingOutcomes& outcomes, const Outcomes& judged, double falsePeaks, double flat) {
  const auto cuts =
      ascending(together(together(judged, outcomes.three), outcomes.mixed), &CrossingOutcome::falsePeak);
  std::vector<double> right;
  right.reserve(std::size(cuts));
  for (const double cut : cuts) right.push_back(shareRight(judged, cut, flat));
  const double enough = *std::max_element(right.begin(), right.end()) - kMayLose;
  double best = 0, most = -1;
  for (std::size_t i = 0; i < cuts.size(); ++i) {
    if (right[i] < enough) continue;
    double others = 0;
    for (const auto* kind : {&outcomes.weak, &outcomes.narrow, &outcomes.three, &outcomes.mixed})
      others += shareRight(*kind, cuts[i], flat);
    if (others >= most) {
      best = cuts[i];
      most = others;
    }
  }
  return std::min(best, atShare(cuts, 1 - falsePeaks));
}

/// The s.d. of the noise of magnitudes, from the residual of a fit with this number of unknowns; it exceeds
/// the residual where magnitudes are small. Computed iteratively.
double noiseOfMagnitudes(const Eigen::VectorXf& values, const Eigen::VectorXd& fitted,
                         Eigen::Index unknowns) {
  const double left = (values.cast<double>() - fitted).norm() / std::sqrt(double(values.size() - unknowns));
  double noise = left;
  for (int round = 0; round < kRounds && noise > 0; ++round) {
    double variance = 0;
    for (const double mean : fitted) variance += varianceOfMagnitude(mean / noise) / double(fitted.size());
    noise = left / std::sqrt(variance);
  }
  return noise;
}

}  // namespace

TriedModel triedModel(const CsdPlan& plan) {
  const int entries = tensorEntries(plan.order), n = int(plan.predict.size()) / entries;
  const Eigen::MatrixXf predict = matrixByRows(plan.predict, n);
  const double mean = plan.response[0] * zonalHarmonic(0, 1);
  return {plan.order,
          predict,
          [&plan, predict](Eigen::MatrixXf& ratios) {
            Eigen::MatrixXf found = deconvolve(plan, ratios);
            ratios -= predict * found;
            return found;
          },
          Eigen::MatrixXf::Constant(n, 1, float(std::pow(mean, kDecayOfGray))),
          {1}};
}

TriedModel triedModel(const TissuePlan& plan) {
  const int n = int(plan.predict.size()) / tissueUnknowns(plan.order), entries = tensorEntries(plan.order);
  return {plan.order,
          matrixByRows(plan.fiberSignal, n),
          [&plan, n, entries](Eigen::MatrixXf& ratios) {
            Eigen::MatrixXf found = deconvolveTissues(plan, ratios);
            ratios -= matrixByRows(plan.predict, n) * found;
            return Eigen::MatrixXf(matrixByRows(plan.harmonics, entries) * found);
          },
          matrixByRows(plan.isotropicSignal, n),
          plan.isotropicUnweighted,
          true};
}

CrossingOutcomes tryCrossings(const TriedModel& model, double noise, const Progress& progress) {
  const auto simulated = simulatedVoxels(int(model.unweighted.size()));
  const auto voxels = std::int64_t(simulated.size());
  const Eigen::MatrixXf tensorFromHarmonics = tensorFromSh(model.order).cast<float>();
  Grid grid;
  grid.size = {int(voxels), 1, 1};
  Series<float> tensor(grid, tensorEntries(model.order));
  Volume<float> residual(grid), spread(grid);
  parallelForBlocks(voxels, kBlock, progress.part(0, 0.6, {}), [&](std::int64_t begin, std::int64_t end) {
    Eigen::MatrixXf ratios(model.fiberSignal.rows(), end - begin);
    for (std::int64_t i = begin; i < end; ++i) {
      ratios.col(i - begin) = signalOf(model, noise, simulated[i], int(i));
      Spread one;
      for (Eigen::Index j = 0; j < ratios.rows(); ++j) one.add(ratios(j, i - begin));
      spread.values[i] = one.deviation();
    }
    const Eigen::MatrixXf found = model.deconvolve(ratios), tensors = tensorFromHarmonics * found;
    for (std::int64_t i = begin; i < end; ++i) {
      for (int u = 0; u < tensor.count; ++u) tensor.at(i, u) = tensors(u, i - begin);
      residual.values[i] = std::sqrt(ratios.col(i - begin).squaredNorm() / float(ratios.rows()));
    }
  });
  FiberOptions all;  // keep every maximum
  all.relativeThreshold = 0.05;
  all.maxPeaks = 8;
  const PeakMaps peaks = findPeaks(tensor, Mask(grid, 1), all, progress.part(0.6, 1, {}));

  CrossingOutcomes outcomes;
  outcomes.knowsTissues = model.knowsTissues;
  for (std::int64_t i = 0; i < voxels; ++i) {
    const Simulated& voxel = simulated[i];
    const double misfit = residual.values[i];
    CrossingOutcome outcome = outcomeOf(peaks.peaks, i, voxel.fibers, misfit);
    outcome.spread = spread.values[i] / misfit;
    (outcomes.*voxel.kind).push_back(outcome);
  }
  return outcomes;
}

CrossingTrial judgeCrossings(const CrossingOutcomes& outcomes, double falsePeaks) {
  const Outcomes judged = outcomes.knowsTissues ? together(outcomes.wide, outcomes.none) : outcomes.wide;
  CrossingTrial trial;
  if (!outcomes.knowsTissues) trial.flat = flatOf(outcomes, falsePeaks);
  trial.cut = cutOf(outcomes, judged, falsePeaks, trial.flat);
  trial.falsePeaks = double(std::count_if(judged.begin(), judged.end(),
                                          [&](const CrossingOutcome& o) {
                                            return o.spread >= trial.flat && o.falsePeak >= trial.cut;
                                          })) /
                     double(judged.size());
  const auto right = [&](const Outcomes& kind) { return shareRight(kind, trial.cut, trial.flat); };
  trial.wide = right(outcomes.wide);
  trial.narrow = right(outcomes.narrow);
  trial.three = right(outcomes.three);
  trial.mixed = right(outcomes.mixed);
  trial.none = right(outcomes.none);
  return trial;
}

double noiseOfRatios(const Eigen::MatrixXf& ratios, std::span<const Vec3<double>> directions) {
  int order = kUsualOrder;
  while (order > 0 && tensorEntries(order) + kLeastFreedom > int(directions.size())) order -= 2;
  if (order == 0 || !determinesOrder(order, directions)) return 0;
  const Eigen::MatrixXd harmonics = shMatrix(order, directions);
  const Eigen::MatrixXd fit =
      solvePositiveDefinite(harmonics.transpose() * harmonics, Eigen::MatrixXd(harmonics.transpose()));
  const Eigen::MatrixXd fitted = harmonics * (fit * ratios.cast<double>());
  std::vector<double> noise;
  for (Eigen::Index j = 0; j < fitted.cols(); ++j)
    if (ratios.col(j).allFinite())
      noise.push_back(noiseOfMagnitudes(ratios.col(j), fitted.col(j), harmonics.cols()));
  return noise.empty() ? 0 : lowerQuantile(std::span(noise), 0.5);
}

}  // namespace sulcus::fibers
