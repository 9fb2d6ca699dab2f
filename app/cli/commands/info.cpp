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

/// What is known of a layer, as JSON and as rows of text.
struct LayerFacts {
  ordered_json json;
  std::vector<std::pair<std::string, std::string>> rows;  ///< names, texts

  void row(const std::string& name, const std::string& text) { rows.emplace_back(name, text); }
};

/// The names in a list of things that have one.
template <class List>
std::string namesIn(const List& list) {
  std::vector<std::string> names;
  for (const auto& one : list) names.push_back(one.name);
  return joined(names, ", ");
}

template <class Shape>
void addBounds(const Shape& shape, LayerFacts& facts) {
  const auto [low, high] = boundsOf(shape);
  facts.json["bounds"] = {{low.x, low.y, low.z}, {high.x, high.y, high.z}};
  std::string text;
  for (int i = 0; i < 3; ++i)
    text += (i > 0 ? " × " : "") + shortNumber(low[i]) + " … " + shortNumber(high[i]);
  facts.row("bounds", text + " mm");
}

void addMesh(const Mesh& mesh, LayerFacts& facts) {
  const levelset::MeshMeasures measures = levelset::measuresOf(mesh);
  auto& json = facts.json;
  json["points"] = mesh.points.size();
  json["triangles"] = mesh.triangles.size();
  json["openEdges"] = measures.openEdges;
  facts.row("size", counted(std::int64_t(mesh.points.size()), "point") + ", " +
                        counted(std::int64_t(mesh.triangles.size()), "triangle"));
  addBounds(mesh, facts);
  json["area"] = measures.area;
  std::string shape = "open: " + counted(measures.openEdges, "edge") + " with no triangle on one side";
  if (measures.openEdges == 0) {
    json["volume"] = measures.volume;
    json["components"] = measures.components;
    json["cavities"] = measures.cavities;
    json["handles"] = measures.handles;
    shape = "closed: " + counted(measures.components, "component") + ", " +
            counted(measures.cavities, "cavity", "cavities") + ", " + counted(measures.handles, "handle") +
            ", volume " + shortNumber(measures.volume) + " mm³";
  }
  facts.row("shape", shape + ", area " + shortNumber(measures.area) + " mm²");
  json["scalars"] = ordered_json::array();
  std::string names;
  for (const auto& [name, values] : mesh.pointScalars) {
    const Range range = automaticRange(values);
    json["scalars"].push_back({{"name", name}, {"range", {range.low, range.high}}});
    names += (names.empty() ? "" : ", ") + name;
  }
  if (!names.empty()) facts.row("scalars", names);
}

