#include "app/analyses/tracts/tracts_study.h"

#include "core/bids/report/report_image.h"
#include "core/bids/report/slices.h"
#include "core/bids/results/outputs.h"
#include "core/bids/results/result_values.h"
#include "core/tracts/tracts.h"

#include <algorithm>

namespace sulcus::app::analyses {
namespace {

using namespace bids;

/// Functions or peaks from a study of fibers.
bool isDirections(const Name& name, const Filter&) {
  const std::string param = name.label("param");
  return name.suffix == "dwimap" && (param == "fod" || param == "peaks");
}

Name tractName(const Job& job, const std::string& stem, const std::string&, const std::string&) {
  const Name source = resultName(job);
  if (stem == "tracts") return described(source, "tracts", "tractogram");
  if (stem.starts_with("connectome")) return described(source, stem, "relmat");
  if (stem == "seeds") return described(source, "seeds", "report");
  return described(source, "lines-" + stem, "dwimap");
}

std::vector<Figure> tractFigures(const RunResult& result, const AnalysisInputs&) {
  if (!result.source.holds<tracts::TractResult>()) return {};
  const auto& found = result.source.as<tracts::TractResult>();
  const auto lines = double(found.tracts->lines());
  return {
      {"lines", "", "Lines that were kept", lines},
      {"kept_share", "", "Share of the seeds whose line was kept",
       lines / double(std::max<std::int64_t>(1, found.counts.seeds))},
      {"mean_points", "", "Points of a line", lines > 0 ? double(found.tracts->points.size()) / lines : 0}};
}

std::vector<ReportPicture> tractPictures(const RunResult& result, const AnalysisInputs&) {
  const ReportImage density = imageOf(layerNamed(result, "density"));
  if (!density) return {};
  return {{"Lines through each voxel.", slices(density.grid(), grays(density.values()), visibleIn(density))}};
}

}  // namespace

std::shared_ptr<const bids::StudyTraits> tractsStudy() {
  StudyTraits study;
  study.scans = {"dwimap", "peaks", "dwi", "dwimap"};
  study.scans.spaces = {"T1w", "ACPC", ""};
  study.scans.accepts = isDirections;
  study.scans.slotFor = [](const Name& name) {
    return std::string(name.label("param") == "fod" ? "fod" : "peaks");
  };
  study.layerName = tractName;
  study.figures = tractFigures;
  study.pictures = tractPictures;
  return std::make_shared<const StudyTraits>(std::move(study));
}

}  // namespace sulcus::app::analyses
