#include "core/fibers/crossing_trial.h"

#include "core/base/parallel_for.h"
#include "core/fibers/deconvolve.h"
#include "core/fibers/fiber_choice.h"
#include "core/fibers/find_peaks.h"
#include "core/fibers/models.h"
#include "core/fibers/starts.h"
#include "core/image/spherical_harmonics.h"
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

constexpr int kWide = 1000, kNarrow = 500, kCrossings = kWide + kNarrow;
constexpr int kWithoutFibers = 500;  // voxels of each tissue
constexpr int kSeed = 1;
constexpr std::int64_t kBlock = 64;                  // voxels
constexpr double kNearCosine = 0.93969262078590838;  // of 20°: a peak that close to a fiber is that fiber's
constexpr double kWeakShare = 0.3;                   // of the signal; the simulated fibers have 0.5
constexpr int kLeastFreedom = 15;

using TwoFibers = std::array<Vec3<double>, 2>;

/// The fibers of the simulated voxels: first those that cross at wide angles.
std::vector<TwoFibers> crossings() {
  const auto axes = randomDirections(2 * kCrossings, kSeed);
  std::vector<TwoFibers> fibers;
  for (int i = 0; i < kCrossings; ++i) {
    const bool isWide = i < kWide;
    const double degrees = isWide ? 75 + 15 * (i + 0.5) / kWide : 35 + 10 * (i - kWide + 0.5) / kNarrow;
    const double angle = degrees * std::numbers::pi / 180;
    const Vec3<double> first = axes[2 * std::size_t(i)],
                       across = normalized(cross(first, axes[2 * std::size_t(i) + 1]));
    fibers.push_back({first, std::cos(angle) * first + std::sin(angle) * across});
  }
  return fibers;
}

/// S/S0 with noise of one simulated voxel.
Eigen::VectorXf simulated(const TriedModel& model, double noise, std::span<const TwoFibers> fibers,
                          int voxel) {
  Eigen::VectorXf ratios;
  if (voxel < kCrossings) {
    const Eigen::VectorXd both = shMatrix(model.order, fibers[std::size_t(voxel)]).colwise().sum();
    ratios = model.fiberSignal * (0.5 * both).cast<float>();
  } else {
    const int tissue = (voxel - kCrossings) / kWithoutFibers;
    ratios = model.isotropic.col(tissue);
    noise /= model.unweighted[std::size_t(tissue)];
  }
  for (Eigen::Index i = 0; i < ratios.size(); ++i) {
    std::uint32_t words[4] = {std::uint32_t(voxel), std::uint32_t(i), 0, 0};
    philox(words, PhiloxKey(kSeed));
    float one, other;
    normalPair(words[0], words[1], one, other);
    ratios[i] = std::hypot(ratios[i] + float(noise) * one, float(noise) * other);
  }
  return ratios;
}

CrossingOutcome outcomeOf(const Series<float>& peaks, std::int64_t voxel, const TwoFibers& fibers,
                          double residual) {
  CrossingOutcome outcome;
  std::array<double, 2> own{}, cosine{};
  for (int p = 0; p < peaks.count; p += 3) {
    const Vec3<double> peak{peaks.at(voxel, p), peaks.at(voxel, p + 1), peaks.at(voxel, p + 2)};
    const double amplitude = norm(peak);
    if (!(amplitude > 0)) break;
    const double first = std::abs(dot(peak, fibers[0])), second = std::abs(dot(peak, fibers[1]));
    const std::size_t nearer = first > second ? 0 : 1;
    if (own[nearer] == 0 && std::max(first, second) > kNearCosine * amplitude)
      own[nearer] = amplitude / residual, cosine[nearer] = std::max(first, second) / amplitude;
    else
      outcome.falsePeak = std::max(outcome.falsePeak, amplitude / residual);
  }
  outcome.fiber = std::min(own[0], own[1]);
  outcome.error = std::acos(std::min(1.0, std::min(cosine[0], cosine[1]))) * 180 / std::numbers::pi;
  return outcome;
}

/// Every peak of a voxel without fibers is false.
CrossingOutcome outcomeWithoutFibers(const Series<float>& peaks, std::int64_t voxel, double residual) {
  const double amplitude = norm(Vec3<double>{peaks.at(voxel, 0), peaks.at(voxel, 1), peaks.at(voxel, 2)});
  return {amplitude > 0 ? amplitude / residual : 0, std::numeric_limits<double>::infinity(), 0};
}

double shareRight(std::span<const CrossingOutcome> outcomes, double cut) {
  const auto right = std::count_if(outcomes.begin(), outcomes.end(), [&](const CrossingOutcome& o) {
    return o.fiber >= cut && o.falsePeak < cut;
  });
  return double(right) / double(outcomes.size());
}

/// See CrossingTrial::cut.
double cutOf(std::span<const CrossingOutcome> outcomes, double falsePeaks) {
  std::vector<double> cuts;
  for (const auto& outcome : outcomes) cuts.push_back(outcome.falsePeak);
  std::sort(cuts.begin(), cuts.end());
  const double wanted = cuts[std::size_t((1 - falsePeaks) * double(cuts.size() - 1))];
  double best = 0, mostRight = -1;
  for (const double cut : cuts)
    if (const double right = shareRight(outcomes, cut); right >= mostRight) best = cut, mostRight = right;
  return std::min(wanted, best);
}

}  // namespace

