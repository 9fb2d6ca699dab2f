#pragma once

#include "core/base/sentence.h"
#include "core/base/stage_clock.h"
#include "core/registration/pyramid.h"
#include "core/registration/registration_plan.h"
#include "core/registration/registration_result.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace sulcus::registration {

/// A registration from the coarsest to the finest level, which is all that CPU and GPU share around a level.
///
/// `makeLevel(images, u, options, progress)` gives a level that starts at the displacement u. It has what
/// descend() asks for, and
///   relax(sigma)           smooths u by a Gaussian of `sigma` voxels
///   setProgress(progress)  replaces the progress that the level reports to
///   displacement()         gives u on the host
///   takeDisplacement()     gives u on the host, after which the level is of no use
template <class MakeLevel>
RegistrationResult runRegistration(const RegistrationInput& input, const RegistrationOptions& asked,
                                   const Progress& progress, const MakeLevel& makeLevel) {
  constexpr double kPreviewEvery = 0.3;               // shortest time between two previews, seconds
  constexpr double kPreviewShare = 0.1;               // largest share of the time that previews may take
  constexpr double kPlanned = 0.2, kDescended = 0.9;  // progress after the plan and after the descent
  constexpr int kMostRelaxations = 8;

  RegistrationPlan plan = planRegistration(input, asked, progress.part(0, kPlanned, "Preparation"));
  RegistrationOptions options = asked;
  options.similarity = plan.similarity;
  StageClock clock;
  double work = 0, done = 0;
  for (const auto& l : plan.levels) work += double(l.grid.voxels()) * l.iterations;
  std::vector<RegistrationIteration> iterations;
  VectorField<float> u;
  for (std::size_t l = 0; l < plan.levels.size(); ++l) {
    const PlannedLevel& planned = plan.levels[l];
    const std::string stage = text("Level ", l + 1, " of ", plan.levels.size());
    const auto progressNow = [&] {
      const double at = kPlanned + (kDescended - kPlanned) * done / std::max(work, 1.0);
      return progress.part(at, at, stage);
    };
    u = l == 0 ? VectorField<float>(planned.grid.size) : refined(u, planned.grid.size, progressNow());
    auto level = makeLevel(planned.images, std::move(u), options, progressNow());
    // A displacement from a coarser level is smoothed until no voxel vanishes.
    int times = 0;
    while (!level.start().positive() && times < kMostRelaxations) level.relax(double(++times));
    if (times > 0)
      plan.notes.push_back(
          text("The start of a level was smoothed ", times, " times to keep volumes positive."));
    const double doneBefore = done;
    StageClock sincePreview;
    double pause = kPreviewEvery;
    descend(level, int(l), planned.iterations, options, [&](const RegistrationIteration& iteration) {
      iterations.push_back(iteration);
      done = doneBefore + double(planned.grid.voxels()) * iteration.iteration;
      level.setProgress(progressNow());
      if (!input.preview || sincePreview.seconds() < pause) return;
      const StageClock preview;
      const VectorField<float>& current = level.displacement();
      input.preview({composedDisplacement(current, planned.grid, plan.templateFromReference, progressNow()),
                     warpedLevel(planned, current, progressNow()), iterations});
      pause = std::max(kPreviewEvery, preview.seconds() * (1 / kPreviewShare - 1));
      sincePreview.restart();
    });
    done = doneBefore + double(planned.grid.voxels()) * planned.iterations;
    u = level.takeDisplacement();
    clock.finish(stage);
  }

  RegistrationResult result = resultOf(input, plan, std::move(u), progress.part(kDescended, 1, "Maps"));
  clock.finish("Maps");
  for (const auto& i : iterations) result.retries += i.retries;
  result.iterations = std::move(iterations);
  result.notes.insert(result.notes.begin(), plan.notes.begin(), plan.notes.end());
  result.stages = plan.stages;
  result.stages.insert(result.stages.end(), clock.stages().begin(), clock.stages().end());
  return result;
}

}  // namespace sulcus::registration
