#include "app/analyses/preparation/preparation_analysis.h"

#include "app/analyses/input_layers.h"
#include "app/analyses/preparation/field_inputs.h"
#include "app/analyses/run_support.h"
#include "core/analysis/layer_agreement.h"
#include "core/base/error.h"
#include "core/image/display/layer_kinds.h"
#include "core/preparation/preparation.h"
#include "gpu/preparation/preparation.h"

#include <string>

namespace sulcus::app::analyses {
namespace {

/// "sub-01_task-rest_" of sub-01_task-rest_bold.
std::string prefixOf(const std::string& name) {
  constexpr std::string_view kBold = "bold";
  if (name == kBold) return "";
  return name.ends_with("_bold") ? name.substr(0, name.size() - kBold.size()) : name + "_";
}

RunResult prepare(const preparation::PreparationSteps& steps, const AnalysisInputs& inputs,
                  const Progress& progress) {
  const Layer* const bold = layerOf(inputs, "bold");
  if (!bold)
    throw Error("There is no functional series", "there is nothing to prepare", "give --bold",
                ErrorKind::usage);
  const auto& volume = volumeOf(*bold, "bold");
  const auto prepared = std::make_shared<const preparation::PreparedSeries>(preparation::prepareSeries(
      {volume.series, {{0, volume.series->count}}, fieldScansIn(inputs, *bold)}, steps, progress));
  const std::string prefix = prefixOf(bold->name);
  RunResult result;
  result.layers = preparation::preparedLayers(*prepared, volume.secondsPerVolume);
  result.layers[0].name = prefix + "desc-preproc_bold";
  result.layers[0].unit = bold->unit;
  result.layers[1].name = prefix + "desc-confounds_timeseries";
  if (prepared->field) result.layers[2].name = prefix + "desc-preproc_fieldmap";
  result.layers.push_back(maskLayer(prefix + "desc-brain_mask", *prepared->mask));
  Layer mean;
  mean.name = prefix + "boldref";
  mean.unit = bold->unit;
  mean.content = VolumeLayer{std::make_shared<const Series<float>>(prepared->motion.mean), {}, 0, {}};
  mean.display.visible = false;
  result.layers.push_back(std::move(mean));
  result.notes = prepared->motion.notes;
  result.stages = prepared->motion.stages;
  result.items = volume.series->count;
  result.itemName = "volumes";
  result.plots = preparation::preparationPlots(prepared);
  result.source = prepared;
  return result;
}

Analysis::Run runner(const preparation::PreparationSteps& steps) {
  return [steps](const AnalysisInputs& inputs, const OptionValues&, const Progress& progress,
                 const Analysis::Preview&) { return prepare(steps, inputs, progress); };
}

Analysis makePreparation() {
  Analysis analysis;
  analysis.name = "prepare";
  analysis.title = "Prepare";
  analysis.summary =
      "Takes motion and distortion out of a raw functional series, and tells how the head moved";
  analysis.inputs = {{"bold", "Functional series", "A functional scan as it was taken: one 4D image", true,
                      isVolume, false, "", false},
                     fieldmapSlot()};
  analysis.outputs = {"*desc-preproc_bold", "*desc-confounds_timeseries", "*desc-preproc_fieldmap",
                      "*desc-brain_mask", "*boldref"};
  analysis.cpu = runner(preparation::kOnProcessor);
  analysis.gpu = runner(gpu::preparation::kOnDevice);
  analysis.advice = [](const AnalysisInputs&, const OptionValues&) { return std::string(); };
  analysis.memory = [](const AnalysisInputs& inputs, const OptionValues&) {
    const Layer* const bold = layerOf(inputs, "bold");
    const double bytes =
        bold && isVolume(*bold) ? 4.0 * double(volumeOf(*bold, "bold").series->values.size()) : 0;
    return MemoryNeed{2 * bytes, 3 * bytes};
  };
  analysis.compare = [](const RunResult& a, const RunResult& b, const Progress& progress) {
    return compareLayers(a.layers[0], b.layers[0], {}, progress);
  };
  analysis.compareWithTruth = [](const RunResult&, const AnalysisInputs&, const Progress&) {
    return std::vector<AgreementRow>();
  };
  return analysis;
}

}  // namespace

const Analysis& preparation() {
  static const Analysis analysis = withProvenance(makePreparation());
  return analysis;
}

}  // namespace sulcus::app::analyses
