#include "app/cli/commands.h"
#include "app/cli/progress.h"
#include "app/cli/report.h"
#include "app/cli/scan.h"
#include "app/cli/usage.h"
#include "core/analysis/layer_agreement.h"
#include "core/base/error.h"
#include "core/base/sanitized.h"
#include "core/image/display/layer_kinds.h"
#include "core/io/streams/file_json.h"

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

void printJson(const Comparison& verdict, const Layer& a, const Layer& b) {
  ordered_json json{{"agrees", verdict.agrees()},
                    {"reasons", verdict.reasons},
                    {"differences", toJson(verdict.rows)},
                    {"warnings", ordered_json::array()}};
  for (const Layer* layer : {&a, &b})
    for (const Note& warning : namedWarningsOf(*layer)) json["warnings"].push_back(warning);
  for (const auto& warning : verdict.warnings) json["warnings"].push_back(warning);
  std::cout << io::jsonText(json);
}

void print(const Comparison& verdict, const CliContext& session) {
  if (!session.quiet)
    for (const auto& warning : verdict.warnings) std::cerr << sanitizedForDisplay(warning.line()) << "\n";
  if (!verdict.rows.empty()) std::cout << agreementTable(verdict.rows);
  for (const auto& reason : verdict.reasons) std::cout << sanitizedForDisplay(reason) << "\n";
  std::cout << (verdict.agrees() ? "They agree.\n" : "They differ.\n");
}

int compare(const CompareRequest& request, const CliContext& session) {
  if (!std::isfinite(request.tolerance.value_or(0)) || !std::isfinite(request.relative))
    throw Error("A tolerance is not finite", "no difference can be compared with it", "give a number",
                ErrorKind::usage);
  Layer a, b;
  Comparison verdict;
  {
    ProgressDisplay display(session);
    const Progress progress = display.progress();
    a = openScanOrSurface(request.a, progress.part(0, 0.3, "read"));
    b = openScanOrSurface(request.b, progress.part(0.3, 0.6, "read"));
    verdict = compareLayers(a, b, {request.tolerance, request.relative}, progress.part(0.6, 1, "compare"));
  }
  for (const Layer* layer : {&a, &b}) printWarnings(*layer, session);
  session.json ? printJson(verdict, a, b) : print(verdict, session);
  return verdict.agrees() ? exit_code::done : exit_code::differs;
}

}  // namespace

Command addCompare(CLI::App& program) {
  CLI::App* parser = program.add_subcommand(
      "compare",
      "Compares two results: peaks by angle, displacements "
      "by the length of their difference, labels by their overlap, "
      "surfaces point by point or by their distance, tracts point by point, other images value "
      "by value. Exit code 0 when they agree within the tolerance, 1 "
      "when they differ");
  auto request = std::make_shared<CompareRequest>();
  parser->add_option("A", request->a, "An image, surface or tracts")->required();
  parser->add_option("B", request->b, "Another one of its kind")->required();
  parser
      ->add_option(
          "--tolerance", request->tolerance,
          "Largest difference: degrees for peaks (default 0.1), mm for displacements, tracts and surfaces "
          "(whose triangles may differ then), else in the unit of the values (default 0)")
      ->type_name("X")
      ->check(notNegative("tolerance"));
  parser
      ->add_option("--relative", request->relative,
                   "Largest difference relative to the larger value, added to --tolerance (default 0)")
      ->type_name("X")
      ->check(notNegative("relative"));
  addTalkFlags(*parser);
  return {parser, [request](const CliContext& session) { return compare(*request, session); }};
}

}  // namespace sulcus::app::cli
