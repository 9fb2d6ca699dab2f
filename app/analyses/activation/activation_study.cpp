#include "app/analyses/activation/activation_study.h"

#include "app/analyses/preparation/field_inputs.h"
#include "app/analyses/preparation/preparation_report.h"
#include "core/bids/report/report_image.h"
#include "core/bids/report/slices.h"
#include "core/bids/results/outputs.h"
#include "core/bids/results/result_values.h"
#include "core/image/grids/value_check.h"
#include "core/io/streams/file_json.h"

#include <algorithm>
#include <array>
#include <set>

namespace sulcus::app::analyses {
namespace {

using namespace bids;

constexpr std::size_t kMostEffects = 4;  ///< pictures of one run

Name activationName(const Job& job, const std::string& stem, const std::string&, const std::string&) {
  const Name source = resultName(job);
  if (const auto name = preparedName(source, stem)) return *name;
  const auto cut = stem.find('_');
  static constexpr std::array kStatistics{"ppm", "lfdr", "shown", "mean", "sd",    "interval", "t",
                                          "z",   "f",    "hpd",   "norm", "draws", "effect",   "variance"};
  std::string statistic = stem.substr(0, cut);
  Name name = source;
  if (cut != stem.npos && std::find(kStatistics.begin(), kStatistics.end(), statistic) != kStatistics.end())
    name = name.with("contrast", stem.substr(cut + 1));
  else
    statistic = stem;
  if (statistic == "mask") return described(source, "analyzed", "mask");
  // The posterior mean is the effect in this participant; the value not shrunk by a prior is the estimate.
  if (statistic == "effect")
    statistic = "estimate";
  else if (statistic == "mean")
    statistic = "effect";
  name = name.with("stat", statistic);
  name.suffix = "statmap";
  return name;
}

/// The effects of interest of a run: not the mean, drifts and confounds.
std::vector<std::string> effectsOf(const RunResult& result, const AnalysisInputs& inputs) {
  std::set<std::string> others{"intercept"};
  if (const auto found = inputs.find("confounds"); found != inputs.end())
    if (const auto* table = std::get_if<TableLayer>(&found->second->content))
      others.insert(table->columns.begin(), table->columns.end());
  const auto isDrift = [](const std::string& name) {
    const auto digits = name.find_first_of("0123456789");
    const std::string word = name.substr(0, digits);
    return digits != name.npos && (word == "cosine" || word == "drift");
  };
  std::vector<std::string> effects;
  for (const Layer& layer : result.layers)
    if (layer.name.starts_with("shown_"))
      if (const std::string name = layer.name.substr(6); !others.count(name) && !isDrift(name))
        effects.push_back(name);
  return effects;
}

std::vector<Figure> activationFigures(const RunResult& result, const AnalysisInputs& inputs) {
  const auto json = jsonFile(result, "diagnostics.json");
  const auto effects = effectsOf(result, inputs);
  const auto shown = json.value("shown", nlohmann::ordered_json::array());
  std::vector<Figure> figures;
  for (auto row = shown.rbegin(); row != shown.rend(); ++row) {  // contrasts before single regressors
    const std::string contrast = row->value("contrast", "");
    if (std::find(effects.begin(), effects.end(), contrast) != effects.end())
      figures.push_back(
          {"shown_" + contrast, "voxels", "Significant voxels of " + contrast, numberAt(*row, {"voxels"})});
  }
  figures.push_back({"largest_rhat", "", "Largest R-hat of a voxel: near 1 when the chains agree",
                     numberAt(json, {"voxel_maps", "largest_rhat"})});
  figures.push_back(
      {"median_ess", "draws", "Effective number of draws", numberAt(json, {"voxel_maps", "median_ess"})});
  const auto variances = valuesOf(result, "sigma2");
  figures.push_back({"median_sigma2", "", "Variance of the noise", medianWhere(variances, variances)});
  const auto ofPreparation = preparationFigures(result);
  figures.insert(figures.end(), ofPreparation.begin(), ofPreparation.end());
  return figures;
}

std::vector<ReportPicture> activationPictures(const RunResult& result, const AnalysisInputs& inputs) {
  const ReportImage first = inputImage(inputs, "bold");
  if (!first) return {};
  const auto gray = grays(first.values());
  const auto object = visibleIn(first);
  std::vector<ReportPicture> pictures = preparationPictures(result, inputs, "bold");
  std::size_t effects = 0;
  for (const auto& effect : effectsOf(result, inputs)) {
    const ReportImage shown = imageOf(layerNamed(result, "shown_" + effect)),
                      value = imageOf(layerNamed(result, "mean_" + effect));
    if (!shown || !value || !sameGrid(shown.grid(), first.grid()) || effects == kMostEffects) continue;
    ++effects;
    const auto color = [&](std::int64_t i) {
      const float voxel = shown[i], size = value[i];
      if (!isSound(voxel) || voxel == 0) return gray(i);
      return blended(gray(i), size < 0 ? Color{60, 140, 255} : Color{255, 120, 20}, 0.8);
    };
    pictures.push_back(
        {"Where the effect " + effect + " is shown (orange: above 0, blue: below) over the first volume.",
         slices(first.grid(), color, object)});
  }
  return pictures;
}

}  // namespace

std::shared_ptr<const bids::StudyTraits> activationStudy() {
  StudyTraits study;
  study.scans = {"bold", "bold", "func", "bold"};
  study.scans.companions = {"events", "confounds", "mask", "fieldmap", kAnatomySlot};
  study.scans.spaces = {"MNI152NLin2009cAsym", "MNI152NLin6Asym", "T1w", ""};
  study.scans.joined = {"bold", "events", "confounds"};
  study.layerName = activationName;
  study.figures = activationFigures;
  study.pictures = activationPictures;
  return std::make_shared<const StudyTraits>(std::move(study));
}

}  // namespace sulcus::app::analyses
