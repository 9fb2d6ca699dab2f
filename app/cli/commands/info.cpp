#include "app/cli/commands.h"
#include "app/cli/fault.h"
#include "app/cli/progress.h"
#include "app/cli/report.h"
#include "app/cli/scan.h"
#include "app/cli/wrap.h"
#include "core/base/figure.h"
#include "core/base/sanitized.h"
#include "core/base/sentence.h"
#include "core/fibers/models/gradient_check.h"
#include "core/fibers/models/shells.h"
#include "core/image/diffusion/harmonics_image.h"
#include "core/image/grids/value_check.h"
#include "core/image/tracts/tract_measures.h"
#include "core/io/streams/file_json.h"
#include "core/levelset/mesh_measures.h"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <optional>
#include <utility>

#include <CLI/CLI.hpp>

namespace sulcus::app::cli {
namespace {

using nlohmann::ordered_json;

struct InfoRequest {
  std::vector<std::string> files;
  bool checkGradients = false;
  std::string series;
};

/// The real numbers of a layer, or null.
const std::vector<float>* numbersOf(const Layer& layer) {
  if (const auto* volume = std::get_if<VolumeLayer>(&layer.content)) return &volume->series->values;
  if (const auto* peaks = std::get_if<PeaksLayer>(&layer.content))
    return &(isFunctionAlone(layer) ? peaks->tensor : peaks->peaks)->values;
  const auto* field = std::get_if<DisplacementLayer>(&layer.content);
  return field ? &field->displacement->values : nullptr;
}

/// Smallest and largest finite value; none if there is no finite value.
std::optional<Range> extremes(const Layer& layer) {
  Range range{INFINITY, -INFINITY};
  const auto widen = [&](const auto& values) {
    for (const double value : values)
      if (std::isfinite(value)) range = {std::min(range.low, value), std::max(range.high, value)};
  };
  if (const auto* numbers = numbersOf(layer)) widen(*numbers);
  if (const auto* labels = std::get_if<LabelsLayer>(&layer.content)) widen(labels->labels->values);
  if (!(range.low <= range.high)) return std::nullopt;
  return range;
}

/// Smallest and largest coordinates, mm.
std::pair<Vec3<float>, Vec3<float>> boundsOf(const Mesh& mesh) {
  std::pair bounds(mesh.points.at(0), mesh.points.at(0));
  for (const auto& p : mesh.points)
    for (int i = 0; i < 3; ++i)
      bounds.first[i] = std::min(bounds.first[i], p[i]), bounds.second[i] = std::max(bounds.second[i], p[i]);
  return bounds;
}

void describeMesh(const Mesh& mesh, ordered_json& json) {
  const levelset::MeshMeasures measures = levelset::measuresOf(mesh);
  const auto [low, high] = boundsOf(mesh);
  json["points"] = mesh.points.size();
  json["triangles"] = mesh.triangles.size();
  json["openEdges"] = measures.openEdges;
  json["bounds"] = {{low.x, low.y, low.z}, {high.x, high.y, high.z}};
  json["area"] = measures.area;
  if (measures.openEdges == 0) {
    json["volume"] = measures.volume;
    json["components"] = measures.components;
    json["cavities"] = measures.cavities;
    json["handles"] = measures.handles;
  }
  json["scalars"] = ordered_json::array();
  for (const auto& [name, values] : mesh.pointScalars) {
    const Range range = automaticRange(values);
    json["scalars"].push_back({{"name", name}, {"range", {range.low, range.high}}});
  }
}

void describeTracts(const TractsLayer& layer, ordered_json& json) {
  const Tracts& tracts = *layer.tracts;
  const TractSummary summary = summaryOf(tracts);
  const auto [low, high] = boundsOf(tracts);
  json["lines"] = tracts.lines();
  json["points"] = tracts.points.size();
  json["length"] = {
      {"mean", summary.meanLength}, {"shortest", summary.shortest}, {"longest", summary.longest}};
  json["bounds"] = {{low.x, low.y, low.z}, {high.x, high.y, high.z}};
  for (const auto& [key, all] :
       {std::pair("perLine", &tracts.perLine), std::pair("perPoint", &tracts.perPoint)}) {
    json[key] = ordered_json::array();
    for (const auto& data : *all) json[key].push_back({{"name", data.name}, {"components", data.components}});
  }
  json["groups"] = ordered_json::array();
  for (const auto& group : tracts.groups)
    json["groups"].push_back({{"name", group.name}, {"lines", group.lines.size()}});
  if (!layer.scan) return;
  const Outside outside = outsideOf(tracts, *layer.scan);
  json["scan"] = {{"size", {layer.scan->size.x, layer.scan->size.y, layer.scan->size.z}},
                  {"orientation", orientationCode(*layer.scan)},
                  {"shareOutside", outside.share},
                  {"farthestOutside", outside.farthest}};
}

int volumesOf(const Layer& layer) {
  if (const auto* volume = std::get_if<VolumeLayer>(&layer.content)) return volume->series->count;
  if (const auto* peaks = std::get_if<PeaksLayer>(&layer.content))
    return (isFunctionAlone(layer) ? peaks->tensor : peaks->peaks)->count;
  if (const auto* field = std::get_if<DisplacementLayer>(&layer.content)) return field->displacement->count;
  return 1;
}

ordered_json gradientsJson(const GradientTable& table) {
  ordered_json json{{"source", table.source}, {"unweighted", unweightedVolumes(table).size()}};
  json["shells"] = ordered_json::array();
  for (const auto& shell : fibers::shells(table))
    json["shells"].push_back({{"b", shell.b}, {"directions", shell.volumes.size()}});
  return json;
}

ordered_json describe(const std::string& file, const Layer& layer) {
  ordered_json json{{"file", file}, {"kind", kindOf(layer)}};
  if (const Grid* grid = gridOf(layer)) {
    const auto spacing = grid->spacing();
    json["size"] = {grid->size.x, grid->size.y, grid->size.z};
    json["volumes"] = volumesOf(layer);
    json["spacing"] = {spacing.x, spacing.y, spacing.z};
    json["orientation"] = orientationCode(*grid);
    const auto& [m, t] = grid->worldFromVoxel;
    json["worldFromVoxel"] = {
        {m[0][0], m[0][1], m[0][2], t.x}, {m[1][0], m[1][1], m[1][2], t.y}, {m[2][0], m[2][1], m[2][2], t.z}};
  }
  if (const auto* surface = std::get_if<MeshLayer>(&layer.content)) describeMesh(*surface->mesh, json);
  if (const auto* lines = std::get_if<TractsLayer>(&layer.content)) describeTracts(*lines, json);
  if (!layer.unit.empty()) json["unit"] = layer.unit;
  if (const auto range = extremes(layer)) json["range"] = {range->low, range->high};
  if (const auto* numbers = numbersOf(layer)) {
    const ValueCheck check = checkValues(*numbers);
    json["nan"] = check.nan;
    json["infinite"] = check.infinite;
    json["huge"] = check.huge;
    json["constant"] = check.constant();
  }
  if (const auto* volume = std::get_if<VolumeLayer>(&layer.content)) {
    if (volume->secondsPerVolume > 0) json["secondsPerVolume"] = volume->secondsPerVolume;
    if (!volume->gradients.empty()) json["gradients"] = gradientsJson(volume->gradients);
  }
  json["notes"] = layer.notes;
  return json;
}

void printRow(const std::string& name, const std::string& text) {
  constexpr int column = 15;
  std::cout << "  " << name << std::string(std::size_t(column - 2 - displayWidth(name)), ' ')
            << wrapped(sanitizedForDisplay(text), 100 - column, column) << "\n";
}

template <class Shape>
void printBounds(const Shape& shape) {
  const auto [low, high] = boundsOf(shape);
  std::string bounds;
  for (int i = 0; i < 3; ++i)
    bounds += (i > 0 ? " × " : "") + shortNumber(low[i]) + " … " + shortNumber(high[i]);
  printRow("bounds", bounds + " mm");
}

void printMesh(const Mesh& mesh) {
  const levelset::MeshMeasures measures = levelset::measuresOf(mesh);
  printRow("size", counted(std::int64_t(mesh.points.size()), "point") + ", " +
                       counted(std::int64_t(mesh.triangles.size()), "triangle"));
  printBounds(mesh);
  const std::string area = "area " + shortNumber(measures.area) + " mm²";
  if (measures.openEdges > 0)
    printRow("shape",
             "open: " + counted(measures.openEdges, "edge") + " with no triangle on one side, " + area);
  else
    printRow("shape", "closed: " + counted(measures.components, "component") + ", " +
                          counted(measures.cavities, "cavity", "cavities") + ", " +
                          counted(measures.handles, "handle") + ", volume " + shortNumber(measures.volume) +
                          " mm³, " + area);
  std::string names;
  for (const auto& [name, values] : mesh.pointScalars) names += (names.empty() ? "" : ", ") + name;
  if (!names.empty()) printRow("scalars", names);
}

void printTracts(const TractsLayer& layer) {
  const Tracts& tracts = *layer.tracts;
  const TractSummary summary = summaryOf(tracts);
  printRow("size", counted(std::int64_t(tracts.lines()), "line") + ", " +
                       counted(std::int64_t(tracts.points.size()), "point"));
  printRow("length", shortNumber(summary.shortest) + " … " + shortNumber(summary.longest) + " mm, mean " +
                         shortNumber(summary.meanLength) + " mm");
  printBounds(tracts);
  const auto names = [](const auto& all) {
    std::vector<std::string> named;
    for (const auto& each : all) named.push_back(each.name);
    return joined(named, ", ");
  };
  if (!tracts.perLine.empty()) printRow("per line", names(tracts.perLine));
  if (!tracts.perPoint.empty()) printRow("per point", names(tracts.perPoint));
  std::vector<std::string> groups;
  for (const auto& group : tracts.groups)
    groups.push_back(group.name + " (" + std::to_string(group.lines.size()) + ")");
  if (!groups.empty()) printRow("groups", joined(groups, ", "));
}

void printGradients(const GradientTable& table) {
  const auto unweighted = unweightedVolumes(table).size();
  std::string text = counted(std::int64_t(unweighted), "volume") + " of b = 0";
  for (const auto& shell : fibers::shells(table))
    text +=
        ", " + std::to_string(shell.volumes.size()) + " directions of b = " + shortNumber(shell.b) + " s/mm²";
  printRow("gradients", text);
}

void print(const std::string& file, const Layer& layer) {
  std::cout << sanitizedForDisplay(file) << ": " << kindOf(layer) << "\n";
  if (const auto* surface = std::get_if<MeshLayer>(&layer.content)) printMesh(*surface->mesh);
  if (const auto* lines = std::get_if<TractsLayer>(&layer.content)) printTracts(*lines);
  if (const Grid* grid = gridOf(layer)) {
    const int volumes = volumesOf(layer);
    printRow("size", describeGrid(*grid) + (volumes > 1 ? ", " + std::to_string(volumes) + " volumes" : ""));
    printRow("orientation", orientationCode(*grid));
  }
  const std::string unit = layer.unit.empty() ? "" : " " + layer.unit;
  if (const auto range = extremes(layer)) {
    const auto number = [&](double value) {
      return std::holds_alternative<LabelsLayer>(layer.content) ? fixedText(value, 0) : shortNumber(value);
    };
    printRow("values", number(range->low) + " … " + number(range->high) + unit);
  }
  if (const auto* volume = std::get_if<VolumeLayer>(&layer.content)) {
    if (volume->secondsPerVolume > 0)
      printRow("time", shortNumber(volume->secondsPerVolume) + " s per volume");
    if (!volume->gradients.empty()) printGradients(volume->gradients);
  }
  for (std::size_t i = 0; i < layer.notes.size(); ++i) printRow(i == 0 ? "notes" : "", layer.notes[i]);
}

/// The check of the directions of a diffusion series; none for a layer without gradients.
std::optional<fibers::GradientCheck> gradientCheck(const Layer& layer, const Progress& progress) {
  const auto* volume = std::get_if<VolumeLayer>(&layer.content);
  if (!volume || volume->gradients.empty()) return std::nullopt;
  return fibers::checkGradients(*volume->series, volume->gradients, progress);
}

ordered_json toJson(const fibers::GradientCheck& check) {
  ordered_json json{{"agrees", check.agrees}, {"recommendation", check.recommendation}};
  for (const auto& change : check.ranked)
    json["ranked"].push_back({{"axes", change.description}, {"pathLength", change.pathLength}});
  return json;
}

/// Reads a file and prints its content; with --json as an entry of `list`.
void tell(const std::string& file, const InfoRequest& request, const CliContext& session,
          ordered_json& list) {
  Layer layer;
  std::optional<fibers::GradientCheck> check;
  {
    ProgressDisplay display(session);
    const Progress progress = display.progress();
    layer = openScanOrSurface(file, progress.part(0, 0.5, "read"), request.series);
    if (request.checkGradients) check = gradientCheck(layer, progress.part(0.5, 1, "check gradients"));
  }
  if (session.json) {
    list.push_back(describe(file, layer));
    if (check) list.back()["gradientCheck"] = toJson(*check);
  } else {
    print(file, layer);
    if (check) printRow("check", check->recommendation);
  }
}

/// A file that cannot be read is reported; the others are still read.
int info(const InfoRequest& request, const CliContext& session) {
  auto list = ordered_json::array();
  int code = exit_code::done;
  for (const auto& file : request.files) {
    try {
      tell(file, request, session, list);
    } catch (const Cancelled&) {
      throw;
    } catch (...) {
      const Fault fault = currentFault();
      complain(fault);
      code = std::max(code, fault.code);
      list.push_back({{"file", file}, {"problem", fault.sentence}});
    }
  }
  if (session.json) std::cout << io::jsonText(ordered_json{{"files", list}});
  return code;
}

}  // namespace

Command addInfo(CLI::App& program) {
  CLI::App* parser = program.add_subcommand(
      "info",
      "What is in a scan, surface or file of tracts: size, spacing, orientation, type, gradients, space");
  auto request = std::make_shared<InfoRequest>();
  parser->add_option("FILE", request->files, "Scans, surfaces, tracts, or folders with one DICOM series each")
      ->required()
      ->expected(1, 1 << 20);
  parser->add_flag("--check-gradients", request->checkGradients,
                   "Also try the gradients with flipped and swapped axes, and say which fit the scan best");
  parser->add_option("--series", request->series,
                     "Of a folder with several DICOM series: its number, or a part of its description");
  addTalkFlags(*parser);
  return {parser, [request](const CliContext& session) { return info(*request, session); }};
}

}  // namespace sulcus::app::cli
