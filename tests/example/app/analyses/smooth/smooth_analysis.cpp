#include "app/analyses/smooth/smooth_analysis.h"

#include "app/analyses/input_layers.h"
#include "core/analysis/value_agreement.h"
#include "core/base/stage_clock.h"
#include "core/bids/results/outputs.h"
#include "core/bids/results/result_values.h"
#include "core/bids/study_traits.h"
#include "core/image/display/layer_kinds.h"
#include "core/phantom/surface_phantom.h"
#include "core/smooth/smooth.h"
#include "gpu/smooth/smooth.h"

namespace sulcus::app::analyses {
namespace {

RunResult run(smooth::Smooth& smooth, const AnalysisInputs& inputs, const OptionValues& values,
              const Progress& progress) {
  smooth::SmoothInput input;
  input.image = volumeOf(*layerOf(inputs, "image"), "image").series;
  RunResult result;
  result.items = double(input.image->grid.voxels()), result.itemName = "voxels";
  StageClock clock;
  result.layers.push_back(
      mapLayer("smoothed", "", "gray",
               Series<float>(smooth(input, optionsFrom<smooth::SmoothOptions>(values), progress))));
  result.layers.back().display.visible = true;
  clock.finish("Smoothing");
  result.stages = clock.stages();
  return result;
}

Analysis::Run runner(smooth::Smooth& smooth) {
  return [&smooth](const AnalysisInputs& inputs, const OptionValues& values, const Progress& progress,
                   const Analysis::Preview&) { return run(smooth, inputs, values, progress); };
}

Comparison compare(const RunResult& a, const RunResult& b, const Progress&) {
  const auto& left = *std::get<VolumeLayer>(a.layers.front().content).series;
  const auto& right = *std::get<VolumeLayer>(b.layers.front().content).series;
  Comparison comparison;
  comparison.rows = {valueAgreement({"mean", ""}, left.values, right.values, 1e-5, 1e-5).difference};
  return comparison;
}

MemoryNeed memory(const AnalysisInputs& inputs, const OptionValues&) {
  const Layer* image = layerOf(inputs, "image");
  if (!image || !gridOf(*image)) return {};
  const std::int64_t voxels = gridOf(*image)->voxels();
  return {sizeof(float) * double(voxels), gpu::smooth::smoothDeviceBytes(voxels)};
}

AnalysisInputs demo(const OptionValues& values) {
  const auto made = phantom::makeSurfacePhantom(optionsFrom<phantom::SurfacePhantomOptions>(values));
  Layer image = mapLayer("noisy blocks", "", "gray", Series<float>(*made.truth));
  image.display.visible = true;
  AnalysisInputs inputs;
  give(inputs, "image", std::move(image));
  return inputs;
}

/// T1-weighted scans, whose results are named sub-01_desc-smoothed_T1w.nii.gz.
std::shared_ptr<const bids::StudyTraits> study() {
  bids::StudyTraits study;
  study.scans = {"t1w", "image", "anat", "T1w"};
  study.layerName = [](const bids::Job& job, const std::string& stem, const std::string&,
                       const std::string&) { return bids::described(bids::resultName(job), stem, "T1w"); };
  study.figures = [](const RunResult& result, const AnalysisInputs&) -> std::vector<bids::Figure> {
    const auto values = bids::valuesOf(result, "smoothed");
    return {{"median", "", "Median of the values above 0", bids::medianWhere(values, values)}};
  };
  return std::make_shared<const bids::StudyTraits>(std::move(study));
}

}  // namespace

Analysis smoothAnalysis() {
  Analysis row;
  row.name = "smooth";
  row.title = "Smooth";
  row.summary = "The mean around each voxel";
  row.inputs = {{"image", "Image", "What is smoothed", true, isVolume}};
  row.options = describeOptions<smooth::SmoothOptions>();
  row.outputs = {"smoothed"};
  row.cpu = runner(smooth::smooth);
  row.gpu = runner(gpu::smooth::smooth);
  row.compare = compare;
  row.compareWithTruth = [](const RunResult&, const AnalysisInputs&, const Progress&) {
    return std::vector<AgreementRow>{};
  };
  row.memory = memory;
  row.study = study();
  row.demoTitle = "signed distance of blocks";
  row.demoOptions = describeOptions<phantom::SurfacePhantomOptions>();
  row.demo = demo;
  return row;
}

}  // namespace sulcus::app::analyses
