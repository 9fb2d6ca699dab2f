#pragma once

#include "core/base/sentence.h"
#include "core/registration/pyramid.h"
#include "core/registration/registration_plan.h"
#include "core/registration/registration_result.h"

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>
#include <vector>

namespace sulcus {

/// A registration from coarse to fine: all that CPU and GPU share around their levels.
///
/// `makeLevel(images, u, progress)` → a level that starts at the displacement u: what descend() asks for, and
/// relax(sigma) → u smoothed, setProgress(progress), displacement() and takeDisplacement() → u on the host.
template <class MakeLevel>
RegistrationResult runRegistration(const RegistrationInput& input, const RegistrationOptions& options,
                                   const Progress& progress, const MakeLevel& makeLevel) {
  using Clock = std::chrono::steady_clock;
  constexpr double kPreviewEvery = 0.3;               // seconds at least, and
  constexpr double kPreviewShare = 0.1;               // of the time at most, so that none stalls a run
  constexpr double kPlanned = 0.2, kDescended = 0.9;  // shares of the work
  constexpr int kRelaxations = 8;
  const auto secondsSince = [](Clock::time_point begin) {
    return std::chrono::duration<double>(Clock::now() - begin).count();
  };

  RegistrationPlan plan = planRegistration(input, options, progress.part(0, kPlanned, "Preparation"));
  std::vector<StageTime> stages = plan.stages;
  double work = 0, done = 0;
  for (const auto& l : plan.levels) work += double(l.grid.voxels()) * l.iterations;
  std::vector<RegistrationIteration> iterations;
  VectorField<float> u;
  for (std::size_t l = 0; l < plan.levels.size(); ++l) {
    const PlannedLevel& planned = plan.levels[l];
    const std::string stage = text("Level ", l + 1, " of ", plan.levels.size());
    const auto here = [&] {
      const double at = kPlanned + (kDescended - kPlanned) * done / std::max(work, 1.0);
      return progress.part(at, at, stage);
    };
    const auto begin = Clock::now();
    u = l == 0 ? VectorField<float>(planned.grid.size) : refined(u, planned.grid.size, here());
    auto level = makeLevel(planned.images, std::move(u), here());
    // A displacement from a coarser level is smoothed until no voxel vanishes.
    int times = 0;
    while (!level.start().positive() && times < kRelaxations) level.relax(double(++times));
    if (times > 0)
      plan.notes.push_back(
          text("The start of a level was smoothed ", times, " times to keep volumes positive."));
    const double doneBefore = done;
    auto shown = Clock::now();
    double pause = kPreviewEvery;
    descend(level, int(l), planned.iterations, options, [&](const RegistrationIteration& iteration) {
      iterations.push_back(iteration);
      done = doneBefore + double(planned.grid.voxels()) * iteration.iteration;
      level.setProgress(here());
      if (!input.preview || secondsSince(shown) < pause) return;
      const auto begun = Clock::now();
      const VectorField<float>& current = level.displacement();
      input.preview({composedDisplacement(current, planned.grid, plan.templateFromReference, here()),
                     warpedLevel(planned, current, here()), iterations});
      pause = std::max(kPreviewEvery, secondsSince(begun) * (1 / kPreviewShare - 1));
      shown = Clock::now();
    });
    done = doneBefore + double(planned.grid.voxels()) * planned.iterations;
    u = level.takeDisplacement();
    stages.push_back({stage, secondsSince(begin)});
  }

  const auto begin = Clock::now();
  RegistrationResult result = resultOf(input, plan, std::move(u), progress.part(kDescended, 1, "Maps"));
  stages.push_back({"Maps", secondsSince(begin)});
  for (const auto& i : iterations) result.retries += i.retries;
  result.iterations = std::move(iterations);
  result.notes.insert(result.notes.begin(), plan.notes.begin(), plan.notes.end());
  result.stages = std::move(stages);
  return result;
}

}  // namespace sulcus
