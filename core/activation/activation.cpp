#include "core/activation/activation.h"

#include "core/activation/activation_memory.h"
#include "core/activation/design/contrasts.h"
#include "core/activation/model/common_noise.h"
#include "core/activation/model/gibbs_problem.h"
#include "core/activation/results/mixture_fdr.h"
#include "core/activation/sampler/delta_mean.h"
#include "core/activation/sampler/diagnostics.h"
#include "core/activation/sampler/hyper_fit.h"
#include "core/base/parallel/parallel_for.h"
#include "core/base/platform/memory/host_memory.h"
#include "core/base/sentence.h"
#include "core/base/stage_clock.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace sulcus::activation {
OptionValues paperActivation() {
  return {{"draws", std::int64_t(kFirstDraws)},
          {"noise", std::string("white")},
          {"chains", std::int64_t(1)},
          {"covariance-scale", 1.0},
          {"error-prior", std::string("total")},
          {"covariance", std::string("full")},
          {"interweaving", false},
          {"common-noise", false},
          {"jumps", false},
          {"scope", std::string("slices")},
          {"fdr", 0.0}};
}

std::string responseUnit(Response response) {
  static constexpr std::array units{"s.d.", "%", ""};
  return units[std::size_t(response)];
}

namespace {

/// Whether this computer has memory for this many draws.
bool fitsHere(const GibbsProblem& problem, const GibbsOptions& sampling) {
  const double free = freeHostMemory();
  return free <= 0 || gibbsBytes(problem, sampling) <= free;
}

/// Whether the chains must be longer to converge, and may be: sets their new length. They are then drawn
/// again from the start, since a longer chain begins like a shorter one.
///
/// @param tooFew  receives whether proposals of hyper-parameters are accepted too rarely
bool takesMore(ActivationResult& result, const Sampler& sampler, bool& tooFew) {
  tooFew = false;
  constexpr double kMargin = 1.2, kLeast = 1.5;
  const int step = result.problem->fits.empty() ? 500 : 100;
  constexpr int kMostProposed = 2 * kFirstDraws;
  const double times = furtherDraws(result, diagnose(result));
  const int draws = result.sampling.draws;
  if (times <= 1 || draws >= kMostDraws) return false;
  const double wanted = std::ceil(draws * std::max(kMargin * times, kLeast) / step) * step;
  tooFew = !result.problem->fits.empty() && wanted > kMostProposed;
  if (tooFew) return true;
  for (int more = int(std::min<double>(kMostDraws, wanted)); more > draws; more -= step) {
    GibbsOptions longer = result.sampling;
    longer.lengthen(more);
    if (!sampler.fits(*result.problem, longer)) continue;
    result.sampling = longer;
    return true;
  }
  result.notes.push_back(
      Note::warning(text("the chains end at ", draws,
                         " draws, since free memory cannot hold longer ones; a smaller number of chains or "
                         "regressors, or the scope volume, needs less.")));
  return false;
}

/// Prepares the proposals of hyper-parameters if there are many voxels, and the chains for them.
void proposeHyperParameters(ActivationResult& result, const ActivationOptions& options,
                            const Progress& progress) {
  GibbsOptions& sampling = result.sampling;
  if (!sampling.interwoven || result.deltaMean.size() > 0 || !groupsAreLarge(*result.problem)) return;
  if (sampling.draws > kMostDraws) return;  // all proposals are held in memory at once
  auto fitted = std::make_shared<GibbsProblem>(*result.problem);
  fitted->fits = fitHyper(*fitted, sampling.seed, progress);
  if (fitted->fits.empty()) return;
  result.problem = std::move(fitted);
  if (options.draws == 0 && options.burnIn < 0) sampling.lengthen(kFirstProposed);
  if (options.draws == 0 && options.burnIn >= 0) sampling.draws = options.burnIn + kFirstProposed;
  if (options.thinning == 0) sampling.thinning = std::max(1, sampling.draws / kFirstDraws);
}

/// Returns to hyper-parameters that are drawn given the coefficients.
void drawHyperParameters(ActivationResult& result, const ActivationOptions& options) {
  auto unfitted = std::make_shared<GibbsProblem>(*result.problem);
  unfitted->fits.clear();
  result.problem = std::move(unfitted);
  result.sampling = samplingOf(options);
}

std::string drawsNote(const GibbsOptions& sampling) {
  return text("The first ", sampling.burnIn, " of ", sampling.draws,
              " draws of each chain are dropped as burn-in.");
}

}  // namespace

ActivationResult analyzeActivation(const Sampler& sampler, const ActivationInput& input,
                                   const ActivationOptions& options, const Progress& progress) {
  StageClock clock;
  ActivationResult result = prepareActivation(input, options, progress.part(0, 0.08, "Least squares"));
  proposeHyperParameters(result, options, progress.part(0.08, 0.1, "Least squares"));
  clock.finish("Least squares");

  GibbsPreview preview;
  if (input.preview)
    preview = [&](const GibbsMoments& moments, double) {
      ActivationResult soFar = result;
      setMoments(soFar, moments, {});
      soFar.samples = std::make_shared<const GibbsResult>(GibbsResult{moments, {}, {}, {}, {}});
      input.preview(soFar);
    };
  const auto draw = [&] {
    double from = 0.1, to = 0.8;
    for (;;) {
      result.samples = std::make_shared<const GibbsResult>(
          sampleAround(result.deltaMean, sampler.sample, *result.problem, result.sampling, preview,
                       progress.part(from, to, "Draws")));
      bool tooFew = false;
      if (options.draws > 0 || !takesMore(result, sampler, tooFew)) break;
      if (tooFew) drawHyperParameters(result, options);
      from = to;
      to += (0.95 - to) / 2;
    }
  };
  if (sampler.where == DrawsOn::processor)
    draw();
  else
    parallelInvoke(
        {draw, [&] { groupContrasts(result, allContrasts(options.contrast, Regressors(result.design))); }});
  clock.finish("Draws");
  setGroups(result);
  result.samples = std::make_shared<const GibbsResult>(
      withoutCommonError(*result.problem, result.sampling, *result.samples));
  setMoments(result, result.samples->moments, progress.part(0.95, 1, "Maps"));
  clock.finish("Maps");
  result.notes.push_back(drawsNote(result.sampling));
  result.stages = clock.stages();
  return result;
}

ActivationResult analyzeActivation(const ActivationInput& input, const ActivationOptions& options,
                                   const Progress& progress) {
  return analyzeActivation({sampleGibbs, DrawsOn::processor, fitsHere}, input, options, progress);
}

}  // namespace sulcus::activation
