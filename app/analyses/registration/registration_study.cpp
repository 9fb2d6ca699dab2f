#include "app/analyses/registration/registration_study.h"

#include "core/bids/report/report_image.h"
#include "core/bids/report/slices.h"
#include "core/bids/results/outputs.h"
#include "core/bids/results/result_values.h"
#include "core/image/grids/value_check.h"
#include "core/io/streams/file_json.h"
#include "core/math/statistics.h"
#include "core/math/strided_sample.h"

#include <algorithm>
#include <cmath>

namespace sulcus::app::analyses {
namespace {

using namespace bids;
using bids::imageOf;  // in addition to that of layers here

Name registrationName(const Job& job, const std::string& stem, const std::string&, const std::string&) {
  const Name source = resultName(job);
  Name transform = job.source().with("mode", "image");
  transform.suffix = "xfm";
  if (stem == "displacement") return transform.with("from", "T1w").with("to", job.reference);
  if (stem == "affine") return transform.with("from", "T1w").with("to", job.reference).with("desc", "affine");
  if (stem == "inverse") return transform.with("from", job.reference).with("to", "T1w");
  if (stem == "warped" || stem == "aligned") return described(source, stem, "T1w");
  return described(source, stem, "xfmmap");
}

std::vector<Figure> registrationFigures(const RunResult& result, const AnalysisInputs&) {
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

std::vector<ReportPicture> registrationPictures(const RunResult& result, const AnalysisInputs& inputs) {
  const ReportImage reference = inputImage(inputs, "reference"),
                    warped = imageOf(layerNamed(result, "warped")),
                    ratio = imageOf(layerNamed(result, "logjac"));
  if (!reference || !warped || !sameGrid(reference.grid(), warped.grid())) return {};
  const auto object = visibleIn(reference);
  std::vector<float> inside = stridedSample(
      reference.values(), [level = visibleLevel(reference)](float value) { return value > level; });
  const auto edge = edges(reference.volume(), inside.empty() ? 0.f : upperMedian(std::span(inside)));
  const auto gray = grays(warped.values());
  std::vector<ReportPicture> pictures;
  pictures.push_back({"The deformed image, with the edges of the reference in red.",
                      slices(
                          reference.grid(),
                          [&](std::int64_t i) {
                            return edge(i) ? blended(gray(i), {255, 30, 30}, 0.8) : gray(i);
                          },
                          object)});
  if (!ratio) return pictures;
  const auto below = grays(reference.values());
  pictures.push_back(
      {"Volume change over the reference: blue where the image had to shrink, red where it had to grow (full "
       "color: a factor of e).",
       slices(
           reference.grid(),
           [&](std::int64_t i) {
             const float log = ratio[i];
             return isSound(log)
                        ? blended(below(i), divergingColor(log), 0.2 + 0.6 * std::min(1.f, std::abs(log)))
                        : below(i);
           },
           object)});
  return pictures;
}

}  // namespace

std::shared_ptr<const bids::StudyTraits> registrationStudy() {
  StudyTraits study;
  study.scans = {"t1w", "template", "anat", "T1w"};
  study.scans.companions = {"lesion"};
  study.scans.ontoReference = true;
  study.layerName = registrationName;
  study.figures = registrationFigures;
  study.pictures = registrationPictures;
  return std::make_shared<const StudyTraits>(std::move(study));
}

}  // namespace sulcus::app::analyses
