#include "app/analyses/fibers/fibers_study.h"

#include "app/analyses/preparation/field_inputs.h"
#include "app/analyses/preparation/preparation_report.h"
#include "core/bids/report/report_image.h"
#include "core/bids/report/slices.h"
#include "core/bids/results/outputs.h"
#include "core/bids/results/result_values.h"

#include <algorithm>
#include <cmath>

namespace sulcus::app::analyses {
namespace {

using namespace bids;

Name fiberName(const Job& job, const std::string& stem, const std::string&, const std::string& model) {
  const Name source = resultName(job);
  if (const auto name = preparedName(source, stem)) return *name;
  if (stem == "response_voxels") return described(source, "response", "dseg");
  Name name = source.with("model", model).with("param", stem);
  name.suffix = "dwimap";
  return name;
}

/// The model with which fibers were fitted: the requested one, or the one that `auto` chose.
std::string fiberModel(const RunResult& result) {
  const auto asked = result.provenance.parameters.find("model");
  if (asked != result.provenance.parameters.end() && formatOption(asked->second) != "auto")
    return formatOption(asked->second);
  if (layerNamed(result, "volumes")) return "msmt";
  const bool hasResponse = std::any_of(result.files.begin(), result.files.end(),
                                       [](const ResultFile& file) { return file.name == "response.txt"; });
  return hasResponse ? "csd" : "adc";
}

std::vector<Figure> fiberFigures(const RunResult& result, const AnalysisInputs&) {
  const auto counts = valuesOf(result, "count");
  double some = 0, several = 0;
  for (const float count : counts) some += count >= 1, several += count >= 2;
  std::vector<Figure> figures{
      {"voxels_with_fibers", "", "Voxels where at least one fiber was found", some},
      {"crossing_share", "", "Fraction of these with more than one", some > 0 ? several / some : NAN},
      {"median_anisotropy", "", "Fractional anisotropy where fibers were found",
       medianWhere(valuesOf(result, "anisotropy"), counts)},
      {"median_residual", "", "Misfit of the model where fibers were found",
       medianWhere(valuesOf(result, "residual"), counts)}};
  const auto ofPreparation = preparationFigures(result);
  figures.insert(figures.end(), ofPreparation.begin(), ofPreparation.end());
  return figures;
}

std::vector<ReportPicture> fiberPictures(const RunResult& result, const AnalysisInputs& inputs) {
  const Layer* layer = layerNamed(result, "peaks");
  const auto* found = layer ? std::get_if<PeaksLayer>(&layer->content) : nullptr;
  const ReportImage first = inputImage(inputs, "dwi");
  if (!found || !first || !sameGrid(found->peaks->grid, first.grid())) return {};
  const Series<float>& peaks = *found->peaks;
  const auto gray = grays(first.values());
  const auto color = [&](std::int64_t i) {
    const float x = peaks.at(i, 0), y = peaks.at(i, 1), z = peaks.at(i, 2);
    const float length = std::sqrt(x * x + y * y + z * z);
    if (!(length > 0)) return gray(i);
    const auto part = [&](float v) { return std::uint8_t(std::lround(255 * std::abs(v) / length)); };
    return blended(gray(i), {part(x), part(y), part(z)}, 0.65);
  };
  std::vector<ReportPicture> pictures = preparationPictures(result, inputs, "dwi");
  pictures.push_back(
      {"Directions of the largest fiber (red: left–right, green: front–back, blue: up–down) "
       "over the first volume.",
       slices(first.grid(), color, visibleIn(first))});
  return pictures;
}

}  // namespace

std::shared_ptr<const bids::StudyTraits> fibersStudy() {
  StudyTraits study;
  study.scans = {"dwi", "dwi", "dwi", "dwi"};
  study.scans.companions = {"mask", "fieldmap", kAnatomySlot};
  study.scans.spaces = {"T1w", "ACPC", ""};
  study.layerName = fiberName;
  study.modelOf = fiberModel;
  study.figures = fiberFigures;
  study.pictures = fiberPictures;
  return std::make_shared<const StudyTraits>(std::move(study));
}

}  // namespace sulcus::app::analyses
