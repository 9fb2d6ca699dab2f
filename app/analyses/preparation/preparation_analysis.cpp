#include "app/analyses/preparation/preparation_analysis.h"

#include "app/analyses/input_layers.h"
#include "app/analyses/preparation/field_inputs.h"
#include "app/analyses/run_support.h"
#include "core/activation/design/scan_times.h"
#include "core/activation/model/automatic_mask.h"
#include "core/analysis/layer_agreement.h"
#include "core/base/error.h"
#include "core/base/memory/memo.h"
#include "core/base/numbers.h"
#include "core/base/sentence.h"
#include "core/image/display/layer_kinds.h"
#include "core/image/table_columns.h"
#include "core/io/volumes/scan_timing.h"
#include "core/phantom/preparation_phantom.h"
#include "core/preparation/motion_agreement.h"
#include "core/preparation/motion_steps.h"
#include "core/preparation/preparation.h"
#include "core/preparation/preparation_charts.h"
#include "gpu/preparation/preparation.h"

#include <algorithm>
#include <string>
#include <utility>

namespace sulcus::app::analyses {
namespace {

using preparation::PreparationChoices;

/// The series to prepare: one of the two.
struct RawScan {
  const Layer* bold = nullptr;
  const Layer* dwi = nullptr;

  const Layer& layer() const { return bold ? *bold : *dwi; }
  const VolumeLayer& volume() const { return volumeOf(layer(), bold ? "bold" : "dwi"); }
};

RawScan rawScan(const AnalysisInputs& inputs) {
  const RawScan scan{layerOf(inputs, "bold"), layerOf(inputs, "dwi")};
  if (!scan.bold && !scan.dwi)
    throw Error("There is no raw series", "there is nothing to prepare", "give {bold} or {dwi}"_message,
                ErrorKind::usage);
  if (scan.bold && scan.dwi)
    throw Error("Both a functional and a diffusion series are given", "each is prepared in a separate run",
                "give one of {bold} and {dwi}"_message, ErrorKind::usage);
  if (scan.bold && !scan.volume().gradients.empty())
    throw Error("'" + scan.bold->name + "' is a diffusion series (it has gradients)",
                "its volumes differ by more than motion", "give it as {dwi}"_message, ErrorKind::usage);
  if (scan.dwi && scan.volume().gradients.empty())
    throw Error("'" + scan.dwi->name + "' has no gradients",
                "volumes are compared with those of other directions",
                "give {bval} and {bvec} or {grad}; a functional series is given as {bold}"_message);
  return scan;
}

/// "sub-01_task-rest_" for sub-01_task-rest_bold.
std::string prefixOf(const std::string& name, const std::string& suffix) {
  if (name == suffix) return "";
  return name.ends_with("_" + suffix) ? name.substr(0, name.size() - suffix.size()) : name + "_";
}

Layer imageLayer(std::string name, const std::string& unit, const Volume<float>& image) {
  Layer layer = preparation::fieldLayer(std::move(name), image);
  layer.unit = unit;
  return layer;
}

Layer outlinedMask(std::string name, const Mask& mask) {
  Layer layer = maskLayer(std::move(name), mask);
  layer.display.outline = true;
  layer.display.visible = true;
  return layer;
}

/// The layer that is drawn on top of all others of a result.
void putOnTop(RunResult& result, Layer layer) {
  result.layers.insert(result.layers.begin(), std::move(layer));
}

/// The prepared series among the layers of a result.
template <class Layers>
auto seriesIn(Layers& layers) {
  return std::ranges::find_if(layers, [](const Layer& layer) {
    return layer.name.find("desc-preproc_") != std::string::npos && !layer.name.ends_with("fieldmap");
  });
}

/// The times by which slices are interpolated; empty, with a warning, if they cannot be used.
preparation::SliceTimes sliceTimes(const RawScan& scan, Notes& notes) {
  const VolumeLayer& volume = scan.volume();
  const ScanTiming timing = scan.bold->source.empty() ? ScanTiming() : io::readScanTiming(scan.bold->source);
  const activation::DesignOptions usual;
  activation::SliceTimesCheck check =
      activation::checkSliceTimes(volume.secondsPerVolume, volume.series->grid.size.z, usual, timing);
  if (check.isUsable) return {{timing.slices}, activation::repetitionTime(volume.secondsPerVolume, usual)};
  if (check.why.empty())
    check.why = "the JSON file next to the scan has no different slice times (SliceTiming)";
  notes.push_back(Note::warning("Slices were not interpolated: " + check.why + ".", "", "slice-timing"));
  return {};
}

RunResult prepareFunctional(const preparation::PreparationSteps& steps, const RawScan& scan,
                            const preparation::RawSeries& given, const Progress& progress) {
  const Layer& bold = scan.layer();
  const double secondsPerVolume = scan.volume().secondsPerVolume;
  const auto prepared =
      std::make_shared<const preparation::PreparedSeries>(preparation::prepareSeries(given, steps, progress));
  const std::string prefix = prefixOf(bold.name, "bold");
  RunResult result;
  result.layers = preparation::preparedLayers(*prepared, secondsPerVolume);
  result.layers[0].name = prefix + "desc-preproc_bold";
  result.layers[0].unit = bold.unit;
  result.layers[0].display.visible = true;
  result.layers[1].name = prefix + "desc-confounds_timeseries";
  if (prepared->field) result.layers[2].name = prefix + "desc-preproc_fieldmap";
  result.layers.push_back(imageLayer(prefix + "boldref", bold.unit, prepared->motion.mean));
  putOnTop(result, outlinedMask(prefix + "desc-brain_mask", *prepared->mask));
  result.notes = prepared->motion.notes;
  result.stages = prepared->motion.stages;
  result.plots = preparation::preparationPlots(prepared);
  result.source = std::make_shared<const std::vector<preparation::Motion>>(prepared->motion.motion);
  return result;
}

RunResult prepareDiffusion(const RawScan& scan, const preparation::DiffusionMotionInput& given,
                           const preparation::DiffusionSteps& steps, const Progress& progress) {
  const preparation::PreparedDiffusion prepared = preparation::prepareDiffusion(given, progress, steps);
  const Layer& dwi = scan.layer();
  const std::string prefix = prefixOf(dwi.name, "dwi");
  RunResult result;
  Layer series;
  series.name = prefix + "desc-preproc_dwi";
  series.unit = dwi.unit;
  series.content = VolumeLayer{prepared.dwi, prepared.gradients, scan.volume().secondsPerVolume, {}};
  series.display.range = dwi.display.range;
  result.layers.push_back(std::move(series));
  if (!prepared.motion.empty())
    result.layers.push_back(
        tableLayer(prefix + "desc-confounds_timeseries", preparation::motionTable(prepared)));
  const auto addMap = [&](const char* name, const std::string& unit, const auto& map) {
    if (map) result.layers.push_back(imageLayer(prefix + name, unit, *map));
  };
  addMap("desc-preproc_fieldmap", "Hz", prepared.field);
  addMap("desc-noise_dwimap", dwi.unit, prepared.noise);
  addMap("desc-rank_dwimap", "components", prepared.rank);
  addMap("dwiref", dwi.unit, prepared.unweighted);
  if (prepared.mask) putOnTop(result, outlinedMask(prefix + "desc-brain_mask", *prepared.mask));
  result.notes = prepared.notes;
  result.stages = prepared.stages;
  result.plots = preparation::diffusionPlots(prepared);
  result.source = std::make_shared<const std::vector<preparation::Motion>>(prepared.motion);
  return result;
}

RunResult runPreparation(const preparation::PreparationSteps& steps, const AnalysisInputs& inputs,
                         const OptionValues& values, const Progress& progress, const Analysis::Preview&) {
  const RawScan scan = rawScan(inputs);
  const auto choices = optionsFrom<PreparationChoices>(values);
  const VolumeLayer& volume = scan.volume();
  const preparation::FieldScans field = fieldScansIn(inputs, scan.layer());
  RunResult result;
  Notes notes;
  if (scan.bold) {
    preparation::RawSeries raw{volume.series, {{0, volume.series->count}}, field};
    raw.findMotion = choices.motion;
    if (choices.sliceTiming == PreparationChoices::SliceTiming::interpolate)
      raw.sliceTimes = sliceTimes(scan, notes);
    result = prepareFunctional(steps, scan, raw, progress);
  } else {
    result = prepareDiffusion(scan, {volume.series, volume.gradients, field, phaseAxisOf(scan.layer())},
                              {choices.noise, choices.ringing, choices.drift, choices.motion, choices.eddy},
                              progress);
    if (&steps != &preparation::kOnProcessor) notes.emplace_back("Diffusion series are prepared on the CPU.");
  }
  result.notes.insert(result.notes.begin(), notes.begin(), notes.end());
  seriesIn(result.layers)->notes = warningsIn(result.notes);
  result.items = volume.series->count;
  result.itemName = "volumes";
  return result;
}

constexpr const char* kTruth = "truth";

/// The motion in a table with the names of the parameters, one row for each volume.
std::vector<preparation::Motion> motionIn(const Layer& layer) {
  const TableLayer& table = tableOf(layer, kTruth);
  std::vector<preparation::Motion> motion(table.rows.size());
  const auto names = preparation::parameterNames();
  for (std::size_t k = 0; k < names.size(); ++k) {
    const auto column = columnNamed(table, names[k]);
    if (!column)
      throw Error("'" + layer.name + "' has no column " + names[k],
                  "the true motion is in trans_x … rot_z, mm and radians", "give such a table");
    for (std::size_t v = 0; v < motion.size(); ++v) {
      const double value = numberIn(table.rows[v][*column]).value_or(0);
      (k < 3 ? motion[v].shift : motion[v].turn)[int(k % 3)] = value;
    }
  }
  return motion;
}

std::string validate(const AnalysisInputs& inputs, const OptionValues& values) {
  const RawScan scan = rawScan(inputs);
  const auto choices = optionsFrom<PreparationChoices>(values);
  preparation::MotionInput motion;
  motion.series = scan.volume().series;
  if (scan.bold) preparation::checkMotionInput(motion);
  if (const Layer* truth = layerOf(inputs, kTruth);
      truth && motionIn(*truth).size() != std::size_t(motion.series->count))
    throw Error(
        "'" + truth->name + "' has " + counted(std::int64_t(tableOf(*truth, kTruth).rows.size()), "row"),
        "the true motion has a row for each volume, and there are " + std::to_string(motion.series->count),
        "give the truth that belongs to this series");
  const std::string volumes = counted(motion.series->count, "volume");
  if (scan.bold)
    return volumes + (choices.motion ? ", which are realigned to their mean" : ", motion is not corrected");
  return text(volumes, ", ", weightedVolumes(scan.volume().gradients).size(),
              " of them with diffusion weighting");
}

MemoryNeed memory(const AnalysisInputs& inputs, const OptionValues&) {
  constexpr double kFunctional = 2, kDiffusion = 6, kOnDevice = 3;  // series of floats beside the input
  const RawScan scan = rawScan(inputs);
  const double bytes = 4.0 * double(scan.volume().series->values.size());
  return scan.bold ? MemoryNeed{kFunctional * bytes, kOnDevice * bytes} : MemoryNeed{kDiffusion * bytes, 0};
}

double seconds(const AnalysisInputs& inputs, const OptionValues&) {
  const auto valuesIn = [&](const char* slot) {
    const Layer* const layer = layerOf(inputs, slot);
    const auto* volume = layer ? std::get_if<VolumeLayer>(&layer->content) : nullptr;
    return volume ? double(volume->series->values.size()) : 0;
  };
  constexpr double kFunctional = 2.4e-7, kDiffusion = 4e-6;  // s for each value
  return kFunctional * valuesIn("bold") + kDiffusion * valuesIn("dwi");
}

Comparison compare(const RunResult& a, const RunResult& b, const Progress& progress) {
  return compareLayers(*seriesIn(a.layers), *seriesIn(b.layers), {}, progress);
}

std::vector<AgreementRow> compareWithTruth(const RunResult& result, const AnalysisInputs& inputs,
                                           const Progress&) {
  const Layer* const truth = layerOf(inputs, kTruth);
  if (!truth) return {};
  const auto& found = result.source.as<std::vector<preparation::Motion>>();
  return preparation::compareMotionWithTruth(found, motionIn(*truth),
                                             gridOf(result.layers.front())->center());
}

/// A functional series has no directions to be told from noise, and no eddy currents of strong gradients.
std::vector<std::string> idleOptions(const AnalysisInputs& inputs) {
  if (layerOf(inputs, "dwi")) return {"slice-timing"};
  if (layerOf(inputs, "bold")) return {"noise", "ringing", "drift", "eddy"};
  return {};
}

/// The brain mask of the raw scan, which shows before a run where the brain is found.
using MaskMemo = Memo<Identity, std::shared_ptr<const Mask>>;

std::vector<Layer> inputLayers(MaskMemo& memo, const AnalysisInputs& inputs, const Progress& progress) {
  const LayerPtr& scan = inputs.find(layerOf(inputs, "bold") ? "bold" : "dwi")->second;
  const VolumeLayer& volume = rawScan(inputs).volume();
  const auto mask =
      memo(scan, [&] {
        if (volume.gradients.empty())
          return std::make_shared<const Mask>(activation::automaticMask(*volume.series, progress));
        const Series<float> mean(preparation::meanOfUnweighted(*volume.series, volume.gradients));
        return std::make_shared<const Mask>(activation::automaticMask(mean, progress));
      }).value;
  return {outlinedMask("brain", *mask)};
}

/// A series over time that no program has processed yet.
bool isRawFunctional(const Layer& layer) {
  constexpr int kFewest = 10;
  constexpr double kUnsaid = 1;  // s, which programs write when they join images without times
  const auto& volume = std::get<VolumeLayer>(layer.content);
  return !isDiffusion(layer) && volume.secondsPerVolume > 0 && volume.secondsPerVolume != kUnsaid &&
         volume.series->count >= kFewest && layer.name.find("desc-") == std::string::npos;
}

std::vector<InputSlot> slots() {
  constexpr const char* kOneOf = "series";
  InputSlot bold{"bold", "Functional series", "A raw functional scan: one 4D image", false,
                 [](const Layer& layer) { return isVolume(layer) && !isDiffusion(layer); }};
  bold.oneOf = kOneOf;
  bold.suggested = true;
  bold.unasked = isRawFunctional;
  InputSlot dwi{"dwi", "Diffusion series", "A raw diffusion scan with its gradients", false, isDiffusion};
  dwi.oneOf = kOneOf;
  dwi.suggested = true;
  InputSlot truth{kTruth, "Truth", "True motion of a phantom: trans_x … rot_z, a row for each volume", false,
                  isTable};
  return {bold, dwi, fieldmapSlot(), anatomySlot(), advanced(truth)};
}

AnalysisInputs demo(const OptionValues& values) {
  const auto phantom =
      phantom::makePreparationPhantom(optionsFrom<phantom::PreparationPhantomOptions>(values));
  Layer bold;
  bold.name = "moving head";
  bold.content = VolumeLayer{phantom.bold, {}, phantom.secondsPerVolume, {}};
  TableLayer truth;
  truth.columns = preparation::parameterNames();
  const Eigen::MatrixXd parameters = preparation::parametersOf(phantom.motion);
  for (const auto& row : parameters.rowwise()) {
    auto& cells = truth.rows.emplace_back();
    for (const double value : row) cells.push_back(nineDigits(value));
  }
  AnalysisInputs inputs;
  give(inputs, "bold", std::move(bold));
  give(inputs, kTruth, tableLayer("true motion", std::move(truth)));
  return inputs;
}

}  // namespace

Analysis preparationAnalysis() {
  Analysis row;
  row.name = "prepare";
  row.title = "Prepare";
  row.summary =
      "Corrects motion, distortion, eddy currents, noise and ringing in a raw functional or diffusion scan, "
      "and reports how the head moved";
  row.inputs = slots();
  row.options = describeOptions<PreparationChoices>();
  row.outputs = {"*desc-preproc_*", "*desc-confounds_timeseries", "*desc-brain_mask",  "*boldref*",
                 "*dwiref*",        "*desc-noise_dwimap*",        "*desc-rank_dwimap*"};
  row.cpu = std::bind_front(runPreparation, preparation::kOnProcessor);
  row.gpu = std::bind_front(runPreparation, gpu::preparation::kOnDevice);
  row.advice = validate;
  row.memory = memory;
  row.seconds = seconds;
  const auto masks = std::make_shared<MaskMemo>();
  row.inputLayers = [masks](const AnalysisInputs& inputs, const OptionValues&, const Progress& progress) {
    return inputLayers(*masks, inputs, progress);
  };
  row.idleOptions = idleOptions;
  row.compare = compare;
  row.compareWithTruth = compareWithTruth;
  row.demoTitle = "moving head";
  row.demoOptions = describeOptions<phantom::PreparationPhantomOptions>();
  row.demo = demo;
  return row;
}

}  // namespace sulcus::app::analyses
