#include "app/analyses/run_time.h"

#include "app/analyses/activation/activation_inputs.h"
#include "app/analyses/input_layers.h"
#include "app/analyses/surface/surface_validation.h"
#include "core/base/error.h"
#include "core/fibers/fiber_plan.h"
#include "core/registration/registration_plan.h"

#include <algorithm>
#include <map>

namespace sulcus::app::analyses {
namespace {

double gridVoxels(const AnalysisInputs& inputs, const char* image) {
  const Layer* layer = layerOf(inputs, image);
  const Grid* grid = layer ? gridOf(*layer) : nullptr;
  return grid ? double(grid->voxels()) : 0;
}

/// Voxels of the mask, else of the image.
double voxelsIn(const AnalysisInputs& inputs, const char* image) {
  const auto mask = maskIn(inputs);
  if (!mask) return gridVoxels(inputs, image);
  return double(mask->values.size()) - double(std::count(mask->values.begin(), mask->values.end(), 0));
}

/// A system of as many equations as coefficients is solved in each voxel, and its maxima are looked for.
double fiberSeconds(const AnalysisInputs& inputs, const OptionValues& values) {
  constexpr double kSearch = 2e-5, kSolving = 3e-8, kSolvingTissues = 6e-7;
  const Layer* dwi = layerOf(inputs, "dwi");
  const auto* volume = dwi ? std::get_if<VolumeLayer>(&dwi->content) : nullptr;
  if (!volume) return 0;
  fibers::FiberInput input;
  input.dwi = volume->series, input.gradients = volume->gradients;
  const auto sizes = fibers::fiberSizes(input, optionsFrom<fibers::FiberOptions>(values));
  const double n = sizes.coefficients();
  return voxelsIn(inputs, "dwi") * (kSearch + n * n * (sizes.tissues() > 0 ? kSolvingTissues : kSolving));
}

/// A draw of a voxel takes what its regressors take, and much more where they are more than ten, as those of
/// a table of confounds. Where draws go on until the chains agree they are reckoned to go on to the end.
double activationSeconds(const AnalysisInputs& inputs, const OptionValues& values) {
  constexpr double kRegressor = 4e-9, kMany = 5e-12;
  const auto options = activationOptionsFrom(values);
  const double k = designFrom(inputs, designOptionsFrom(values)).regressors();
  const double draws = options.draws > 0 ? options.draws : activation::kMostDraws;
  return voxelsIn(inputs, "bold") * options.chains * draws * (k * kRegressor + k * k * k * k * kMany);
}

/// Each level has an eighth of the voxels of the next; images are prepared before and maps made after them.
double registrationSeconds(const AnalysisInputs& inputs, const OptionValues& values) {
  constexpr double kBeforeAndAfter = 3e-6, kIteration = 8e-8;
  const auto options = optionsFrom<registration::RegistrationOptions>(values);
  double iterations = 0;
  for (const int most : registration::iterationsPerLevel(options.iterations, options.levels))
    iterations = iterations / 8 + most;
  const double channels = double(1 + layersOf(inputs, "further-templates").size());
  return gridVoxels(inputs, "reference") * channels * (options.symmetric ? 2 : 1) *
         (kBeforeAndAfter + iterations * kIteration);
}

/// Every patch of the band is compared with every other one, or those in a window around it, and each voxel
/// averaged with those most like it.
double surfaceSeconds(const AnalysisInputs& inputs, const OptionValues& values) {
  constexpr double kVoxel = 5e-5, kComparison = 9e-10, kPatch = 125;
  const auto options = optionsFrom<surface::SurfaceOptions>(values);
  const double band = bandEstimate(inputs, options).voxels, patch = options.patch;
  const double across = 2.0 * options.window + 1;
  const double others = options.window > 0 ? std::min(band, across * across * across) : band;
  return options.passes * band * (kVoxel + others * kComparison * patch * patch * patch / kPatch);
}

}  // namespace

double secondsOfRun(const Analysis& analysis, const AnalysisInputs& inputs, const OptionValues& values) {
  static const std::map<std::string, double (*)(const AnalysisInputs&, const OptionValues&)> formulas{
      {"fibers", fiberSeconds},
      {"activation", activationSeconds},
      {"registration", registrationSeconds},
      {"surface", surfaceSeconds}};
  const auto formula = formulas.find(analysis.name);
  try {
    return formula == formulas.end() ? 0 : formula->second(inputs, values);
  } catch (const Error&) {
    return 0;  // a run would say why
  }
}

}  // namespace sulcus::app::analyses
