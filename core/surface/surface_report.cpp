#include "core/surface/surface_report.h"

#include "core/analysis/agreement.h"
#include "core/base/figure.h"
#include "core/base/json_text.h"
#include "core/base/parallel/parallel_for.h"
#include "core/base/sentence.h"
#include "core/levelset/signed_distance.h"

#include <algorithm>
#include <cmath>
#include <sstream>

namespace sulcus::surface {
namespace {

std::string measuresJson(const levelset::MeshMeasures& m) {
  return JsonObject(4)
      .number("area_mm2", m.area)
      .number("volume_mm3", m.volume)
      .number("mean_curvature_per_mm", m.meanCurvature)
      .number("mean_absolute_curvature_per_mm", m.meanAbsoluteCurvature)
      .number("components", m.components)
      .number("cavities", m.cavities)
      .number("handles", m.handles)
      .number("euler_number", double(m.euler))
      .done();
}

std::string distanceJson(const SurfaceDistance& d) {
  return JsonObject(4)
      .number("mean", d.mean)
      .number("percentile95", d.percentile95)
      .number("hausdorff", d.hausdorff)
      .done();
}

std::string iterationsJson(const std::vector<SurfaceIteration>& iterations) {
  std::vector<std::string> list;
  for (const auto& i : iterations)
    list.push_back(JsonObject(0)
                       .count("pass", i.pass)
                       .count("iteration", i.iteration)
                       .number("energy_mm2", i.energy)
                       .number("change_mm", i.change)
                       .done());
  return jsonList(list, 4);
}

double percentChange(double from, double to) { return from == 0 ? 0 : 100 * (to - from) / from; }

std::string shapeText(const levelset::MeshMeasures& m) {
  return counted(m.components, "component") + ", " + counted(m.cavities, "cavity", "cavities") + ", " +
         counted(m.handles, "handle");
}

std::string scaleText(double scale) { return std::isfinite(scale) ? text(scale, " mm²") : "off"; }

/// A whole number, or three significant digits if that is longer.
std::string sizeText(double value) { return std::abs(value) < 100 ? text(value) : fixedText(value, 0); }

}  // namespace

std::vector<double> symmetricDistances(const Mesh& a, const Mesh& b, const Progress& progress) {
  const Progress part = progress.part(0, 0, "Distances");
  std::vector<double> all, others;
  parallelInvoke({[&] { all = levelset::distancesTo(b, a.points, part); },
                  [&] { others = levelset::distancesTo(a, b.points, part); }},
                 progress);
  all.insert(all.end(), others.begin(), others.end());
  return all;
}

SurfaceDistance surfaceDistance(const Mesh& a, const Mesh& b, const Progress& progress) {
  const AgreementRow row = summarized("", "", symmetricDistances(a, b, progress), 0, 0, 0);
  return {row.mean, row.percentile95, row.maximum};
}

std::string surfaceJson(const DenoisedSurface& denoised) {
  const SurfaceResult& result = denoised.result;
  JsonObject json;
  json.number("band_voxels", double(result.search->band.count()))
      .number("neighbours", result.search->neighbors.count)
      .number("c1_mm2", result.flow.c1)
      .number("c2_mm2", result.flow.c2)
      .raw("iterations", iterationsJson(result.flow.iterations))
      .raw("input_surface", measuresJson(denoised.inputMeasures))
      .raw("surface", measuresJson(denoised.measures))
      .number("volume_change_percent", percentChange(denoised.inputMeasures.volume, denoised.measures.volume))
      .raw("distance_to_input_mm", distanceJson(denoised.moved));
  if (const auto& truth = denoised.truth)
    json.raw("true_surface", measuresJson(truth->measures))
        .raw("distance_to_truth_mm", distanceJson(truth->denoised))
        .raw("distance_of_input_to_truth_mm", distanceJson(truth->input));
  return json.done() + "\n";
}

Notes surfaceSummary(const DenoisedSurface& denoised) {
  const levelset::MeshMeasures &before = denoised.inputMeasures, &after = denoised.measures;
  const SurfaceFlow& flow = denoised.result.flow;
  Notes notes{
      text("Area ", sizeText(before.area), " → ", sizeText(after.area), " mm², volume ",
           sizeText(before.volume), " → ", sizeText(after.volume), " mm³ (", std::showpos,
           percentChange(before.volume, after.volume), " %)."),
      text("Before: ", shapeText(before), "; after: ", shapeText(after), "."),
      text("Surface displacement: mean ", denoised.moved.mean, " mm, 95th percentile ",
           denoised.moved.percentile95, " mm, maximum ", denoised.moved.hausdorff, " mm (symmetric)."),
      text(flow.iterations.size(), " iterations; c1 ", scaleText(flow.c1), ", c2 ", scaleText(flow.c2), ".")};
  if (const auto& truth = denoised.truth)
    notes.push_back(
        text("Mean distance to the true surface ", truth->input.mean, " → ", truth->denoised.mean, " mm."));
  return notes;
}

}  // namespace sulcus::surface
