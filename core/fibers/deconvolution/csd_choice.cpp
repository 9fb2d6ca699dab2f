#include "core/fibers/deconvolution/csd_choice.h"

#include "core/base/sentence.h"
#include "core/fibers/deconvolution/crossing_trial.h"
#include "core/fibers/models/models.h"
#include "core/fibers/response/response.h"
#include "core/fibers/response/response_file.h"
#include "core/math/statistics.h"

#include <algorithm>
#include <cmath>

namespace sulcus::fibers {
namespace {

constexpr std::int64_t kNoiseVoxels = 2000;  // number of voxels from which the noise is estimated
/// The trials have at least this noise: with less, side lobes left by the constraint would count as noise.
constexpr double kLeastNoise = 0.02;
/// Share of simulated voxels beyond the requested one that may have a false peak without a warning.
constexpr double kMoreFalse = 0.02;

FiberResponse givenResponse(const FiberInput& input, const FiberChoice& choice, const FiberPlan& plan,
                            const std::vector<float>& signal) {
  std::vector<float> unweighted;
  for (const auto voxel : plan.voxels) unweighted.push_back(signal[voxel]);
  FiberResponse response;
  response.zonal = responseOfShell(input.response, int(choice.scan.shells.size()), int(choice.shell),
                                   upperMedian(std::span(unweighted)), plan.order);
  response.notes = {"Response of a single fiber (zonal harmonics, S/S0): " + termsText(response.zonal) +
                    "; as given."};
  return response;
}

}  // namespace

std::vector<std::int64_t> voxelsForNoise(const FiberPlan& plan) {
  const auto count = std::int64_t(plan.voxels.size()), step = std::max<std::int64_t>(1, count / kNoiseVoxels);
  std::vector<std::int64_t> some;
  for (std::int64_t i = 0; i < count; i += step) some.push_back(plan.voxels[i]);
  return some;
}

double noiseOfShell(const Series<float>& dwi, const FiberPlan& plan, std::span<const int> volumes,
                    std::span<const Vec3<double>> directions) {
  return noiseOfRatios(signalRatios(dwi, plan.unweighted, volumes, voxelsForNoise(plan)), directions);
}

CrossingOutcomes tryWithNoise(const TriedModel& model, double noise, const Progress& progress) {
  return tryCrossings(model, std::max(noise, kLeastNoise), progress);
}

void setCut(double noise, const CrossingTrial& trial, double falsePeaks, FiberPlan& plan) {
  plan.cut.perResidual = float(trial.cut);
  plan.cut.flat = float(trial.flat);
  std::string noiseNote = noise > 0 ? text("The noise is ", noise, " of S0: ")
                                    : text("The directions are too few to estimate the noise, ", kLeastNoise,
                                           " of S0 was taken: ");
  if (trial.cut > 0)
    noiseNote += text("peaks below ", trial.cut, " times the residual of their voxel were dropped. In ",
                      100 * trial.falsePeaks, " % of simulated crossings noise alone makes larger ones.");
  else
    noiseNote += "it makes no peaks in simulated crossings.";
  plan.notes.push_back(noiseNote);
  if (trial.flat > 0)
    plan.notes.push_back(
        text("A voxel is taken to have no fiber where the signal varies over the directions by less than ",
             trial.flat, " times the residual, as much as noise does."));
  const auto percent = [](double share) { return std::lround(100 * share); };
  plan.notes.push_back(
      text("In simulated voxels with this noise the correct fibers are found where two cross at 75–90° in ",
           percent(trial.wide), " %, at 35–45° in ", percent(trial.narrow), " %, three at 90° in ",
           percent(trial.three), " %, two with an equal share of other tissue in ", percent(trial.mixed),
           " %, and none in ", percent(trial.none), " % of those without fibers."));
  if (trial.falsePeaks > falsePeaks + kMoreFalse)
    plan.notes.push_back(
        Note::warning(text("more false peaks than requested: ", 100 * trial.falsePeaks,
                           " % of simulated voxels hold some instead of ", 100 * falsePeaks,
                           " %, because a higher cut would lose more fibers than false peaks."),
                      "Take a lower order, or a larger relative threshold where lost fibers matter less.",
                      "relative-threshold"));
}

void prepareDeconvolution(const FiberInput& input, const FiberOptions& options, const FiberChoice& choice,
                          const std::vector<float>& signal, const Progress& progress,
                          PreparedFiberModel& work) {
  FiberPlan& plan = work.plan;
  const auto directions = directionsOf(input.gradients, plan.weighted);
  const auto response = input.response.empty() ? estimateResponse(*input.dwi, plan, signal, directions,
                                                                  progress.part(0, 0.8, kResponseStage))
                                               : givenResponse(input, choice, plan, signal);
  plan.notes.insert(plan.notes.end(), response.notes.begin(), response.notes.end());
  plan.responseVoxels = response.voxels;

  work.noise = noiseOfShell(*input.dwi, plan, plan.weighted, directions);
  plan.csd = planCsd(plan.order, response.zonal, directions, work.noise);
  plan.predict = plan.csd.predict;
  if (options.falsePeaks < 1)
    work.trial = tryWithNoise(triedModel(plan.csd), work.noise, progress.part(0.8, 1, kResponseStage));
}

}  // namespace sulcus::fibers
