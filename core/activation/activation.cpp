#include "core/activation/activation.h"

#include "core/activation/gibbs_problem.h"

#include <array>
#include <chrono>

namespace sulcus {
namespace {

/// Runs `work` and notes how long it took.
template <class Work>
void timed(std::vector<StageTime>& stages, std::string name, Work work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  stages.push_back(
      {std::move(name), std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count()});
}

}  // namespace

OptionValues paperActivation() {
  return {{"chains", std::int64_t(1)},
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
  std::vector<StageTime> stages;
  ActivationResult result;
  timed(stages, "Least squares",
        [&] { result = prepareActivation(input, options, progress.part(0, 0.1, "Least squares")); });

  GibbsPreview preview;
  if (input.preview)
    preview = [&](const GibbsMoments& moments, double) {
      ActivationResult soFar = result;
      setMoments(soFar, moments, {});
      soFar.samples = std::make_shared<const GibbsResult>(GibbsResult{moments, {}, {}, {}});
      input.preview(soFar);
    };
  timed(stages, "Draws", [&] {
    result.samples = std::make_shared<const GibbsResult>(
        sample(*result.problem, result.sampling, preview, progress.part(0.1, 0.95, "Draws")));
  });
  timed(stages, "Maps", [&] {
    setMoments(result, result.samples->moments, progress.part(0.95, 1, "Maps"));
    setGroups(result);
  });
  result.stages = std::move(stages);
  return result;
}

ActivationResult analyzeActivation(const ActivationInput& input, const ActivationOptions& options,
                                   const Progress& progress) {
  return analyzeActivation(sampleGibbs, input, options, progress);
}

}  // namespace sulcus
