#include "app/cli/commands.h"
#include "app/cli/progress.h"
#include "app/cli/report.h"
#include "app/cli/scan.h"
#include "app/cli/usage.h"
#include "core/analysis/agreement.h"
#include "core/analysis/value_agreement.h"
#include "core/base/error.h"
#include "core/base/printable.h"
#include "core/fibers/peak_agreement.h"
#include "core/image/harmonics_image.h"
#include "core/io/file_json.h"

#include <cmath>
#include <iostream>
#include <optional>

#include <CLI/CLI.hpp>

namespace sulcus::app::cli {
namespace {

using nlohmann::ordered_json;

struct CompareRequest {
  std::string a, b;
  std::optional<double> tolerance;
  double relative = 0;
};

struct Verdict {
  std::vector<std::string> reasons;  ///< why they differ, apart from the rows
  std::vector<AgreementRow> rows;
};

/// The values of a volume, series, labels or displacement layer, one volume after the other.
std::vector<float> valuesOf(const Layer& layer) {
  if (const auto* volume = std::get_if<VolumeLayer>(&layer.content)) return volume->series->values;
  if (const auto* field = std::get_if<DisplacementLayer>(&layer.content)) return field->displacement->values;
  if (const auto* peaks = std::get_if<PeaksLayer>(&layer.content))
    return isFunctionAlone(layer) ? peaks->tensor->values : peaks->peaks->values;
  const auto& labels = std::get<LabelsLayer>(layer.content).labels->values;
  return {labels.begin(), labels.end()};
}

/// Points against points where the triangles are the same, and scalars that both have.
Verdict compareMeshes(const Mesh& a, const Mesh& b, const CompareRequest& request) {
  Verdict verdict;
  const auto size = [](const Mesh& mesh) {
    return std::to_string(mesh.points.size()) + " points and " + std::to_string(mesh.triangles.size()) +
           " triangles";
  };
  if (a.points.size() != b.points.size() || a.triangles.size() != b.triangles.size()) {
    verdict.reasons.push_back("Sizes differ: " + size(a) + ", and " + size(b) + ".");
    return verdict;
  }
  if (a.triangles != b.triangles) {
    verdict.reasons.emplace_back(
        "The triangles join other points: only surfaces with the same triangles are "
        "compared, point by point.");
    return verdict;
  }
  const double tolerance = request.tolerance.value_or(0);
  std::vector<double> distances;
  for (std::size_t i = 0; i < a.points.size(); ++i) distances.push_back(norm(a.points[i] - b.points[i]));
  verdict.rows.push_back(summarized("point", "mm", std::move(distances), 0, tolerance, 1));
  for (const auto& [name, values] : a.pointScalars) {
    const auto other = b.pointScalars.find(name);
    if (other == b.pointScalars.end()) continue;
    const auto agreement = valueAgreement(name, "", values, other->second, tolerance, request.relative);
    verdict.rows.push_back(agreement.difference);
    if (agreement.oneSided > 0)
      verdict.reasons.push_back(std::to_string(agreement.oneSided) + " values of '" + name +
                                "' are finite in one file only.");
  }
  return verdict;
}

Verdict compareLayers(const Layer& a, const Layer& b, const CompareRequest& request) {
  Verdict verdict;
  const auto *meshA = std::get_if<MeshLayer>(&a.content), *meshB = std::get_if<MeshLayer>(&b.content);
  if (meshA && meshB) return compareMeshes(*meshA->mesh, *meshB->mesh, request);
  if (meshA || meshB) {
    verdict.reasons.emplace_back("One is a surface, the other is not.");
    return verdict;
  }
  const Grid &gridA = *gridOf(a), &gridB = *gridOf(b);
  if (!(gridA.size == gridB.size)) {
    verdict.reasons.push_back("Sizes differ: " + describeGrid(gridA) + " and " + describeGrid(gridB) + ".");
    return verdict;
  }
  if (!sameGrid(gridA, gridB))
    verdict.reasons.push_back("The voxels lie at different places in scanner space.");
  const auto *peaksA = std::get_if<PeaksLayer>(&a.content), *peaksB = std::get_if<PeaksLayer>(&b.content);
  if (peaksA && peaksB && !isFunctionAlone(a) && !isFunctionAlone(b)) {
    verdict.rows = fibers::comparePeaks(*peaksA->peaks, *peaksB->peaks,
                                        request.tolerance.value_or(fibers::kPeakTolerance))
                       .rows;
    return verdict;
  }
  const auto valuesA = valuesOf(a), valuesB = valuesOf(b);
  if (valuesA.size() != valuesB.size()) {
    verdict.reasons.push_back("The numbers of volumes differ.");
    return verdict;
  }
  const auto agreement =
      valueAgreement("value", a.unit, valuesA, valuesB, request.tolerance.value_or(0), request.relative);
  verdict.rows = {agreement.difference, agreement.relative};
  if (agreement.oneSided > 0)
    verdict.reasons.push_back(std::to_string(agreement.oneSided) + " values are finite in one file only.");
  return verdict;
}

int compare(const CompareRequest& request, const Session& session) {
  if (!std::isfinite(request.tolerance.value_or(0)) || !std::isfinite(request.relative))
    throw Error("A tolerance is not finite", "no difference can be held against it", "give a number",
                ErrorKind::usage);
  Layer a, b;
  {
    ProgressDisplay display(session);
    const Progress progress = display.progress();
    a = openScanOrSurface(request.a, progress.part(0, 0.5, "read"));
    b = openScanOrSurface(request.b, progress.part(0.5, 1, "read"));
  }
  const Verdict verdict = compareLayers(a, b, request);
  bool agrees = verdict.reasons.empty();
  for (const auto& row : verdict.rows) agrees = agrees && row.agrees();
  if (session.json) {
    std::cout << io::jsonText(ordered_json{
        {"agrees", agrees}, {"reasons", verdict.reasons}, {"differences", toJson(verdict.rows)}});
  } else {
    if (!verdict.rows.empty()) std::cout << agreementTable(verdict.rows);
    for (const auto& reason : verdict.reasons) std::cout << printable(reason) << "\n";
    std::cout << (agrees ? "They agree.\n" : "They differ.\n");
  }
  return agrees ? exit_code::done : exit_code::differs;
}

}  // namespace

Command addCompare(CLI::App& program) {
  CLI::App* parser = program.add_subcommand("compare",
                                            "Holds two results against each other: peaks by angle, surfaces "
                                            "point by point, other images value by value. Exit code 0 when "
                                            "they agree within the tolerance, 1 when they differ");
  auto request = std::make_shared<CompareRequest>();
  parser->add_option("A", request->a, "An image or surface")->required();
  parser->add_option("B", request->b, "Another one on the same grid, or with the same triangles")->required();
  parser
      ->add_option("--tolerance", request->tolerance,
                   "Largest difference: degrees for peaks (default 0.1), mm for the points of surfaces, else "
                   "in the unit of the values (default 0)")
      ->type_name("X")
      ->check(notNegative("tolerance"));
  parser
      ->add_option("--relative", request->relative,
                   "Largest difference relative to the larger value, added to --tolerance (default 0)")
      ->type_name("X")
      ->check(notNegative("relative"));
  addTalkFlags(*parser);
  return {parser, [request](const Session& session) { return compare(*request, session); }};
}

}  // namespace sulcus::app::cli
