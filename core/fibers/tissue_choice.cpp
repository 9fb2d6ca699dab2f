#include "core/fibers/tissue_choice.h"

#include "core/fibers/csd_choice.h"
#include "core/fibers/fiber_choice.h"
#include "core/fibers/tissue_response.h"

#include <algorithm>
#include <cmath>

namespace sulcus::fibers {

void prepareTissues(const FiberInput& input, const FiberOptions& options, const std::vector<float>& signal,
                    const Progress& progress, FiberGroundwork& work) {
  FiberPlan& plan = work.plan;
  const ScanShells scan = scanShells(input.gradients, plan.weighted);
  plan.shells = scan.b;
  if (!input.response.empty()) {
    plan.tissueResponses = {input.response, input.responseGm, input.responseCsf};
    plan.notes.emplace_back("The responses of white matter, gray matter and CSF are as given.");
    checkTissueResponses(plan.tissueResponses, scan, "given", plan.notes);
  } else {
    auto found = estimateTissues(*input.dwi, plan, signal, scan, progress.part(0, 0.7, kResponseStage));
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
  work.trials.push_back(
      tryWithNoise(triedModel(plan.tissues), work.noise, progress.part(0.7, 1, kResponseStage)));
}

}  // namespace sulcus::fibers