TriedModel triedModel(const CsdPlan& plan) {
  const int entries = tensorEntries(plan.order), n = int(plan.predict.size()) / entries;
  const Eigen::MatrixXf predict = matrixByRows(plan.predict, n);
  return {plan.order, predict, [&plan, predict](Eigen::MatrixXf& ratios) {
            Eigen::MatrixXf found = deconvolve(plan, ratios);
            ratios -= predict * found;
            return found;
          }};
}

TriedModel triedModel(const TissuePlan& plan) {
  const int n = int(plan.predict.size()) / tissueUnknowns(plan.order), entries = tensorEntries(plan.order);
  return {plan.order, matrixByRows(plan.fiberSignal, n),
          [&plan, n, entries](Eigen::MatrixXf& ratios) {
            Eigen::MatrixXf found = deconvolveTissues(plan, ratios);
            ratios -= matrixByRows(plan.predict, n) * found;
            return Eigen::MatrixXf(matrixByRows(plan.harmonics, entries) * found);
          },
          matrixByRows(plan.isotropicSignal, n), plan.isotropicUnweighted};
}

CrossingOutcomes tryCrossings(const TriedModel& model, double noise, const Progress& progress) {
  const auto fibers = crossings();
  const Eigen::MatrixXf tensorFromHarmonics = tensorFromSh(model.order).cast<float>();
  Grid grid;
  const int voxels = kCrossings + kWithoutFibers * int(model.unweighted.size());
  grid.size = {voxels, 1, 1};
  Series<float> tensor(grid, tensorEntries(model.order));
  Volume<float> residual(grid);
  parallelForBlocks(voxels, kBlock, progress.part(0, 0.6, {}), [&](std::int64_t begin, std::int64_t end) {
    Eigen::MatrixXf ratios(model.fiberSignal.rows(), end - begin);
    for (std::int64_t i = begin; i < end; ++i)
      ratios.col(i - begin) = simulated(model, noise, fibers, int(i));
    const Eigen::MatrixXf found = model.deconvolve(ratios), tensors = tensorFromHarmonics * found;
    for (std::int64_t i = begin; i < end; ++i) {
      for (int u = 0; u < tensor.count; ++u) tensor.at(i, u) = tensors(u, i - begin);
      residual.values[i] = std::sqrt(ratios.col(i - begin).squaredNorm() / float(ratios.rows()));
    }
  });
  FiberOptions all;  // every maximum
  all.relativeThreshold = 0.05, all.maxPeaks = 8;
  const PeakMaps peaks = findPeaks(tensor, Mask(grid, 1), all, progress.part(0.6, 1, {}));

  CrossingOutcomes outcomes;
  for (std::int64_t i = 0; i < kCrossings; ++i)
    (i < kWide ? outcomes.wide : outcomes.narrow)
        .push_back(outcomeOf(peaks.peaks, i, fibers[std::size_t(i)], residual.values[i]));
  for (std::int64_t i = kCrossings; i < voxels; ++i)
    outcomes.withoutFibers.push_back(outcomeWithoutFibers(peaks.peaks, i, residual.values[i]));
  return outcomes;
}

CrossingTrial judgeCrossings(const CrossingOutcomes& outcomes, double falsePeaks) {
  const auto& wide = outcomes.wide;
  std::vector<CrossingOutcome> judged = wide;
  judged.insert(judged.end(), outcomes.withoutFibers.begin(), outcomes.withoutFibers.end());
  std::vector<double> errors;
  for (const auto& outcome : wide) errors.push_back(outcome.error);
  CrossingTrial trial;
  trial.cut = cutOf(judged, falsePeaks);
  trial.falsePeaks =
      double(std::count_if(judged.begin(), judged.end(),
                           [&](const CrossingOutcome& o) { return o.falsePeak >= trial.cut; })) /
      double(judged.size());
  trial.weak = double(std::count_if(
                   wide.begin(), wide.end(),
                   [&](const CrossingOutcome& o) { return kWeakShare / 0.5 * o.fiber >= trial.cut; })) /
               kWide;
  trial.wide = shareRight(wide, trial.cut);
  trial.narrow = shareRight(outcomes.narrow, trial.cut);
  trial.error = lowerQuantile(std::span(errors), 0.5);
  return trial;
}

double noiseOfRatios(const Eigen::MatrixXf& ratios, std::span<const Vec3<double>> directions) {
  int order = kUsualOrder;
  while (order > 0 && tensorEntries(order) + kLeastFreedom > int(directions.size())) order -= 2;
  if (order == 0 || !determinesOrder(order, directions)) return 0;
  const Eigen::MatrixXd harmonics = shMatrix(order, directions);
  const Eigen::MatrixXd fit =
      solvePositiveDefinite(harmonics.transpose() * harmonics, Eigen::MatrixXd(harmonics.transpose()));
  const Eigen::MatrixXd left = ratios.cast<double>() - harmonics * (fit * ratios.cast<double>());
  std::vector<double> noise;
  for (Eigen::Index j = 0; j < left.cols(); ++j)
    if (left.col(j).allFinite())
      noise.push_back(left.col(j).norm() / std::sqrt(double(left.rows() - harmonics.cols())));
  return noise.empty() ? 0 : lowerQuantile(std::span(noise), 0.5);
}

}  // namespace sulcus::fibers
