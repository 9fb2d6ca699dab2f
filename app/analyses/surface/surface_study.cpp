#include "app/analyses/surface/surface_study.h"

#include "core/bids/report/report_image.h"
#include "core/bids/report/slices.h"
#include "core/bids/results/outputs.h"
#include "core/bids/results/result_values.h"
#include "core/io/streams/file_json.h"

#include <algorithm>
#include <functional>

namespace sulcus::app::analyses {
namespace {

using namespace bids;

/// White matter, as probabilities or as a mask; any image except a scan if a filter requests something else.
bool isObject(const Name& name, const Filter& filter) {
  if (filter.count("suffix") + filter.count("desc") + filter.count("label") > 0) return name.suffix != "T1w";
  return name.label("label") == "WM" && (name.suffix == "probseg" || name.suffix == "mask");
}

Name surfaceName(const Job& job, const std::string& stem, const std::string& extension, const std::string&) {
  const Name source = resultName(job);
  if (extension == ".vtp") return described(source, stem == "surface" ? "denoised" : stem, "surface");
  if (stem == "mask") return described(source, "denoised", "mask");
  return described(source, stem, "levelset");
}

std::vector<Figure> surfaceFigures(const RunResult& result, const AnalysisInputs&) {
  const auto json = jsonFile(result, "report.json");
  return {
      {"area", "mm²", "Area of the denoised surface", numberAt(json, {"surface", "area_mm2"})},
      {"volume", "mm³", "Volume inside it", numberAt(json, {"surface", "volume_mm3"})},
      {"components", "", "Pieces of it", numberAt(json, {"surface", "components"})},
      {"handles", "", "Handles of it", numberAt(json, {"surface", "handles"})},
      {"volume_change", "%", "Change of volume by the denoising", numberAt(json, {"volume_change_percent"})},
      {"mean_distance", "mm", "Distance between the surfaces before and after",
       numberAt(json, {"distance_to_input_mm", "mean"})}};
}

std::vector<ReportPicture> surfacePictures(const RunResult& result, const AnalysisInputs& inputs) {
  const ReportImage given = inputImage(inputs, "image"), image = given ? given : inputImage(inputs, "mask"),
                    phi = imageOf(layerNamed(result, "phi"));
  if (!image || !phi || !sameGrid(image.grid(), phi.grid())) return {};
  std::vector<float> inside(phi.values().size());
  std::transform(phi.values().begin(), phi.values().end(), inside.begin(), std::negate<>());
  const auto gray = grays(image.values());
  const auto edge = edges({inside.data(), phi.grid().size}, 0);
  return {{"The denoised surface in red over what it was made of.",
           slices(
               image.grid(),
               [&](std::int64_t i) {
                 return edge(i) ? Color{255, 40, 40} : gray(i);
               },
               visibleIn(image))}};
}

}  // namespace

std::shared_ptr<const bids::StudyTraits> surfaceStudy() {
  StudyTraits study;
  study.scans = {"surface", "image", "anat", "probseg"};
  study.scans.alternatives = {"mask", "mesh", "phi"};
  study.scans.accepts = isObject;
  study.scans.slotFor = [](const Name& name) { return name.suffix == "probseg" ? "image" : "mask"; };
  study.layerName = surfaceName;
  study.figures = surfaceFigures;
  study.pictures = surfacePictures;
  return std::make_shared<const StudyTraits>(std::move(study));
}

}  // namespace sulcus::app::analyses
