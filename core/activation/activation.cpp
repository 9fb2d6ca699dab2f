#include "core/activation/activation.h"

#include "core/activation/gibbs_problem.h"
#include "core/base/stage_clock.h"

#include <array>

namespace sulcus::activation {
OptionValues paperActivation() {
  return {{"noise", std::string("white")},
          {"chains", std::int64_t(1)},
          {"v-scale", 1.0},
          {"error-prior", std::string("total")},
          {"scope", std::string("slices")}};
}

std::string responseUnit(Response response) {
  static constexpr std::array units{"s.d.", "%", ""};
  return units[std::size_t(response)];
}

ActivationResult analyzeActivation(SampleGibbs& sample, const ActivationInput& input,
                                   const ActivationOptions& options, const Progress& progress) {
  StageClock clock;
  ActivationResult result = prepareActivation(input, options, progress.part(0, 0.1, "Least squares"));
  clock.finish("Least squares");

  GibbsPreview preview;
  if (input.preview)
    preview = [&](const GibbsMoments& moments, double) {
      ActivationResult soFar = result;
      setMoments(soFar, moments, {});
      soFar.samples = std::make_shared<const GibbsResult>(GibbsResult{moments, {}, {}, {}});
      input.preview(soFar);
    };
  result.samples = std::make_shared<const GibbsResult>(
      sample(*result.problem, result.sampling, preview, progress.part(0.1, 0.95, "Draws")));
  clock.finish("Draws");
  setMoments(result, result.samples->moments, progress.part(0.95, 1, "Maps"));
  setGroups(result);
  clock.finish("Maps");
  result.stages = clock.stages();
  return result;
}

ActivationResult analyzeActivation(const ActivationInput& input, const ActivationOptions& options,
                                   const Progress& progress) {
  return analyzeActivation(sampleGibbs, input, options, progress);
}

}  // namespace sulcus::activation
