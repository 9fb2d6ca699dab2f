#include "app/analyses/fibers/fibers_analysis.h"

#include "app/analyses/fibers/fibers_study.h"
#include "app/analyses/fibers/prepared_model_memo.h"
#include "app/analyses/input_layers.h"
#include "app/analyses/preparation/field_inputs.h"
#include "app/analyses/run_support.h"
#include "core/analysis/peak_agreement.h"
#include "core/base/error.h"
#include "core/fibers/fiber_charts.h"
#include "core/fibers/fiber_memory.h"
#include "core/fibers/fiber_plan.h"
#include "core/fibers/fibers.h"
#include "core/fibers/models/gradient_check.h"
#include "core/fibers/response/response_file.h"
#include "core/image/diffusion/diffusion_tensor.h"
#include "core/image/diffusion/harmonics_image.h"
#include "core/image/diffusion/tensor_index.h"
#include "core/image/display/layer_kinds.h"
#include "core/phantom/fibers_phantom.h"
#include "core/preparation/diffusion/prepare_diffusion.h"
#include "core/preparation/preparation_charts.h"
#include "gpu/fibers/fibers.h"

namespace sulcus::app::analyses {
namespace {

constexpr std::size_t kPreparedModels = 3;  // that are kept: for two choices of the model, and for a slice

using preparation::DiffusionPreparationOptions;

/// A prepared diffusion series, and what was done to it.
struct PreparedLayer {
  LayerPtr layer;
  preparation::PreparedDiffusion prepared;  ///< without its series
};
/// Keyed by the series and the field map scans.
using PreparedLayerMemo = Memo<std::vector<Identity>, std::shared_ptr<const PreparedLayer>>;

/// What is kept from run to run.
struct FiberMemos {
  PreparedModelMemo models{kPreparedModels};
  PreparedLayerMemo scans;
};

/// What is written in addition.
struct FiberOutputOptions {
  bool functions = false;

