#include "core/bids/figures.h"

#include "core/image/grids/value_check.h"
#include "core/io/streams/file_json.h"
#include "core/math/statistics.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <set>

namespace sulcus::bids {
namespace {

/// The values of the volume layer of this name; none where there is no such layer.
std::span<const float> valuesOf(const RunResult& result, const std::string& name) {
  for (const Layer& layer : result.layers)
    if (const auto* volume = std::get_if<VolumeLayer>(&layer.content); volume && layer.name == name)
      return volume->series->values;
  return {};
}

/// Median of the sound values for which `counts` is above 0.
double medianWhere(std::span<const float> values, std::span<const float> counts) {
  std::vector<float> kept;
  for (std::size_t i = 0; i < values.size() && i < counts.size(); ++i)
    if (counts[i] > 0 && isSound(values[i])) kept.push_back(values[i]);
  return kept.empty() ? NAN : double(upperMedian(kept));
}

std::vector<Figure> fiberFigures(const RunResult& result) {
  const auto counts = valuesOf(result, "count");
  double some = 0, several = 0;
  for (const float count : counts) some += count >= 1, several += count >= 2;
  return {{"voxels_with_fibers", "", "Voxels where at least one fiber was found", some},
          {"crossing_share", "", "Of those the share with more than one", some > 0 ? several / some : NAN},
          {"median_anisotropy", "", "Fractional anisotropy where fibers were found",
           medianWhere(valuesOf(result, "anisotropy"), counts)},
          {"median_residual", "", "Misfit of the model where fibers were found",
           medianWhere(valuesOf(result, "residual"), counts)}};
}

/// The number at a path in the JSON file of a result; NaN where there is none.
double numberAt(const nlohmann::ordered_json& json, const std::vector<const char*>& path) {
  const nlohmann::ordered_json* at = &json;
  for (const char* key : path) {
    if (!at->is_object() || !at->contains(key)) return NAN;
    at = &(*at)[key];
  }
  return at->is_number() ? at->get<double>() : NAN;
}

nlohmann::ordered_json jsonFile(const RunResult& result, const std::string& name) {
  for (const auto& file : result.files)
    if (file.name == name) return io::parseJson(file.text, name);
  return nlohmann::ordered_json::object();
}

std::vector<Figure> activationFigures(const RunResult& result, const AnalysisInputs& inputs) {
  const auto json = jsonFile(result, "diagnostics.json");
  std::vector<Figure> figures{
      {"largest_rhat", "", "Largest R-hat of a voxel: near 1 when the chains agree",
       numberAt(json, {"voxel_maps", "largest_rhat"})},
      {"median_ess", "draws", "Effective number of draws", numberAt(json, {"voxel_maps", "median_ess"})}};
  const auto variances = valuesOf(result, "sigma2");
  figures.push_back({"median_sigma2", "", "Variance of the noise", medianWhere(variances, variances)});
  const auto effects = effectsOf(result, inputs);
  for (const auto& row : json.value("shown", nlohmann::ordered_json::array())) {
    const std::string contrast = row.value("contrast", "");
    if (std::find(effects.begin(), effects.end(), contrast) != effects.end())
      figures.push_back(
          {"shown_" + contrast, "voxels", "Voxels where this effect is shown", numberAt(row, {"voxels"})});
  }
  return figures;
}

std::vector<Figure> registrationFigures(const RunResult& result) {
  const auto json = jsonFile(result, "report.json");
  return {
      {"correlation_before", "", "Correlation with the reference after the pre-alignment",
       numberAt(json, {"prealigned", "correlation"})},
      {"correlation", "", "Correlation with the reference after the deformation",
       numberAt(json, {"deformed", "correlation"})},
      {"smallest_j", "", "Smallest volume ratio of a voxel", numberAt(json, {"smallest_j"})},
      {"folded_cells", "", "Cells between voxels that fold", numberAt(json, {"folded_cells"})},
      {"mean_log_j", "", "Mean logarithm of the volume ratio", numberAt(json, {"mean_log_j"})},
      {"sd_log_j", "", "Its standard deviation", numberAt(json, {"sd_log_j"})},
      {"largest_displacement", "mm", "Longest displacement", numberAt(json, {"largest_displacement_mm"})}};
}

std::vector<Figure> surfaceFigures(const RunResult& result) {
  const auto json = jsonFile(result, "report.json");
  return {
      {"area", "mm²", "Area of the denoised surface", numberAt(json, {"surface", "area_mm2"})},
      {"volume", "mm³", "Volume inside of it", numberAt(json, {"surface", "volume_mm3"})},
      {"components", "", "Pieces of it", numberAt(json, {"surface", "components"})},
      {"handles", "", "Handles of it", numberAt(json, {"surface", "handles"})},
      {"volume_change", "%", "Of the volume, by the denoising", numberAt(json, {"volume_change_percent"})},
      {"mean_distance", "mm", "Between the surface before and after",
       numberAt(json, {"distance_to_input_mm", "mean"})}};
}

}  // namespace

std::string shownValue(double value) {
  if (!std::isfinite(value)) return "–";
  const bool isLarge = std::abs(value) >= 1000 && std::abs(value) < 1e9;
  char text[32];
  std::snprintf(text, sizeof text, isLarge ? "%.0f" : "%.4g", value);
  return text;
}

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

std::vector<Figure> keyFigures(const RunResult& result, const AnalysisInputs& inputs) {
  const std::string& analysis = result.provenance.analysis;
  std::vector<Figure> figures{{result.itemName, "", "How many were worked on", result.items}};
  const auto own = analysis == "fibers"         ? fiberFigures(result)
                   : analysis == "activation"   ? activationFigures(result, inputs)
                   : analysis == "registration" ? registrationFigures(result)
                   : analysis == "surface"      ? surfaceFigures(result)
                                                : std::vector<Figure>{};
  figures.insert(figures.end(), own.begin(), own.end());
  figures.push_back({"seconds", "s", "Computing time", result.seconds});
  return figures;
}

}  // namespace sulcus::bids