void addTracts(const TractsLayer& layer, LayerFacts& facts) {
  const Tracts& tracts = *layer.tracts;
  const TractSummary summary = summaryOf(tracts);
  auto& json = facts.json;
  json["lines"] = tracts.lines();
  json["points"] = tracts.points.size();
  facts.row("size", counted(std::int64_t(tracts.lines()), "line") + ", " +
                        counted(std::int64_t(tracts.points.size()), "point"));
  json["length"] = {
      {"mean", summary.meanLength}, {"shortest", summary.shortest}, {"longest", summary.longest}};
  facts.row("length", shortNumber(summary.shortest) + " … " + shortNumber(summary.longest) + " mm, mean " +
                          shortNumber(summary.meanLength) + " mm");
  addBounds(tracts, facts);
  const auto addData = [&](const char* key, const char* row, const auto& all) {
    json[key] = ordered_json::array();
    for (const auto& data : all) json[key].push_back({{"name", data.name}, {"components", data.components}});
    if (!all.empty()) facts.row(row, namesIn(all));
  };
  addData("perLine", "per line", tracts.perLine);
  addData("perPoint", "per point", tracts.perPoint);
  json["groups"] = ordered_json::array();
  std::vector<std::string> groups;
  for (const auto& group : tracts.groups) {
    json["groups"].push_back({{"name", group.name}, {"lines", group.lines.size()}});
    groups.push_back(group.name + " (" + std::to_string(group.lines.size()) + ")");
  }
  if (!groups.empty()) facts.row("groups", joined(groups, ", "));
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

void addGrid(const Grid& grid, int volumes, LayerFacts& facts) {
  const auto spacing = grid.spacing();
  auto& json = facts.json;
  json["size"] = {grid.size.x, grid.size.y, grid.size.z};
  json["volumes"] = volumes;
  json["spacing"] = {spacing.x, spacing.y, spacing.z};
  json["orientation"] = orientationCode(grid);
  const auto& [m, t] = grid.worldFromVoxel;
  json["worldFromVoxel"] = {
      {m[0][0], m[0][1], m[0][2], t.x}, {m[1][0], m[1][1], m[1][2], t.y}, {m[2][0], m[2][1], m[2][2], t.z}};
  facts.row("size", describeGrid(grid) + (volumes > 1 ? ", " + std::to_string(volumes) + " volumes" : ""));
  facts.row("orientation", orientationCode(grid));
}

void addGradients(const GradientTable& table, LayerFacts& facts) {
  const auto unweighted = unweightedVolumes(table).size();
  ordered_json json{{"source", table.source}, {"unweighted", unweighted}};
  json["shells"] = ordered_json::array();
  std::string text = counted(std::int64_t(unweighted), "volume") + " of b = 0";
  for (const auto& shell : fibers::shells(table)) {
    json["shells"].push_back({{"b", shell.b}, {"directions", shell.volumes.size()}});
    text +=
        ", " + std::to_string(shell.volumes.size()) + " directions of b = " + shortNumber(shell.b) + " s/mm²";
  }
  facts.json["gradients"] = json;
  facts.row("gradients", text);
}

void addValues(const Layer& layer, LayerFacts& facts) {
  auto& json = facts.json;
  if (!layer.unit.empty()) json["unit"] = layer.unit;
  if (const auto range = extremes(layer)) {
    json["range"] = {range->low, range->high};
    const auto number = [&](double value) {
      return std::holds_alternative<LabelsLayer>(layer.content) ? fixedText(value, 0) : shortNumber(value);
    };
    const std::string unit = layer.unit.empty() ? "" : " " + layer.unit;
    facts.row("values", number(range->low) + " … " + number(range->high) + unit);
  }
  if (const auto* numbers = numbersOf(layer)) {
    const ValueCheck check = checkValues(*numbers);
    json["nan"] = check.nan;
    json["infinite"] = check.infinite;
    json["huge"] = check.huge;
    json["constant"] = check.constant();
  }
}

LayerFacts factsOf(const std::string& file, const Layer& layer) {
  LayerFacts facts{{{"file", file}, {"kind", kindOf(layer)}}, {}};
  if (const Grid* grid = gridOf(layer)) addGrid(*grid, volumesOf(layer), facts);
  if (const auto* surface = std::get_if<MeshLayer>(&layer.content)) addMesh(*surface->mesh, facts);
  if (const auto* lines = std::get_if<TractsLayer>(&layer.content)) addTracts(*lines, facts);
  addValues(layer, facts);
  if (const auto* volume = std::get_if<VolumeLayer>(&layer.content)) {
    if (volume->secondsPerVolume > 0) {
      facts.json["secondsPerVolume"] = volume->secondsPerVolume;
      facts.row("time", shortNumber(volume->secondsPerVolume) + " s per volume");
    }
    if (!volume->gradients.empty()) addGradients(volume->gradients, facts);
  }
  facts.json["notes"] = layer.notes;
  for (std::size_t i = 0; i < layer.notes.size(); ++i) facts.row(i == 0 ? "notes" : "", layer.notes[i]);
  return facts;
}

void print(const std::string& title, const LayerFacts& facts) {
  constexpr int column = 15;
  std::cout << title << "\n";
  for (const auto& [name, text] : facts.rows)
    std::cout << "  " << name << std::string(std::size_t(column - 2 - displayWidth(name)), ' ')
              << wrapped(sanitizedForDisplay(text), 100 - column, column) << "\n";
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
  LayerFacts facts = factsOf(file, layer);
  if (check) {
    facts.json["gradientCheck"] = toJson(*check);
    facts.row("check", check->recommendation);
  }
  if (session.json)
    list.push_back(std::move(facts.json));
  else
    print(sanitizedForDisplay(file) + ": " + kindOf(layer), facts);
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