  template <class Visit>
  void describe(Visit&& visit) {
    visit(functions, advanced(toggleOption("functions", "Functions as an image",
                                           "Also the fitted functions, as spherical harmonics in the "
                                           "convention of MRtrix, as Tracts reads them.")));
  }
};

/// The options of the run without those of the preparation and of what is written.
fibers::FiberOptions fiberOptions(OptionValues values) {
  for (const OptionInfo& option : describeOptions<DiffusionPreparationOptions>()) values.erase(option.name);
  for (const OptionInfo& option : describeOptions<FiberOutputOptions>()) values.erase(option.name);
  return optionsFrom<fibers::FiberOptions>(values);
}
/// Those of the given values that belong to Options.
template <class Options>
Options ownOptions(const OptionValues& values) {
  OptionValues own;
  for (const OptionInfo& option : describeOptions<Options>())
    if (const auto found = values.find(option.name); found != values.end()) own.insert(*found);
  return optionsFrom<Options>(own);
}
bool isToBePrepared(const OptionValues& values) {
  return ownOptions<DiffusionPreparationOptions>(values).prepare ==
         DiffusionPreparationOptions::Prepare::automatic;
}

const VolumeLayer* seriesIn(const AnalysisInputs& inputs, const std::string& slot) {
  const Layer* layer = layerOf(inputs, slot);
  return layer ? &volumeOf(*layer, slot) : nullptr;
}

/// The image to fit: the series, coefficients or tensors; null without any.
const std::shared_ptr<const Series<float>>& fittedImage(const fibers::FiberInput& input) {
  if (input.dwi) return input.dwi;
  return input.sh ? input.sh : input.tensor;
}

/// The given images, without the mask: enough to determine what a run would use, without copying.
fibers::FiberInput imagesOf(const AnalysisInputs& inputs) {
  fibers::FiberInput input;
  if (const auto* dwi = seriesIn(inputs, "dwi")) {
    input.dwi = dwi->series;
    input.gradients = dwi->gradients;
  }
  if (const Layer* sh = layerOf(inputs, "sh"); sh && isFunctionAlone(*sh))
    input.tensor = std::get<PeaksLayer>(sh->content).tensor;  // it was read from harmonics
  else if (sh)
    input.sh = volumeOf(*sh, "sh").series;
  if (const auto* tensor = seriesIn(inputs, "tensor")) input.tensor = tensor->series;
  return input;
}

void requireUsableGradients(const AnalysisInputs& inputs, const fibers::FiberInput& input) {
  if (input.dwi && input.gradients.empty() && !input.gradients.source.empty())
    throw Error("The gradients of '" + layerOf(inputs, "dwi")->name + "' cannot be used",
                input.gradients.source,
                "correct them, or give others ({bval} and {bvec}, or {grad})"_message);
}

/// All inputs; findFibers reports what does not go together.
fibers::FiberInput fiberInput(const AnalysisInputs& inputs) {
  fibers::FiberInput input = imagesOf(inputs);
  requireUsableGradients(inputs, input);
  input.mask = maskIn(inputs);
  if (const Layer* response = layerOf(inputs, "response")) input.response = fibers::responseRows(*response);
  if (const Layer* response = layerOf(inputs, "response-gm"))
    input.responseGm = fibers::responseRows(*response);
  if (const Layer* response = layerOf(inputs, "response-csf"))
    input.responseCsf = fibers::responseRows(*response);
  return input;
}

/// The true peaks, or null. Throws Error if what was given cannot be compared with a result on `grid`.
const Series<float>* truthOf(const AnalysisInputs& inputs, const Grid& grid) {
  const Layer* layer = layerOf(inputs, "truth");
  if (!layer) return nullptr;
  const auto* truth = std::get_if<PeaksLayer>(&layer->content);
  if (!truth || isFunctionAlone(*layer))
    throw Error("'" + layer->name + "' cannot be used as truth", "it holds " + kindWithArticle(*layer),
                "give true fiber directions as a peaks image");
  requireTruthOn(grid, truth->peaks->grid, "image");
  return truth->peaks.get();
}

/// Adds the volumes of the tissues, their fractions, and the voxels of the responses.
void addTissues(fibers::FiberMaps& maps, std::vector<Layer>& layers) {
  const std::vector<std::string> names{"white matter", "gray matter", "CSF"};
  const Grid grid = maps.volumes.grid;
  Series<float> fractions(grid, maps.volumes.count);
  for (std::int64_t i = 0; i < fractions.grid.voxels(); ++i) {
    float sum = 0;
    for (int t = 0; t < fractions.count; ++t) sum += maps.volumes.at(i, t);
    for (int t = 0; t < fractions.count; ++t) fractions.at(i, t) = sum > 0 ? maps.volumes.at(i, t) / sum : 0;
  }
  layers.push_back(mapLayer("fractions", "", "viridis", std::move(fractions)));
  layers.back().display.range = Range{0, 1};
  layers.push_back(mapLayer("volumes", "", "viridis", std::move(maps.volumes)));
  layers.back().display.range = Range{0, 1};
  for (auto layer = layers.end() - 2; layer != layers.end(); ++layer)
    std::get<VolumeLayer>(layer->content).volumeNames = names;
  if (maps.tissueVoxels.empty()) return;
  Volume<Label> labels(grid);
  for (std::size_t t = 0; t < maps.tissueVoxels.size(); ++t)
    for (const auto voxel : maps.tissueVoxels[t]) labels.values[std::size_t(voxel)] = Label(t) + 1;
  Layer voxels = labelsLayer("response_voxels", std::make_shared<const Volume<Label>>(std::move(labels)));
  voxels.notes = {"1 white matter, 2 gray matter, 3 CSF"};
  layers.push_back(std::move(voxels));
}

std::vector<Layer> fiberLayers(fibers::FiberMaps& maps) {
  const Grid grid = maps.count.grid;
  // An apparent diffusion coefficient of order 2 is a diffusion tensor.
  const bool isDiffusionTensor =
      maps.tensor.count == tensorEntries(2) &&
      (maps.model == fibers::FiberModel::adc || maps.model == fibers::FiberModel::tensor);
  std::vector<Layer> diffusion;
  if (isDiffusionTensor) diffusion = diffusionMaps(maps.tensor);
  Layer peaks;
  peaks.name = "peaks";
  peaks.content = PeaksLayer{std::make_shared<const Series<float>>(std::move(maps.peaks)),
                             std::make_shared<const Series<float>>(std::move(maps.tensor))};
  std::vector<Layer> layers;
  layers.push_back(std::move(peaks));
  layers.push_back(mapLayer("amplitude", "", "viridis", Series<float>(std::move(maps.amplitude))));
  layers.push_back(mapLayer("count", "", "viridis", Series<float>(std::move(maps.count))));
  layers.back().display.interpolate = false;
  layers.push_back(mapLayer("anisotropy", "", "gray", Series<float>(std::move(maps.anisotropy))));
  layers.back().display.range = Range{0, 1};
  layers.push_back(mapLayer("residual", "", "magma", Series<float>(std::move(maps.residual))));
  layers.push_back(mapLayer("iterations", "", "magma", Series<float>(std::move(maps.iterations))));
  std::move(diffusion.begin(), diffusion.end(), std::back_inserter(layers));
  if (maps.volumes.count > 0) addTissues(maps, layers);
  if (!maps.responseVoxels.empty()) {
    Mask voxels(grid);
    for (const auto voxel : maps.responseVoxels) voxels.values[std::size_t(voxel)] = 1;
    layers.push_back(maskLayer("response_voxels", voxels));
  }
  // Warnings are also shown with the peaks.
  for (Note& warning : warningsIn(maps.notes)) layers.front().notes.push_back(std::move(warning));
  return layers;
}

/// Adds the response of a deconvolution as a file and a curve.
void addResponse(const fibers::FiberMaps& maps, RunResult& result) {
  constexpr const char* kFiles[] = {"response.txt", "response_gm.txt", "response_csf.txt"};
  for (std::size_t t = 0; t < maps.tissueResponses.size(); ++t)
    if (!maps.tissueResponses[t].empty())
      result.files.push_back({kFiles[t], fibers::tissueResponseText(maps.tissueResponses[t], maps.shells)});
  if (!maps.tissueResponses.empty())
    result.plots.push_back(fibers::tissueResponsePlot(maps.tissueResponses, maps.shells));
  if (maps.response.empty()) return;
  result.files.push_back({"response.txt", fibers::responseText(maps.response, maps.b)});
  result.plots.push_back(fibers::responsePlot(maps.response, maps.b));
}

PreparedModelKey preparedModelKey(const AnalysisInputs& inputs, const fibers::FiberOptions& options) {
  PreparedModelKey key{{}, fibers::preparedModelOptions(options)};
  for (const auto& [slot, layer] : inputs)
    if (slot != "truth") key.inputs.emplace_back(slot, layer);
  return key;
}

/// The prepared model of a run, or that of an earlier one if it depends on the same inputs.
PreparedModelMemo::Answer preparedModelOf(PreparedModelMemo& memo, const AnalysisInputs& inputs,
                                          const fibers::FiberInput& input,
                                          const fibers::FiberOptions& options, const Progress& progress) {
  return memo(preparedModelKey(inputs, options), [&] {
    return std::make_shared<const fibers::PreparedFiberModel>(
        fibers::prepareFibers(input, options, progress));
  });
}

/// The inputs with the prepared diffusion series, and what was done; null if nothing is to be prepared.
std::shared_ptr<const PreparedLayer> prepareScan(FiberMemos& memos, AnalysisInputs& inputs,
                                                 const OptionValues& values, const Progress& progress) {
  const auto dwi = inputs.find("dwi");
  if (dwi == inputs.end() || !isToBePrepared(values)) return nullptr;
  std::vector<Identity> key{Identity(dwi->second)};
  for (const char* slot : {kFieldmapSlot, kAnatomySlot}) {
    const auto [begin, end] = inputs.equal_range(slot);
    for (auto input = begin; input != end; ++input) key.emplace_back(input->second);
  }
  const auto answer = memos.scans(key, [&] {
    auto made = std::make_shared<PreparedLayer>();
    const VolumeLayer& volume = volumeOf(*dwi->second, "dwi");
    made->prepared = preparation::prepareDiffusion(
        {volume.series, volume.gradients, fieldScansIn(inputs, *dwi->second), phaseAxisOf(*dwi->second)},
        progress);
    auto layer = std::make_shared<Layer>(*dwi->second);
    auto& content = std::get<VolumeLayer>(layer->content);
    content.series = std::move(made->prepared.dwi);
    content.gradients = std::move(made->prepared.gradients);
    made->layer = std::move(layer);
    return std::shared_ptr<const PreparedLayer>(std::move(made));
  });
  dwi->second = answer.value->layer;
  return answer.value;
}

/// Adds the findings of the preparation, and the prepared series.
void addPreparation(RunResult& result, const PreparedLayer& made) {
  const preparation::PreparedDiffusion& prepared = made.prepared;
  Layer series = *made.layer;
  series.name = "prepared_dwi";
  series.source.clear();
  series.display.visible = false;
  result.layers.push_back(std::move(series));
  if (!prepared.motion.empty())
    result.layers.push_back(tableLayer("prepared_motion", preparation::motionTable(prepared)));
  const auto addMap = [&](const char* name, const char* unit, const auto& map) {
    if (!map) return;
    Layer layer = preparation::fieldLayer(name, *map);
    layer.unit = unit;
    result.layers.push_back(std::move(layer));
  };
  addMap("prepared_fieldmap", "Hz", prepared.field);
  addMap("prepared_noise", "", prepared.noise);
  addMap("prepared_rank", "components", prepared.rank);
  addMap("prepared_dwiref", made.layer->unit.c_str(), prepared.unweighted);
  if (prepared.mask) result.layers.push_back(maskLayer("prepared_mask", *prepared.mask));
  for (Plot& plot : preparation::diffusionPlots(prepared)) result.plots.push_back(std::move(plot));
}

RunResult runFibers(fibers::FindFibers* find, const std::shared_ptr<FiberMemos>& memos, AnalysisInputs inputs,
                    const OptionValues& values, const Progress& whole, const Analysis::Preview&) {
  constexpr double kPreparation = 0.5;  // fraction of a run
  const auto options = fiberOptions(values);
  requireUsableGradients(inputs, imagesOf(inputs));
  const auto prepared = prepareScan(*memos, inputs, values, whole.part(0, kPreparation, "prepare"));
  const Progress progress = whole.part(prepared ? kPreparation : 0, 1, "");
  constexpr double kPrepared = 0.1;  // fraction of a run
  fibers::FiberInput input = fiberInput(inputs);
  if (const auto& image = fittedImage(input)) truthOf(inputs, image->grid);
  const auto preparedModel = preparedModelOf(memos->models, inputs, input, options,
                                             progress.part(0, kPrepared, fibers::kResponseStage));
  input.preparedModel = preparedModel.value;
  fibers::FiberMaps maps = find(input, options, progress.part(preparedModel.recalled ? 0 : kPrepared, 1, ""));
  RunResult result;
  if (prepared)
    result.notes = prepared->prepared.notes;
  else if (layerOf(inputs, kFieldmapSlot))
    result.notes.emplace_back(kFieldmapUnused);
  result.notes.insert(result.notes.end(), maps.notes.begin(), maps.notes.end());
  if (preparedModel.recalled && (!maps.response.empty() || !maps.tissueResponses.empty()))
    result.notes.emplace_back(
        "The response and the simulated crossings are those of an earlier run of this scan; the time they "
        "took then is included here.");
  result.stages = std::move(maps.stages);
  if (prepared)
    result.stages.insert(result.stages.begin(), prepared->prepared.stages.begin(),
                         prepared->prepared.stages.end());
  for (StageTime& stage : result.stages)
    if (stage.name == fibers::kResponseStage) stage.seconds += preparedModel.seconds;
  result.items = double(maps.voxels);
  result.itemName = "voxels";
  addResponse(maps, result);
  result.layers = fiberLayers(maps);
  if (ownOptions<FiberOutputOptions>(values).functions) {
    result.layers.push_back(
        functionLayer("functions", std::get<PeaksLayer>(result.layers.front().content).tensor));
    result.layers.back().display.visible = false;
  }
  if (prepared) addPreparation(result, *prepared);
  return result;
}

/// A single slice, analyzed with the results for the whole scan.
AnalysisInputs inSlice(FiberMemos& memos, const AnalysisInputs& given, const OptionValues& values,
                       const SliceInView& slice, const Progress& progress) {
  AnalysisInputs inputs = given;
  prepareScan(memos, inputs, values, progress);
  PreparedModelMemo& memo = memos.models;
  const auto options = fiberOptions(values);
  const fibers::FiberInput input = fiberInput(inputs);
  const auto& image = fittedImage(input);
  AnalysisInputs cut = withSlice(inputs, input.mask.get(), image->grid, slice);
  if (cut.empty()) return {};
  auto ofSlice = std::make_shared<fibers::PreparedFiberModel>(
      *preparedModelOf(memo, inputs, input, options, progress).value);
  const auto mask = maskIn(cut);
  std::erase_if(ofSlice->plan.voxels, [&](std::int64_t i) { return !mask->values[std::size_t(i)]; });
  if (ofSlice->plan.voxels.empty()) return {};
  memo(preparedModelKey(cut, options), [&] { return ofSlice; });
  if (const auto dwi = cut.find("dwi"); dwi != cut.end()) dwi->second = given.find("dwi")->second;
  return cut;
}

const Series<float>& peaksOf(const RunResult& result) {
  return *std::get<PeaksLayer>(result.layers.front().content).peaks;
}

std::string validate(const AnalysisInputs& inputs, const OptionValues& values) {
  const fibers::FiberInput input = imagesOf(inputs);
  const auto& image = fittedImage(input);
  if (!image) return {};
  requireUsableGradients(inputs, input);
  for (const char* slot : {"mask", "truth"}) requireOn(inputs, slot, image->grid, "image");
  return fibers::validateFibers(input, fiberOptions(values));
}

MemoryNeed memory(const AnalysisInputs& inputs, const OptionValues& values) {
  try {
    const fibers::FiberInput input = imagesOf(inputs);
    const auto options = fiberOptions(values);
    constexpr double kSeriesInPreparation = 5;  // realigned, predicted, expected, filled, and its output
    const double preparation =
        input.dwi && isToBePrepared(values) ? kSeriesInPreparation * 4 * double(input.dwi->values.size()) : 0;
    return {std::max(preparation, double(fibers::fiberHostBytes(input, options))),
            gpu::fibers::fiberDeviceBytes(input, options)};
  } catch (const Error&) {
    return {};  // inputs and options are not yet consistent: a run would say why
  }
}

Comparison compare(const RunResult& a, const RunResult& b, const Progress& progress) {
  return comparePeaks(peaksOf(a), peaksOf(b), kPeakTolerance, progress);
}

std::vector<AgreementRow> compareWithTruth(const RunResult& result, const AnalysisInputs& inputs,
                                           const Progress& progress) {
  const auto& peaks = peaksOf(result);
  const auto* truth = truthOf(inputs, peaks.grid);
  return truth ? comparePeaksWithTruth(peaks, *truth, progress) : std::vector<AgreementRow>{};
}

AnalysisInputs phantomLayers(const phantom::FibersPhantom& phantom) {
  Layer dwi, truth;
  dwi.name = "crossing fibers";
  dwi.content = VolumeLayer{phantom.dwi, phantom.gradients, 0, {}};
  // Without weighting: a dark gray, on which glyphs stand out.
  const auto unweighted = phantom.dwi->volume(0);
  dwi.display.range = Range{0, 4 * automaticRange({unweighted.data, std::size_t(unweighted.voxels())}).high};
  truth.name = "true fibers";
  truth.content = PeaksLayer{phantom.truth, nullptr};
  truth.display.visible = false;
  AnalysisInputs inputs;
  give(inputs, "dwi", std::move(dwi));
  give(inputs, "mask", maskLayer("mask", *phantom.mask));
  give(inputs, "truth", std::move(truth));
  return inputs;
}

AnalysisInputs demo(const OptionValues& values) {
  return phantomLayers(phantom::makeFibersPhantom(optionsFrom<phantom::FibersPhantomOptions>(values)));
}

AnalysisInputs phantomOf(const AnalysisInputs& given, const OptionValues& values) {
  return phantomLayers(
      phantom::makeFibersPhantom(optionsFrom<phantom::FibersPhantomOptions>(values), phantomTissueIn(given)));
}

/// "Flip gradients along x", "Exchange x and y of the gradients, flip z"
std::string remedyOf(const AxisChange& change) {
  const char* const names[] = {"x", "y", "z"};
  std::string exchanged, flipped;
  for (int i = 0; i < 3; ++i) {
    if (change.source[i] != i) exchanged += (exchanged.empty() ? "" : ", ") + std::string(names[i]);
    if (change.sign[i] < 0) flipped += names[i];
  }
  if (exchanged.empty()) return "Flip gradients along " + flipped;
  return "Exchange " + exchanged + " of the gradients" + (flipped.empty() ? "" : ", flip " + flipped);
}

/// Checks whether the directions of a diffusion series fit its image.
std::optional<Finding> checkDirections(const Layer& layer, const Progress& progress) {
  if (!isDiffusion(layer)) return std::nullopt;
  const auto& scan = std::get<VolumeLayer>(layer.content);
  fibers::GradientCheck check;
  try {
    check = fibers::checkGradients(*scan.series, scan.gradients, progress);
  } catch (const Error&) {
    return std::nullopt;  // too few directions to tell
  }
  if (check.agrees) return std::nullopt;
  const AxisChange& best = check.ranked.front().change;
  return Finding{check.recommendation, remedyOf(best), {kAxesReinterpretation + axesText(best)}};
}

std::vector<InputSlot> slots() {
  constexpr const char* kOneOf = "diffusion";
  return {
      {"dwi", "Diffusion series", "Diffusion-weighted series with its gradients", false, isDiffusion, false,
       kOneOf, true},
      advanced(InputSlot{"sh", "SH image",
                         "Spherical-harmonic coefficients, one per volume, instead of a diffusion series",
                         false, [](const Layer& layer) { return isSeries(layer) || isFunctionAlone(layer); },
                         false, kOneOf}),
      advanced(InputSlot{"tensor", "Tensor image",
                         "Symmetric tensors, one distinct entry per volume, instead of a diffusion series",
                         false, isSeries, false, kOneOf}),
      {"mask", "Mask", "Only nonzero voxels are analyzed; default: every voxel with signal", false, isMask,
       false, "", true, isSingleLabel, "dwi"},
      fieldmapSlot("prepare"),
      anatomySlot(),
      advanced(InputSlot{"response", "Response",
                         "Signal of a single fiber for csd, or of white matter for msmt, as MRtrix writes "
                         "it: a row of zonal "
                         "harmonics for each shell; default: estimated from the series",
                         false, isTable}),
      advanced(InputSlot{"response-gm", "Response of gray matter",
                         "For msmt, as MRtrix writes it; default: estimated from the series", false,
                         isTable}),
      advanced(InputSlot{"response-csf", "Response of CSF",
                         "For msmt, as MRtrix writes it; default: estimated from the series", false,
                         isTable}),
      advanced(
          InputSlot{"truth", "Truth", "True fiber directions as peaks, to measure the error against", false,
                    [](const Layer& layer) {
                      return std::holds_alternative<PeaksLayer>(layer.content) && !isFunctionAlone(layer);
                    }}),
  };
}

/// In each voxel, a system with as many equations as coefficients is solved, and its maxima are searched.
double fiberSeconds(const AnalysisInputs& inputs, const OptionValues& values) {
  constexpr double kSearch = 2e-5, kSolving = 3e-8, kSolvingTissues = 6e-7;
  const Layer* dwi = layerOf(inputs, "dwi");
  const auto* volume = dwi ? std::get_if<VolumeLayer>(&dwi->content) : nullptr;
  if (!volume) return 0;
  fibers::FiberInput input;
  input.dwi = volume->series;
  input.gradients = volume->gradients;
  const auto sizes = fibers::fiberSizes(input, fiberOptions(values));
  const double n = sizes.coefficients();
  constexpr double kPreparingValue = 4e-6;
  const double preparation =
      isToBePrepared(values) ? kPreparingValue * double(volume->series->values.size()) : 0;
  return preparation +
         voxelsIn(inputs, "dwi") * (kSearch + n * n * (sizes.tissues() > 0 ? kSolvingTissues : kSolving));
}

}  // namespace

Analysis fibersAnalysis() {
  Analysis fibers;
  fibers.name = "fibers";
  fibers.title = "Fibers";
  fibers.summary = "Directions of nerve fibers in each voxel of a diffusion scan, including crossing fibers";
  fibers.inputs = slots();
  fibers.options = describeOptions<fibers::FiberOptions>();
  for (const OptionInfo& option : describeOptions<DiffusionPreparationOptions>())
    fibers.options.push_back(option);
  for (const OptionInfo& option : describeOptions<FiberOutputOptions>()) fibers.options.push_back(option);
  fibers.outputs = {"peaks",
                    "functions*",
                    "amplitude",
                    "count",
                    "anisotropy",
                    "residual",
                    "iterations",
                    "fractions*",
                    "volumes*",
                    "response_voxels",
                    "response",
                    "response_gm*",
                    "response_csf*",
                    "fa*",
                    "md*",
                    "ad*",
                    "rd*",
                    "prepared_dwi*",
                    "prepared_motion*",
                    "prepared_fieldmap*",
                    "prepared_noise*",
                    "prepared_rank*",
                    "prepared_dwiref*",
                    "prepared_mask*"};
  const auto memos = std::make_shared<FiberMemos>();
  fibers.cpu = std::bind_front(runFibers, fibers::findFibers, memos);
  fibers.gpu = std::bind_front(runFibers, gpu::fibers::findFibers, memos);
  fibers.inSlice = [memos](const AnalysisInputs& inputs, const OptionValues& values, const SliceInView& slice,
                           const Progress& progress) {
    return inSlice(*memos, inputs, values, slice, progress);
  };
  fibers.advice = validate;
  fibers.check = checkDirections;
  fibers.seconds = fiberSeconds;
  fibers.study = fibersStudy();
  fibers.memory = memory;
  fibers.compare = compare;
  fibers.compareWithTruth = compareWithTruth;
  fibers.demoTitle = "crossing fibers";
  fibers.demoOptions = describeOptions<phantom::FibersPhantomOptions>();
  fibers.demo = demo;
  fibers.demoSidecar = [](const OptionValues& values) -> std::map<std::string, std::string> {
    // Eddy currents are corrected only along a known axis.
    if (!(optionsFrom<phantom::FibersPhantomOptions>(values).eddy > 0)) return {};
    return {{"PhaseEncodingDirection", "j"}};
  };
  fibers.phantomInputs = {phantomTissueSlot()};
  fibers.phantomOf = phantomOf;
  return fibers;
}

}  // namespace sulcus::app::analyses
