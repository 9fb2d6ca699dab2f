#include "app/analyses/activation/activation_analysis.h"

#include "app/analyses/activation/activation_inputs.h"
#include "app/analyses/activation/activation_study.h"
#include "app/analyses/activation/saved_draws_run.h"
#include "app/analyses/input_layers.h"
#include "app/analyses/preparation/field_inputs.h"
#include "app/analyses/run_support.h"
#include "core/activation/design/contrasts.h"
#include "core/activation/model/automatic_mask.h"
#include "core/activation/model/gibbs_problem.h"
#include "core/activation/results/activation_charts.h"
#include "core/activation/results/activation_maps.h"
#include "core/activation/sampler/diagnostics.h"
#include "core/base/error.h"
#include "core/base/memory/memo.h"
#include "core/base/numbers.h"
#include "core/base/stage_clock.h"
#include "core/image/display/layer_kinds.h"
#include "core/phantom/activation_phantom.h"
#include "core/preparation/preparation_charts.h"
#include "gpu/activation/activation.h"
#include "gpu/preparation/preparation.h"

#include <algorithm>
#include <tuple>

namespace sulcus::app::analyses {
namespace {

using ResultPtr = std::shared_ptr<const activation::ActivationResult>;

/// What the preparation of a series depends on: the slice timing, and the layers.
using PreparedKey = std::tuple<activation::SliceTiming, double, std::vector<Identity>>;
using PreparedMemo = Memo<PreparedKey, std::shared_ptr<const preparation::PreparedSeries>>;

/// Adds a warning to every map that it cannot be relied on.
void warn(std::vector<Layer>& layers, const std::optional<Note>& warning) {
  if (!warning) return;
  for (Layer& layer : layers)
    if (std::holds_alternative<VolumeLayer>(layer.content)) layer.notes.push_back(*warning);
}

/// The table `shown` among the layers of a run.
const TableLayer& shownTable(const std::vector<Layer>& layers) {
  const auto found =
      std::find_if(layers.begin(), layers.end(), [](const Layer& layer) { return layer.name == "shown"; });
  return std::get<TableLayer>(found->content);
}

/// The layers for other values of the options that can be changed on a finished result.
auto adjuster(const ResultPtr& posterior, const OptionValues& ran, const std::optional<Note>& warning) {
  return [posterior, ran, warning](const OptionValues& changed, const Progress& progress) {
    OptionValues values = changed;
    values.insert(ran.begin(), ran.end());
    const auto options = activationOptionsFrom(values);
    std::vector<Layer> layers = contrastLayers(*posterior, options, progress);
    warn(layers, warning);
    for (auto& note : activation::checkContrasts(options.contrast, posterior->design))
      layers.front().notes.push_back(std::move(note));
    return layers;
  };
}

/// The functions of one processor.
struct OnProcessor {
  activation::AnalyzeActivation& analyze;
  preparation::PreparationSteps preparing;
  std::shared_ptr<PreparedMemo> prepared = std::make_shared<PreparedMemo>();
};

/// The motion-corrected series, if requested; kept, so that changing another option does not repeat the work.
std::optional<PreparedBold> prepared(const OnProcessor& processor, const AnalysisInputs& inputs,
                                     const OptionValues& values, const Progress& progress) {
  const auto options = preparationOptionsFrom(values);
  if (options.prepare == preparation::PreparationOptions::Prepare::off) return {};
  const auto design = designOptionsFrom(values);
  PreparedKey key{design.sliceTiming, design.tr, {}};
  for (const char* slot : {"bold", "design", "events", kFieldmapSlot, kAnatomySlot}) {
    const auto [begin, end] = inputs.equal_range(slot);
    for (auto input = begin; input != end; ++input) std::get<2>(key).emplace_back(input->second);
  }
  const auto series = (*processor.prepared)(key, [&] {
                        return preparedBold(inputs, values, processor.preparing, progress)->series;
                      }).value;
  return PreparedBold{series, options.maxDisplacement};
}

/// Adds the motion estimates to a result.
void addPreparation(RunResult& result, const PreparedBold& prepared, const AnalysisInputs& inputs) {
  const auto& series = prepared.series;
  const Layer& bold = *layerOf(inputs, "bold");
  auto layers = preparation::preparedLayers(*series, volumeOf(bold, "bold").secondsPerVolume);
  std::move(layers.begin(), layers.end(), std::back_inserter(result.layers));
  Layer reference = preparation::fieldLayer("prepared_boldref", series->motion.mean);
  reference.unit = bold.unit;
  result.layers.push_back(std::move(reference));
  result.layers.push_back(maskLayer("prepared_mask", *series->mask));
  for (Plot& plot : preparation::preparationPlots(series)) result.plots.push_back(std::move(plot));
  result.notes.insert(result.notes.begin(), series->motion.notes.begin(), series->motion.notes.end());
  result.stages.insert(result.stages.begin(), series->motion.stages.begin(), series->motion.stages.end());
}

RunResult runActivation(const OnProcessor& processor, const AnalysisInputs& inputs,
                        const OptionValues& values, const Progress& whole, const Analysis::Preview& preview) {
  const auto options = activationOptionsFrom(values);
  const auto withoutMotion = prepared(processor, inputs, values, whole.part(0, 0.3, "prepare"));
  const Progress progress = withoutMotion ? whole.part(0.3, 1, "") : whole;
  activation::ActivationInput input =
      activationInput(inputs, designOptionsFrom(values), withoutMotion ? &*withoutMotion : nullptr);
  // Contrasts that could not be used after the draws are refused before them.
  const auto leftOut = activation::checkContrasts(options.contrast, input.design);
  truthFrom(inputs, input.bold->grid);
  if (options.saveDraws)
    activation::drawBytes(input.design.regressors(), activation::samplingOf(options), input.bold->grid);
  if (preview)
    input.preview = [&](const activation::ActivationResult& soFar) {
      preview(activationLayers(soFar, options), {});
    };
  const auto posterior = std::make_shared<const activation::ActivationResult>(
      processor.analyze(input, options, progress.part(0, 0.9, "")));

  RunResult result;
  const StageClock clock;
  result.layers = activationLayers(*posterior, options, progress.part(0.9, 1, "maps"));
  const auto diagnostics = activation::diagnose(*posterior);
  result.files.push_back(
      {"diagnostics.json", activation::diagnosticsJson(*posterior, diagnostics, shownTable(result.layers))});
  result.notes = posterior->notes;
  if (!withoutMotion && layerOf(inputs, kFieldmapSlot)) result.notes.emplace_back(kFieldmapUnused);
  result.notes.insert(result.notes.end(), leftOut.begin(), leftOut.end());
  const auto warning = activation::convergenceWarning(*posterior, diagnostics);
  if (warning) result.notes.push_back(*warning);
  for (const Layer& layer : result.layers)
    if (layer.name.starts_with("ppm_"))
      for (Note& warning : namedWarningsOf(layer)) result.notes.push_back(std::move(warning));
  warn(result.layers, warning);
  result.stages = posterior->stages;
  result.stages.push_back({"layers", clock.seconds()});
  result.items = double(posterior->count());
  result.itemName = "voxels";
  const double tr = designOptionsFrom(values).tr;
  result.plots = activation::activationPlots(
      posterior, tr > 0 ? tr : volumeOf(*inputs.find("bold")->second, "bold").secondsPerVolume);
  result.adjust = adjuster(posterior, values, warning);
  if (withoutMotion) addPreparation(result, *withoutMotion, inputs);
  result.source = posterior;
  return result;
}

Comparison compare(const RunResult& a, const RunResult& b, const Progress& progress) {
  const auto options = activationOptionsFrom(a.provenance.parameters);
  return compareActivation(a.source.as<activation::ActivationResult>(),
                           b.source.as<activation::ActivationResult>(), options.gamma, options.probability,
                           progress);
}

std::vector<AgreementRow> compareWithTruth(const RunResult& result, const AnalysisInputs& inputs,
                                           const Progress& progress) {
  const auto& posterior = result.source.as<activation::ActivationResult>();
  return compareActivationWithTruth(posterior, truthFrom(inputs, posterior.grid), progress);
}

using MaskMemo = Memo<Identity, std::shared_ptr<const Mask>>;

/// A single slice: Δ and V_β are then those of its voxels. An automatic mask is that of the whole scan.
AnalysisInputs inSlice(MaskMemo& memo, const AnalysisInputs& inputs, const OptionValues& values,
                       const SliceInView& slice, const Progress& progress) {
  if (activationOptionsFrom(values).slice > 0) return {};  // the run is already restricted to one slice
  const LayerPtr& scan = inputs.find("bold")->second;
  const auto& series = *volumeOf(*scan, "bold").series;
  auto mask = maskIn(inputs);
  if (!mask)
    mask = memo(scan, [&] {
             return std::make_shared<const Mask>(activation::automaticMask(series, progress));
           }).value;
  return withSlice(inputs, mask.get(), series.grid, slice);
}

std::vector<Plot> inputPlots(const AnalysisInputs& inputs, const OptionValues& values) {
  try {
    return {activation::designPlot(designFrom(inputs, designOptionsFrom(values)))};
  } catch (const Error&) {
    return {};  // a run would say why
  }
}

/// The regressors by the names used in contrasts.
std::vector<std::string> regressorNames(const AnalysisInputs& inputs, const OptionValues& values) {
  try {
    const activation::Design design = designFrom(inputs, designOptionsFrom(values));
    return design.given.size() == design.names.size() ? design.given : design.names;
  } catch (const Error&) {
    return {};  // a run would say why
  }
}

Layer volumeLayer(std::string name, std::shared_ptr<const Series<float>> series) {
  Layer layer;
  layer.name = std::move(name);
  layer.content = VolumeLayer{std::move(series), {}, 0, {}};
  layer.display.visible = false;
  return layer;
}

/// Values as a table, with a column of row names first.
Layer matrixLayer(std::string name, const std::string& rowsAre, const std::vector<std::string>& rows,
                  const std::vector<std::string>& columns, const Eigen::MatrixXd& values) {
  TableLayer table;
  if (!rows.empty()) table.columns.push_back(rowsAre);
  table.columns.insert(table.columns.end(), columns.begin(), columns.end());
  for (Eigen::Index i = 0; i < values.rows(); ++i) {
    auto& row = table.rows.emplace_back();
    if (!rows.empty()) row.push_back(rows[std::size_t(i)]);
    for (Eigen::Index j = 0; j < values.cols(); ++j) row.push_back(nineDigits(values(i, j)));
  }
  return tableLayer(std::move(name), std::move(table));
}

AnalysisInputs phantomLayers(const phantom::ActivationPhantom& phantom) {
  AnalysisInputs inputs;
  const auto add = [&](const char* slot, Layer layer) { give(inputs, slot, std::move(layer)); };
  Layer bold = volumeLayer("activation with known truth", phantom.bold);
  std::get<VolumeLayer>(bold.content).secondsPerVolume = phantom.secondsPerVolume;
  bold.display.visible = true;
  add("bold", std::move(bold));
  const auto regressors = Eigen::Index(phantom.design.names.size()) - 1;
  add("design", matrixLayer("design", "", {}, {phantom.design.names.begin() + 1, phantom.design.names.end()},
                            phantom.design.matrix.rightCols(regressors)));

  add("mask", maskLayer("mask", *phantom.mask));

  for (int t = 0; t < phantom.tissue->count; ++t) {
    const auto map = phantom.tissue->volume(t);
    Volume<float> one(phantom.tissue->grid);
    std::copy(map.data, map.data + map.voxels(), one.values.begin());
    add("tissue", volumeLayer(phantom.tissueNames[std::size_t(t)],
                              std::make_shared<const Series<float>>(std::move(one))));
  }
  Layer beta = volumeLayer("true_beta", phantom.beta);
  std::get<VolumeLayer>(beta.content).volumeNames = phantom.design.names;
  add("truth", std::move(beta));
  add("truth", volumeLayer("true_sigma2", std::make_shared<const Series<float>>(*phantom.sigma2)));
  std::vector<std::string> covariates{"intercept"};
  covariates.insert(covariates.end(), phantom.tissueNames.begin(), phantom.tissueNames.end());
  add("truth", matrixLayer("true_delta", "covariate", covariates, phantom.design.names, phantom.delta));
  add("truth",
      matrixLayer("true_vbeta", "regressor", phantom.design.names, phantom.design.names, phantom.vBeta));
  return inputs;
}

/// Drawing a voxel takes time in proportion to its regressors, and much more if there are more than ten, like
/// those of a table of confounds. If draws continue until the chains agree, the estimate assumes the maximum.
double activationSeconds(const AnalysisInputs& inputs, const OptionValues& values) {
  constexpr double kRegressor = 4e-9, kMany = 5e-12;
  const auto options = activationOptionsFrom(values);
  const double k = designFrom(inputs, designOptionsFrom(values)).regressors();
  const double draws = options.draws > 0 ? options.draws : activation::kMostDraws;
  return voxelsIn(inputs, "bold") * options.chains * draws * (k * kRegressor + k * k * k * k * kMany);
}

AnalysisInputs demo(const OptionValues& values) {
  return phantomLayers(
      phantom::makeActivationPhantom(optionsFrom<phantom::ActivationPhantomOptions>(values)));
}

AnalysisInputs phantomOf(const AnalysisInputs& given, const OptionValues& values) {
  return phantomLayers(phantom::makeActivationPhantom(optionsFrom<phantom::ActivationPhantomOptions>(values),
                                                      phantomTissueIn(given)));
}

}  // namespace

Analysis activationAnalysis() {
  OptionValues paper = activation::paperActivation();
  paper.insert({"model-confounds", true});
  Analysis activation;
  activation.name = "activation";
  activation.title = "Activation";
  activation.summary =
      "Where the brain responds in a functional scan, with the probability of each effect (Bayesian "
      "multilevel "
      "analysis)";
  activation.inputs = activationSlots();
  activation.options = activationOptions();
  activation.presets = {{"paper",
                         "priors and scope of Ferreira da Silva (2010) and its R package: one chain, each "
                         "slice separately, V = ν I",
                         paper}};
  activation.outputs = {"ppm_*",
                        "lfdr_*",
                        "shown_*",
                        "shown",
                        "mean_*",
                        "sd_*",
                        "interval_*",
                        "effect_*",
                        "variance_*",
                        "t_*",
                        "z_*",
                        "f_*",
                        "norm_*",
                        "hpd_*",
                        "sigma2",
                        "rhat",
                        "ess",
                        "delta",
                        "vbeta",
                        "mask",
                        "draws_*",
                        "diagnostics",
                        "prepared_bold*",
                        "prepared_confounds*",
                        "prepared_fieldmap*",
                        "prepared_boldref*",
                        "prepared_mask*"};
  activation.cpu =
      std::bind_front(runActivation, OnProcessor{activation::analyzeActivation, preparation::kOnProcessor});
  activation.gpu = std::bind_front(
      runActivation, OnProcessor{gpu::activation::analyzeActivation, gpu::preparation::kOnDevice});
  const auto memo = std::make_shared<MaskMemo>();
  activation.inSlice = [memo](const AnalysisInputs& inputs, const OptionValues& values,
                              const SliceInView& slice, const Progress& progress) {
    return inSlice(*memo, inputs, values, slice, progress);
  };
  activation.advice = validateActivation;
  activation.reopen = reopenActivation;
  activation.seconds = activationSeconds;
  activation.study = activationStudy();
  activation.memory = activationMemory;
  activation.inputPlots = inputPlots;
  activation.weightNames = regressorNames;
  activation.compare = compare;
  activation.compareWithTruth = compareWithTruth;
  activation.demoTitle = "activation with known truth";
  activation.demoOptions = describeOptions<phantom::ActivationPhantomOptions>();
  activation.demo = demo;
  activation.phantomInputs = {phantomTissueSlot()};
  activation.phantomOf = phantomOf;
  return activation;
}

}  // namespace sulcus::app::analyses
