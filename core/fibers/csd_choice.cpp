#include "core/fibers/csd_choice.h"

#include "core/base/sentence.h"
#include "core/fibers/crossing_trial.h"
#include "core/fibers/models.h"
#include "core/fibers/response.h"
#include "core/fibers/response_file.h"
#include "core/math/statistics.h"

#include <algorithm>
#include <cmath>

namespace sulcus::fibers {
namespace {

constexpr std::int64_t kNoiseVoxels = 2000;  // from which the noise is estimated
/// The trials have at least this noise: with less, side lobes that the constraint leaves would count as
/// noise.
constexpr double kLeastNoise = 0.02;
/// Simulated voxels, beyond the share asked for, that may have a false peak without a warning.
constexpr double kMoreFalse = 0.01;

/// A higher order is carried where wide crossings lose nothing (share right, angles, weak fibers), and narrow
/// ones win.
bool isCarried(const CrossingTrial& finer, const CrossingTrial& usual) {
  return finer.wide > 0.985 && finer.error < 1.1 * usual.error && finer.weak > usual.weak - 0.02 &&
         finer.narrow > usual.narrow + 0.1;
}

FiberResponse givenResponse(const FiberInput& input, const FiberChoice& choice, const FiberPlan& plan,
                            const std::vector<float>& signal) {
  std::vector<float> unweighted;
  for (const auto voxel : plan.voxels) unweighted.push_back(signal[std::size_t(voxel)]);
  FiberResponse response;
  response.zonal = responseOfShell(input.response, int(choice.scan.shells.size()), int(choice.shell),
                                   upperMedian(std::span(unweighted)), plan.order);
  response.notes = {"Response of a single fiber (zonal harmonics, S/S0): " + termsText(response.zonal) +
                    "; as given."};
  return response;
}

CsdPlan planOfOrder(int order, const std::vector<double>& response,
                    std::span<const Vec3<double>> directions) {
  return planCsd(order, {response.begin(), response.begin() + order / 2 + 1}, directions);
}

}  // namespace

double noiseOfShell(const Series<float>& dwi, const FiberPlan& plan, std::span<const int> volumes,
                    std::span<const Vec3<double>> directions) {
  const auto count = std::int64_t(plan.voxels.size()), step = std::max<std::int64_t>(1, count / kNoiseVoxels);
  std::vector<std::int64_t> some;
  for (std::int64_t i = 0; i < count; i += step) some.push_back(plan.voxels[std::size_t(i)]);
  return noiseOfRatios(signalRatios(dwi, plan.unweighted, volumes, some), directions);
}

CrossingOutcomes tryWithNoise(const TriedModel& model, double noise, const Progress& progress) {
  return tryCrossings(model, std::max(noise, kLeastNoise), progress);
}

void setCut(double noise, const CrossingTrial& trial, double falsePeaks, FiberPlan& plan) {
  plan.cut.perResidual = float(trial.cut);
  plan.notes.push_back(
      (noise > 0
           ? text("The noise is ", noise, " of S0: ")
           : text("The directions are too few to estimate the noise, ", kLeastNoise, " of S0 was taken: ")) +
      (trial.cut > 0
           ? text("peaks below ", trial.cut, " times the residual of their voxel were dropped. In ",
                  100 * trial.falsePeaks, " % of simulated crossings noise alone makes larger ones.")
           : std::string("it makes no peaks in simulated crossings.")));
  if (trial.falsePeaks > falsePeaks + kMoreFalse)
    plan.notes.push_back(
        text("Warning: the peaks hold more false ones than was asked for: noise makes some in ",
             100 * trial.falsePeaks, " % of simulated voxels instead of ", 100 * falsePeaks,
             " %, because a higher cut would lose more fibers than false peaks. Take a lower "
             "order, or a larger --relative-threshold where lost fibers matter less."));
}

void prepareDeconvolution(const FiberInput& input, const FiberOptions& options, const FiberChoice& choice,
                          const std::vector<float>& signal, const Progress& progress, FiberGroundwork& work) {
  FiberPlan& plan = work.plan;
  const auto directions = directionsOf(input.gradients, plan.weighted);
  plan.order = choice.orderAtLowNoise;
  const auto response = input.response.empty() ? estimateResponse(*input.dwi, plan, signal, directions,
                                                                  progress.part(0, 0.8, kResponseStage))
                                               : givenResponse(input, choice, plan, signal);
  plan.notes.insert(plan.notes.end(), response.notes.begin(), response.notes.end());
  plan.responseVoxels = response.voxels;

  work.noise = noiseOfShell(*input.dwi, plan, plan.weighted, directions);
  work.csd.push_back(planOfOrder(choice.order, response.zonal, directions));
  if (choice.orderAtLowNoise > choice.order)
    work.csd.push_back(planOfOrder(choice.orderAtLowNoise, response.zonal, directions));
  if (options.falsePeaks >= 1 && work.csd.size() == 1) return;
  for (const CsdPlan& csd : work.csd) {
    const double done = 0.8 + 0.1 * double(work.trials.size());
    work.trials.push_back(
        tryWithNoise(triedModel(csd), work.noise, progress.part(done, done + 0.1, kResponseStage)));
  }
}

void chooseDeconvolution(const FiberGroundwork& work, double falsePeaks, FiberPlan& plan) {
  std::vector<CrossingTrial> trials;
  for (const auto& outcomes : work.trials) trials.push_back(judgeCrossings(outcomes, falsePeaks));
  std::size_t taken = 0;
  if (work.csd.size() > 1) {
    taken = isCarried(trials[1], trials[0]) ? 1 : 0;
    const auto told = [&](std::size_t i) {
      return text("order ", work.csd[i].order, " shows ", std::lround(100 * trials[i].wide), " % and ",
                  std::lround(100 * trials[i].narrow), " % right, the wide ones to ", trials[i].error, "°");
    };
    plan.notes.push_back(text("Order ", work.csd[taken].order,
                              " was taken: of simulated crossings at 75–90° and 35–45° with this noise ",
                              told(0), "; ", told(1), "."));
  }
  plan.csd = work.csd[taken];
  plan.order = plan.csd.order;
  plan.entries = tensorEntries(plan.order);
  plan.predict = plan.csd.predict;
  if (falsePeaks < 1) setCut(work.noise, trials[taken], falsePeaks, plan);
}

}  // namespace sulcus::fibers
