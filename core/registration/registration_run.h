#pragma once

#include "core/base/note.h"
#include "core/base/sentence.h"
#include "core/base/stage_clock.h"
#include "core/registration/deformation/pyramid.h"
#include "core/registration/deformation/symmetric_level.h"
#include "core/registration/preparation/padding.h"
#include "core/registration/preparation/template_mask.h"
#include "core/registration/registration_plan.h"
#include "core/registration/results/registration_result.h"

#include <algorithm>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace sulcus::registration {

/// The state of a run that its levels update.
struct RegistrationProgress {
  StageClock clock;
  std::vector<RegistrationIteration> iterations;
  Notes notes;
};

inline const VectorField<float>& displacementOfTemplate(const VectorField<float>& u) { return u; }
inline const VectorField<float>& displacementOfTemplate(const HalfDisplacements& u) { return u.ofTemplate; }

/// Flows from the coarsest to the finest level of a plan.
///
/// @tparam Displacement  what one level passes to the next; VectorField or HalfDisplacements
/// @param makeLevel      makeLevel(planned level, displacement, progress), see runRegistration()
template <class Displacement, class MakeLevel>
Displacement flow(const RegistrationPlan& plan, const RegistrationInput& input,
                  const RegistrationOptions& options, RegistrationProgress& run, const Progress& progress,
                  const MakeLevel& makeLevel) {
  constexpr double kPreviewEvery = 0.3;  // shortest time between two previews, seconds
  constexpr double kPreviewShare = 0.1;  // largest share of the time that previews may take
  constexpr int kMostRelaxations = 8;

  if (int(plan.levels.size()) < options.levels)
    run.notes.push_back(
        text(plan.levels.size(), " levels instead of ", options.levels, ": the image is small."));
  double work = 0, done = 0;
  for (const auto& l : plan.levels) work += double(l.grid.voxels()) * l.iterations;
  Displacement u(plan.levels.front().grid.size);
  if constexpr (std::is_same_v<Displacement, VectorField<float>>)
    if (input.start)
      u = flowOf(*input.start, plan.levels.front().grid, plan.templateFromReference,
                 progress.part(0, 0, "Start"));
  for (std::size_t l = 0; l < plan.levels.size(); ++l) {
    const PlannedLevel& planned = plan.levels[l];
    const std::string stage = text("Level ", l + 1, " of ", plan.levels.size());
    const auto progressNow = [&] {
      const double at = done / std::max(work, 1.0);
      return progress.part(at, at, stage);
    };
    std::optional<PlannedLevel> masked;
    if (!planned.templateVoxels.empty())
      masked = withTemplateMask(planned, displacementOfTemplate(u), progressNow());
    auto level = makeLevel(masked ? *masked : planned, std::move(u), progressNow());
    // A displacement from a coarser level is smoothed until no voxel vanishes.
    int times = 0;
    while (!level.start().positive() && times < kMostRelaxations) level.relax(double(++times));
    if (times > 0)
      run.notes.push_back(
          text("The start of a level was smoothed ", times, " times to keep volumes positive."));
    const double doneBefore = done;
    StageClock sincePreview;
    double pause = kPreviewEvery;
    descend(level, int(l), planned.iterations, options, [&](const RegistrationIteration& iteration) {
      run.iterations.push_back(iteration);
      done = doneBefore + double(planned.grid.voxels()) * iteration.iteration;
      level.setProgress(progressNow());
      if (!input.preview || sincePreview.seconds() < pause) return;
      const StageClock preview;
      input.preview(previewOf(input, plan, planned, level.displacement(), run.iterations, progressNow()));
      pause = std::max(kPreviewEvery, preview.seconds() * (1 / kPreviewShare - 1));
      sincePreview.restart();
    });
    done = doneBefore + double(planned.grid.voxels()) * planned.iterations;
    u = level.takeDisplacement();
    run.clock.finish(stage);
  }
  return u;
}

/// A registration from the coarsest to the finest level: everything around a level that CPU and GPU share.
///
/// `makeLevel(input, u, options, progress)` makes a level from a LevelInput that starts at the displacement
/// u, or at refined() u if that is from the next coarser level. The level has what descend() requires (for a
/// SymmetricLevel, what that requires), and
///   relax(sigma)           smooths u by a Gaussian of `sigma` voxels
///   setProgress(progress)  replaces the progress that the level reports to
///   displacement()         gives u on the host
///   takeDisplacement()     gives u on the host, after which the level is of no use
/// `makeResult` is a ResultOf, and `steps` prepare the images.
template <class MakeLevel, class MakeResult>
RegistrationResult runRegistration(const RegistrationInput& given, const RegistrationOptions& asked,
                                   const Progress& progress, const PreparationSteps& steps,
                                   const MakeLevel& makeLevel, const MakeResult& makeResult) {
  constexpr double kPlanned = 0.2, kFlown = 0.9;  // progress after the plan and after the flow
  using Level = decltype(makeLevel(LevelInput<float>{}, VectorField<float>{}, asked, progress));

  Notes paddingNotes;
  const RegistrationInput input = withoutPadding(given, paddingNotes);
  const RegistrationPlan plan = planRegistration(input, asked, progress.part(0, kPlanned, "Preparation"),
                                                 asked.symmetric ? PlanUse::results : PlanUse::flow, steps);
  RegistrationOptions options = asked;
  options.similarity = plan.similarity;
  RegistrationProgress run;
  const Progress flowing = progress.part(kPlanned, kFlown, "");
  VectorField<float> u;
  if (asked.symmetric) {
    const HalfwaySpace middle =
        halfwaySpaceOf(input.templateImage->grid, input.reference->grid, plan.templateFromReference);
    const RegistrationPlan between =
        planInHalfwaySpace(input, middle, options, steps, flowing.part(0, 0, "Preparation"));
    run.clock.finish("Middle");
    const RegistrationOptions half = symmetricHalf(options);
    const auto makeSymmetric = [&](const PlannedLevel& planned, HalfDisplacements from,
                                   const Progress& part) {
      return SymmetricLevel<Level>(
          [&] { return makeLevel(planned.input, std::move(from.ofTemplate), half, part); },
          [&] { return makeLevel(exchanged(planned), std::move(from.ofReference), half, part); });
    };
    const auto halves = flow<HalfDisplacements>(between, input, options, run, flowing, makeSymmetric);
    u = joined(halves, middle, input.reference->grid, progress.part(kFlown, kFlown, "Maps"));
  } else {
    u = flow<VectorField<float>>(plan, input, options, run, flowing,
                                 [&](const PlannedLevel& planned, VectorField<float> from, Progress part) {
                                   return makeLevel(planned.input, std::move(from), options, std::move(part));
                                 });
  }

  RegistrationResult result = makeResult(input, plan, std::move(u), progress.part(kFlown, 1, "Maps"));
  run.clock.finish("Maps");
  for (const auto& i : run.iterations) result.retries += i.retries;
  result.iterations = std::move(run.iterations);
  result.notes.insert(result.notes.begin(), run.notes.begin(), run.notes.end());
  result.notes.insert(result.notes.begin(), plan.notes.begin(), plan.notes.end());
  result.notes.insert(result.notes.begin(), paddingNotes.begin(), paddingNotes.end());
  result.stages = plan.stages;
  result.stages.insert(result.stages.end(), run.clock.stages().begin(), run.clock.stages().end());
  return result;
}

}  // namespace sulcus::registration
