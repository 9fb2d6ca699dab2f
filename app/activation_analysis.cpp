#include "app/activation_analysis.h"

#include "app/activation_inputs.h"
#include "app/input_layers.h"
#include "core/activation/activation_charts.h"
#include "core/activation/activation_maps.h"
#include "core/activation/contrasts.h"
#include "core/activation/diagnostics.h"
#include "core/activation/gibbs_problem.h"
#include "core/base/error.h"
#include "core/phantom/activation_phantom.h"
#include "gpu/activation/activation.h"

#include <chrono>
#include <sstream>

namespace sulcus::app {
namespace {

using Clock = std::chrono::steady_clock;

using ResultPtr = std::shared_ptr<const ActivationResult>;

const ActivationResult& posteriorOf(const RunResult& result) {
  return *static_cast<const ActivationResult*>(result.source.get());
}

/// Layers as they are with other values of the options that may be changed afterwards.
auto adjuster(const ResultPtr& posterior, const OptionValues& ran) {
  return [posterior, ran](const OptionValues& changed, const Progress& progress) {
    OptionValues values = changed;
    values.insert(ran.begin(), ran.end());
    return contrastLayers(*posterior, activationOptionsFrom(values), progress);
  };
}

RunResult run(AnalyzeActivation& analyze, const AnalysisInputs& inputs, const OptionValues& values,
              const Progress& progress, const Analysis::Preview& preview) {
  const auto options = activationOptionsFrom(values);
  ActivationInput input = activationInput(inputs, designOptionsFrom(values));
  // What could not be used after the draws is refused before them.
  allContrasts(options.contrast, input.design.names);
  truthFrom(inputs, input.bold->grid);
  if (options.saveDraws) drawBytes(input.design.regressors(), samplingOf(options), input.bold->grid);
  if (preview)
    input.preview = [&](const ActivationResult& soFar) { preview(activationLayers(soFar, options), {}); };
  const auto posterior =
      std::make_shared<const ActivationResult>(analyze(input, options, progress.part(0, 0.9, "")));

  RunResult result;
  const auto begun = Clock::now();
  result.layers = activationLayers(*posterior, options, progress.part(0.9, 1, "maps"));
  const auto diagnostics = diagnose(*posterior);
  result.files.push_back({"diagnostics.json", diagnosticsJson(*posterior, diagnostics)});
  result.notes = posterior->notes;
  if (const auto warning = convergenceWarning(*posterior, diagnostics)) result.notes.push_back(*warning);
  result.stages = posterior->stages;
  result.stages.push_back({"layers", std::chrono::duration<double>(Clock::now() - begun).count()});
  result.items = double(posterior->count());
  result.itemName = "voxels";
  result.plots = activationPlots(posterior);
  result.adjust = adjuster(posterior, values);
  result.source = posterior;
  return result;
}

Analysis::Run runner(AnalyzeActivation& analyze) {
  return [&analyze](const AnalysisInputs& inputs, const OptionValues& values, const Progress& progress,
                    const Analysis::Preview& preview) {
    return run(analyze, inputs, values, progress, preview);
  };
}

Comparison compare(const RunResult& a, const RunResult& b, const Progress& progress) {
  const auto options = activationOptionsFrom(a.provenance.parameters);
  return compareActivation(posteriorOf(a), posteriorOf(b), options.gamma, options.probability, progress);
}

std::vector<AgreementRow> compareWithTruth(const RunResult& result, const AnalysisInputs& inputs,
                                           const Progress& progress) {
  return compareActivationWithTruth(posteriorOf(result), truthFrom(inputs, posteriorOf(result).grid),
                                    progress);
}

std::vector<Plot> inputPlots(const AnalysisInputs& inputs, const OptionValues& values) {
  try {
    return {designPlot(designFrom(inputs, designOptionsFrom(values)))};
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
Layer tableLayer(std::string name, const std::string& rowsAre, const std::vector<std::string>& rows,
                 const std::vector<std::string>& columns, const Eigen::MatrixXd& values) {
  TableLayer table;
  if (!rows.empty()) table.columns.push_back(rowsAre);
  table.columns.insert(table.columns.end(), columns.begin(), columns.end());
  for (Eigen::Index i = 0; i < values.rows(); ++i) {
    auto& row = table.rows.emplace_back();
    if (!rows.empty()) row.push_back(rows[std::size_t(i)]);
    for (Eigen::Index j = 0; j < values.cols(); ++j) {
      std::ostringstream number;
      number.precision(9);
      number << values(i, j);
      row.push_back(number.str());
    }
  }
  Layer layer;
  layer.name = std::move(name);
  layer.content = std::move(table);
  layer.display.visible = false;
  return layer;
}

AnalysisInputs demo(const OptionValues& values) {
  const auto phantom = makeActivationPhantom(optionsFrom<ActivationPhantomOptions>(values));
  AnalysisInputs inputs;
  const auto add = [&](const char* slot, Layer layer) { give(inputs, slot, std::move(layer)); };
  Layer bold = volumeLayer("activation with known truth", phantom.bold);
  std::get<VolumeLayer>(bold.content).secondsPerVolume = phantom.secondsPerVolume;
  bold.display.visible = true;
  add("bold", std::move(bold));
  const auto regressors = Eigen::Index(phantom.design.names.size()) - 1;
  add("design", tableLayer("design", "", {}, {phantom.design.names.begin() + 1, phantom.design.names.end()},
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
  add("truth", tableLayer("true_delta", "covariate", covariates, phantom.design.names, phantom.delta));
  add("truth",
      tableLayer("true_vbeta", "regressor", phantom.design.names, phantom.design.names, phantom.vBeta));
  return inputs;
}

}  // namespace

Analysis activationAnalysis() {
  Analysis activation;
  activation.name = "activation";
  activation.title = "Activation";
  activation.summary =
      "Where the brain responds in a functional scan, with the probability of each effect (Bayesian "
      "multilevel "
      "analysis)";
  activation.inputs = activationSlots();
  activation.options = activationOptions();
  activation.presets = {
      {"paper",
       "priors and scope of Ferreira da Silva (2010) and its R package: one chain, each slice "
       "by itself, V = ν I",
       paperActivation()}};
  activation.outputs = {"ppm_*", "mean_*", "sd_*",  "interval_*", "hpd_*",   "sigma2",     "rhat",
                        "ess",   "delta",  "vbeta", "mask",       "draws_*", "diagnostics"};
  activation.cpu = runner(analyzeActivation);
  activation.gpu = runner(gpu::analyzeActivation);
  activation.advice = adviseActivation;
  activation.memory = activationMemory;
  activation.inputPlots = inputPlots;
  activation.compare = compare;
  activation.compareWithTruth = compareWithTruth;
  activation.demoTitle = "activation with known truth";
  activation.demoOptions = describeOptions<ActivationPhantomOptions>();
  activation.demo = demo;
  return activation;
}

}  // namespace sulcus::app
