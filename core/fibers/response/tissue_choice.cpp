#include "core/fibers/response/tissue_choice.h"

#include "core/fibers/deconvolution/csd_choice.h"
#include "core/fibers/fiber_choice.h"
#include "core/fibers/models/models.h"
#include "core/fibers/response/tissue_response.h"
#include "core/math/statistics.h"

#include <algorithm>
#include <cmath>

namespace sulcus::fibers {
namespace {

constexpr Eigen::Index kFreedomForNoise = 15;

/// The standard deviation of the noise of S/S0 from the residual of the model without conditions over all
/// volumes, for scans in which no shell has enough directions to estimate it (noiseOfShell()).
double noiseOfAllShells(const Series<float>& dwi, const FiberPlan& plan) {
  const auto n = std::ssize(plan.weighted);
  const int unknowns = tissueUnknowns(plan.order);
  if (n < unknowns + kFreedomForNoise) return 0;
  const Eigen::MatrixXf ratios = signalRatios(dwi, plan.unweighted, plan.weighted, voxelsForNoise(plan));
  const Eigen::MatrixXf left =
      ratios - matrixByRows(plan.tissues.predict, n) * unconstrainedTissues(plan.tissues, ratios);
  std::vector<double> noise;
  for (Eigen::Index j = 0; j < left.cols(); ++j)
    if (left.col(j).allFinite()) noise.push_back(left.col(j).norm() / std::sqrt(double(n - unknowns)));
  return noise.empty() ? 0 : lowerQuantile(std::span(noise), 0.5);
}

}  // namespace

void prepareTissues(const FiberInput& input, const FiberOptions& options, const FiberChoice& choice,
                    const std::vector<float>& signal, const Progress& progress, PreparedFiberModel& work) {
  FiberPlan& plan = work.plan;
  const ScanShells scan = scanShells(input.gradients, choice.scan.shells, plan.weighted);
  plan.shells = scan.b;
  if (!input.response.empty()) {
    plan.tissueResponses = {input.response, input.responseGm, input.responseCsf};
    plan.notes.emplace_back("The responses of the tissues are as given.");
    checkTissueResponses(plan.tissueResponses, scan, "given", plan.notes);
  } else {
    auto found = estimateTissues(*input.dwi, plan, signal, scan, {choice.hasGray, choice.hasCsf},
                                 progress.part(0, 0.7, kResponseStage));
    plan.notes.insert(plan.notes.end(), found.notes.begin(), found.notes.end());
    plan.tissueResponses = std::move(found.responses);
    plan.tissueVoxels = std::move(found.voxels);
  }
  const auto directions = directionsOf(input.gradients, plan.weighted);
  plan.tissues =
      planTissues(plan.order, plan.tissueResponses, directions, scan.shellOf, int(plan.unweighted.size()));
  if (options.falsePeaks >= 1) return;
  const auto shell = scan.volumesOf(scan.largest(), plan.weighted);
  work.noise = noiseOfShell(*input.dwi, plan, shell, directionsOf(input.gradients, shell));
  if (work.noise == 0) work.noise = noiseOfAllShells(*input.dwi, plan);
  work.trial = tryWithNoise(triedModel(plan.tissues), work.noise, progress.part(0.7, 1, kResponseStage));
}

}  // namespace sulcus::fibers
