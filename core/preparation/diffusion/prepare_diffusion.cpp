#include "core/preparation/diffusion/prepare_diffusion.h"

#include "core/activation/model/automatic_mask.h"
#include "core/base/error.h"
#include "core/base/numbers.h"
#include "core/base/sentence.h"
#include "core/base/stage_clock.h"
#include "core/math/statistics.h"
#include "core/preparation/diffusion/denoise.h"
#include "core/preparation/diffusion/ringing.h"
#include "core/preparation/diffusion/signal_drift.h"
#include "core/preparation/mean_volume.h"
#include "core/preparation/preparation.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <optional>

namespace sulcus::preparation {
namespace {

double medianAboveZero(const Volume<float>& image) {
  std::vector<float> values;
  std::copy_if(image.values.begin(), image.values.end(), std::back_inserter(values),
               [](float value) { return value > 0; });
  return values.empty() ? 0 : upperMedian(std::span(values));
}

/// Performs a step, or reports why it was skipped.
void tryStep(PreparedDiffusion& prepared, const std::string& undone, const std::function<void()>& step) {
  try {
    step();
  } catch (const Error& error) {
    prepared.notes.push_back(Note::warning(undone + ". " + error.message()));
  }
}

void append(Notes& notes, const Notes& more) { notes.insert(notes.end(), more.begin(), more.end()); }

}  // namespace

TableLayer motionTable(const PreparedDiffusion& prepared) {
  TableLayer table;
  table.columns = parameterNames();
  table.columns.insert(table.columns.end(), {"framewise_displacement", "lost_slices"});
  if (!prepared.eddy.empty()) std::ranges::copy(eddyNames(), std::back_inserter(table.columns));
  const Eigen::MatrixXd parameters = parametersOf(prepared.motion);
  const auto displacement = framewiseDisplacement(prepared.motion);
  for (Eigen::Index v = 0; v < parameters.rows(); ++v) {
    auto& row = table.rows.emplace_back();
    for (const double value : parameters.row(v)) row.push_back(nineDigits(value));
    row.push_back(v == 0 ? "n/a" : nineDigits(displacement[v]));
    row.push_back(std::to_string(std::ranges::count(prepared.lost, int(v), &LostSlice::volume)));
    if (prepared.eddy.empty()) continue;
    for (const double term : prepared.eddy[v]) row.push_back(nineDigits(term));
  }
  return table;
}

Volume<float> meanOfUnweighted(const Series<float>& dwi, const GradientTable& gradients) {
  const std::vector<int> volumes = unweightedVolumes(gradients);
  return withoutUnsound(volumes.empty() ? meanOfSeries(dwi, {}) : meanOfVolumes(dwi, volumes, {}));
}

PreparedDiffusion prepareDiffusion(const DiffusionMotionInput& input, const Progress& progress,
                                   const DiffusionSteps& steps) {
  PreparedDiffusion prepared;
  prepared.dwi = input.dwi;
  prepared.gradients = input.gradients;
  StageClock clock;
  if (steps.noise)
    tryStep(prepared, "Noise was not removed", [&] {
      DenoisedSeries result = denoise(*prepared.dwi, nullptr, progress.part(0, 0.3, "noise"));
      prepared.notes.push_back(
          text("Noise was removed by principal component analysis: its standard deviation is ",
               medianAboveZero(result.noise), " (median)."));
      append(prepared.notes, result.notes);
      prepared.dwi = std::make_shared<const Series<float>>(std::move(result.series));
      prepared.noise = std::make_shared<const Volume<float>>(std::move(result.noise));
      prepared.rank = std::make_shared<const Volume<float>>(std::move(result.rank));
    });
  clock.finish("noise");
  if (steps.ringing)
    tryStep(prepared, "Gibbs ringing was not removed", [&] {
      UnrungSeries result = removeRinging(*prepared.dwi, progress.part(0.3, 0.4, "ringing"));
      prepared.notes.push_back("Gibbs ringing was removed within slices.");
      append(prepared.notes, result.notes);
      prepared.dwi = std::make_shared<const Series<float>>(std::move(result.series));
    });
  clock.finish("ringing");
  if (steps.drift && int(input.gradients.rows.size()) == input.dwi->count) {
    if (const SignalDrift drift = findDrift(*prepared.dwi, input.gradients); !drift.gain.empty()) {
      prepared.notes.push_back(
          text("The signal drifted by ", 100 * (drift.gain.back() - 1),
               " % from the first volume to the last, as in scanners that warm up: corrected."));
      prepared.dwi = std::make_shared<const Series<float>>(withoutDrift(*prepared.dwi, drift));
    }
  }
  clock.finish("drift");
  if (steps.motion)
    tryStep(prepared, "Motion was not corrected", [&] {
      DiffusionMotionResult result = realignDiffusion(
          {prepared.dwi, input.gradients, input.field, steps.eddy ? input.phaseAxis : std::nullopt},
          progress.part(0.4, 0.97, "motion"));
      append(prepared.notes, result.notes);
      if (steps.eddy && !input.phaseAxis)
        prepared.notes.emplace_back(
            "Eddy currents were not corrected: the JSON file beside the scan does not state along which axis "
            "they displace it (PhaseEncodingDirection).");
      prepared.dwi = result.dwi;
      prepared.gradients = std::move(result.gradients);
      prepared.field = result.field;
      prepared.motion = std::move(result.motion);
      prepared.lost = std::move(result.lost);
      prepared.eddy = std::move(result.eddy);
    });
  clock.finish("motion");
  if (!steps.motion && !input.field.empty())
    prepared.notes.push_back(
        Note::warning("Distortion was not corrected: that requires motion correction.", "", "motion"));
  tryStep(prepared, "The brain was not found: all voxels are used", [&] {
    auto mean = std::make_shared<const Volume<float>>(meanOfUnweighted(*prepared.dwi, prepared.gradients));
    prepared.unweighted = mean;
    prepared.mask = std::make_shared<const Mask>(
        activation::automaticMask(Series<float>(*mean), progress.part(0.97, 1, "mask")));
  });
  clock.finish("mask");
  prepared.stages = clock.stages();
  return prepared;
}

}  // namespace sulcus::preparation
