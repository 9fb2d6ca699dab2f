#include "core/preparation/diffusion/prepare_diffusion.h"

#include "core/base/error.h"
#include "core/base/sentence.h"
#include "core/base/stage_clock.h"
#include "core/preparation/diffusion/denoise.h"
#include "core/preparation/diffusion/ringing.h"

#include <algorithm>
#include <functional>

namespace sulcus::preparation {
namespace {

double medianAboveZero(const Volume<float>& image) {
  std::vector<float> values;
  std::copy_if(image.values.begin(), image.values.end(), std::back_inserter(values),
               [](float value) { return value > 0; });
  if (values.empty()) return 0;
  const auto middle = values.begin() + std::ptrdiff_t(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// Does a step, or says why it was left undone.
void tryStep(PreparedDiffusion& prepared, const std::string& leftIn, const std::function<void()>& step) {
  try {
    step();
  } catch (const Error& error) {
    prepared.notes.push_back(Note::warning(leftIn + " left in. " + error.what()));
  }
}

void append(Notes& notes, const Notes& more) { notes.insert(notes.end(), more.begin(), more.end()); }

}  // namespace

PreparedDiffusion prepareDiffusion(const DiffusionMotionInput& input, const Progress& progress) {
  PreparedDiffusion prepared{input.dwi, input.gradients, nullptr, {}, {}};
  StageClock clock;
  tryStep(prepared, "Noise was", [&] {
    DenoisedSeries result = denoise(*prepared.dwi, nullptr, progress.part(0, 0.3, "noise"));
    prepared.notes.push_back(text("Noise was removed by principal components: its standard deviation is ",
                                  medianAboveZero(result.noise), " (median)."));
    append(prepared.notes, result.notes);
    prepared.dwi = std::make_shared<const Series<float>>(std::move(result.series));
  });
  clock.finish("noise");
  tryStep(prepared, "Gibbs ringing was", [&] {
    UnrungSeries result = removeRinging(*prepared.dwi, progress.part(0.3, 0.4, "ringing"));
    prepared.notes.push_back("Gibbs ringing was removed within slices.");
    append(prepared.notes, result.notes);
    prepared.dwi = std::make_shared<const Series<float>>(std::move(result.series));
  });
  clock.finish("ringing");
  tryStep(prepared, "Motion was", [&] {
    DiffusionMotionResult result =
        realignDiffusion({prepared.dwi, input.gradients, input.field}, progress.part(0.4, 1, "motion"));
    append(prepared.notes, result.notes);
    prepared.dwi = result.dwi;
    prepared.gradients = std::move(result.gradients);
    prepared.field = result.field;
  });
  clock.finish("motion");
  prepared.stages = clock.stages();
  return prepared;
}

}  // namespace sulcus::preparation
