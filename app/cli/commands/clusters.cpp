#include "app/analyses/run_support.h"
#include "app/cli/commands.h"
#include "app/cli/options.h"
#include "app/cli/progress.h"
#include "app/cli/report.h"
#include "app/cli/scan.h"
#include "app/cli/usage.h"
#include "core/analysis/cluster_table.h"
#include "core/analysis/command_line.h"
#include "core/base/error.h"
#include "core/base/numbers.h"
#include "core/base/sanitized.h"
#include "core/image/labels/label_regions.h"
#include "core/io/files.h"
#include "core/io/streams/file_json.h"

#include <cmath>
#include <iostream>
#include <optional>

#include <CLI/CLI.hpp>

namespace sulcus::app::cli {
namespace {

struct ClustersCall {
  std::string map, labels, out;
  std::optional<double> above, below;
  int volume = 0, connectivity = 26;
  ClusterOptions options;
  bool sizes = false, overwrite = false;
};

void checkThresholds(const ClustersCall& call) {
  if (!call.above && !call.below)
    throw Error("No threshold is given", "without one, the whole map is a single cluster",
                "give --above X, --below X, or both for values of both signs", ErrorKind::usage);
  for (const auto& threshold : {call.above, call.below})
    if (threshold && !std::isfinite(*threshold))
      throw Error("A threshold cannot be " + numberText(*threshold), "no value can be compared with it",
                  "give a finite number", ErrorKind::usage);
}

ClusterRequest requestOf(const ClustersCall& call, const Progress& progress) {
  ClusterRequest request;
  const auto map = std::make_shared<Layer>(openScan(call.map, progress.part(0, 0.75, "read")));
  if (std::holds_alternative<LabelsLayer>(map->content)) *map = asVolume(*map);
  request.map = map;
  const auto* volume = std::get_if<VolumeLayer>(&map->content);
  if (volume && call.volume >= volume->series->count)
    throw Error("There is no volume " + std::to_string(call.volume),
                "the map has " + std::to_string(volume->series->count), "count from 0", ErrorKind::usage);
  request.volume = call.volume;
  request.shown.hideBelow = call.above;
  request.shown.hideAbove = call.below;
  if (call.sizes) request.shown.negativeColormap = Display().colormap;
  request.options = call.options;
  request.options.connectivity = connectivityOf(call.connectivity);
  if (!call.labels.empty())
    request.labels = std::make_shared<const Layer>(
        asLabels(openScan(call.labels, progress.part(0.75, 1, "read"), io::UnlabeledData::areLabels)));
  return request;
}

/// Saves the table with the checksums of what it was made from.
void save(const ClustersCall& call, const ClusterRequest& request, Layer& table, const Progress& progress) {
  auto made = std::make_shared<Provenance>(*table.provenance);
  for (auto& input : made->inputs)
    for (const auto& layer : {request.map, request.labels})
      if (layer && layer->source == input.path)
        input.sha256 = analyses::checksumOfRead(input.path, layer->stamp, progress, table.notes);
  made->commandLine += " --out " + shellQuoted(call.out);
  table.provenance = std::move(made);
  io::saveLayer(table, call.out, call.overwrite);
}

void printJson(const Layer& table) {
  const auto& content = std::get<TableLayer>(table.content);
  auto rows = nlohmann::ordered_json::array();
  for (const auto& row : content.rows) {
    nlohmann::ordered_json object = nlohmann::ordered_json::object();
    for (std::size_t c = 0; c < row.size(); ++c) object[content.columns[c]] = row[c];
    rows.push_back(std::move(object));
  }
  std::cout << io::jsonText(nlohmann::ordered_json{{"notes", table.notes}, {"peaks", std::move(rows)}});
}

void printText(const Layer& table) {
  const auto& content = std::get<TableLayer>(table.content);
  std::vector<std::vector<std::string>> rows = content.rows;
  for (auto& row : rows)
    for (auto& cell : row) cell = sanitizedForDisplay(cell);
  std::cout << markdownTable(content.columns, rows);
  for (const auto& note : table.notes) std::cout << sanitizedForDisplay(note.line()) << "\n";
}

int clusters(const ClustersCall& call, const CliContext& session) {
  checkThresholds(call);
  if (!call.out.empty()) io::requirePlace(call.out, call.overwrite);
  Layer table;
  {
    ProgressDisplay display(session);
    const Progress progress = display.progress();
    const ClusterRequest request = requestOf(call, progress.part(0, 0.8, ""));
    table = clusterLayer(request, progress.part(0.8, 1, "clusters"));
    if (!call.out.empty()) save(call, request, table, progress);
  }
  if (session.json)
    printJson(table);
  else if (call.out.empty())
    printText(table);
  else
    std::cout << sanitizedForDisplay(call.out) << ": " << sanitizedForDisplay(table.notes.front().line())
              << "\n";
  return exit_code::done;
}

}  // namespace

Command addClusters(CLI::App& program) {
  CLI::App* parser = program.add_subcommand("clusters",
                                            "Finds the clusters of a map beyond a threshold and their peaks, "
                                            "with volumes, positions and the labels of an atlas");
  auto call = std::make_shared<ClustersCall>();
  addText(*parser, "MAP", call->map, "An image, e.g. of a statistic")->required();
  parser->add_option("--above", call->above, "Values of X and more belong to clusters")->type_name("X");
  parser
      ->add_option("--below", call->below,
                   "Values of X and less belong to clusters; if X is smaller than that of --above, those "
                   "beyond either do, else those between")
      ->type_name("X");
  parser->add_flag("--sizes", call->sizes)->group("");  // the former name of --two-sided
  parser->add_flag("--two-sided", call->sizes,
                   "Thresholds apply to absolute values, so that negative ones also count");
  parser->add_option("--volume", call->volume, "Of a series, from 0 (default 0)")
      ->type_name("N")
      ->check(wholeNumber("volume", 0, 1e6));
  parser
      ->add_option("--connectivity", call->connectivity,
                   "Neighbors of a voxel: 6 share a face, 18 also an edge, 26 also a corner (default 26)")
      ->type_name("N")
      ->check(oneOf("--connectivity", {"6", "18", "26"}));
  parser
      ->add_option("--least-volume", call->options.leastVolume,
                   "Smaller clusters are excluded, mm³ (default 0)")
      ->type_name("X")
      ->check(notNegative("least-volume"));
  parser->add_option("--peaks", call->options.peaks, "Of each cluster, at most (default 3)")
      ->type_name("N")
      ->check(wholeNumber("peaks", 1, 1000));
  parser
      ->add_option("--peak-distance", call->options.peakDistance,
                   "Peaks of a cluster are farther from each other, mm (default 8)")
      ->type_name("X")
      ->check(notNegative("peak-distance"));
  addText(*parser, "--labels", call->labels, "An atlas or segmentation, whose label at each peak is listed",
          "FILE");
  addText(*parser, "--out", call->out, "The table to write, .tsv or .csv, with a JSON file next to it",
          "FILE");
  addTalkFlags(*parser);
  parser->add_flag("--overwrite", call->overwrite, "Replace FILE if it exists")->group("Common");
  return {parser, [call](const CliContext& session) { return clusters(*call, session); }};
}

}  // namespace sulcus::app::cli
