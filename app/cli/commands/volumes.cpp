#include "app/analyses/run_support.h"
#include "app/cli/commands.h"
#include "app/cli/options.h"
#include "app/cli/progress.h"
#include "app/cli/report.h"
#include "app/cli/scan.h"
#include "core/base/error.h"
#include "core/base/numbers.h"
#include "core/base/sanitized.h"
#include "core/base/sentence.h"
#include "core/image/display/layer_values.h"
#include "core/io/files.h"
#include "core/io/streams/byte_source.h"
#include "core/io/streams/file_json.h"
#include "core/registration/population/region_volumes.h"

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace sulcus::app::cli {
namespace {

struct VolumesRequest {
  std::vector<std::string> maps;
  std::string atlas, out, changes;
  bool overwrite = false;
};

/// The name of a person in the name of a map: "sub-01", else the stem of the file.
std::string personIn(const std::string& file) {
  const std::string name = std::filesystem::path(file).filename().string();
  if (name.starts_with("sub-")) return name.substr(0, name.find_first_of("_."));
  return name.substr(0, name.find('.'));
}

Volume<float> mapOf(const std::string& file, const Volume<Label>& atlas, const std::string& atlasFile,
                    const Progress& progress) {
  const Layer layer = openScan(file, progress, io::UnlabeledData::asImage);
  const auto* volume = std::get_if<VolumeLayer>(&layer.content);
  if (!volume || volume->series->count != 1)
    throw Error(io::quotedPath(file) + " is not a map of one volume",
                "one log Jacobian for each person is needed", "give the maps …_logjac.nii.gz of a template");
  if (!sameGrid(volume->series->grid, atlas.grid))
    throw Error(io::quotedPath(file) + " has a different grid than the atlas (" +
                    otherGrid(volume->series->grid, atlas.grid) + ")",
                "its voxels are counted by the labels of the atlas",
                "transform the atlas: sulcus-cli apply --image " + atlasFile + " --like " + file);
  Volume<float> map = firstVolume(layer, "a map");
  constexpr float kMost = 10;  // 22 000 times the volume
  std::int64_t none = 0;
  for (std::size_t i = 0; i < map.values.size(); ++i)
    none += atlas.values[i] != 0 && !(std::abs(map.values[i]) <= kMost);
  if (none > 0)
    throw Error(io::quotedPath(file) + " is not a map of log Jacobians",
                text("in the regions ", counted(none, "value"), none == 1 ? " is" : " are",
                     " not finite or beyond ±", kMost),
                "give the maps …_logjac.nii.gz of a template");
  return map;
}

std::string nameOf(Label label, const LabelTable* names) {
  const auto entry = names ? names->find(label) : LabelTable::const_iterator{};
  return names && entry != names->end() && !entry->second.name.empty() ? entry->second.name
                                                                       : "label_" + std::to_string(label);
}

std::string cell(double value) { return std::isfinite(value) ? numberText(value) : "n/a"; }

Layer changesTable(const std::vector<std::map<Label, double>>& volumes, const Volume<Label>& atlas,
                   const LabelTable* names) {
  const auto own = registration::regionVolumes(Volume<float>(atlas.grid), atlas);
  TableLayer table{{"region", "volume_mm3", "mean_percent", "sd_percent", "n80"}, {}};
  for (const auto& [label, change] : registration::regionChanges(volumes, own))
    table.rows.push_back({nameOf(label, names), cell(own.at(label)), cell(change.mean),
                          cell(change.deviation), cell(std::ceil(change.sampleSize))});
  return tableLayer("changes", std::move(table));
}

int volumes(const VolumesRequest& request, const CliContext& session) {
  if (const auto ending = std::filesystem::path(request.out).extension();
      ending != ".tsv" && ending != ".csv")
    throw Error("Cannot save as " + io::quotedPath(request.out), "a table is written",
                "end the name in .tsv or .csv", ErrorKind::usage);
  io::requireLayerPlace(request.out, request.overwrite);
  if (!request.changes.empty()) {
    io::requireLayerPlace(request.changes, request.overwrite);
    if (request.maps.size() < 2)
      throw Error("There is one map", "differences between people need two",
                  "omit --changes, or give more maps");
  }
  Layer table;
  {
    ProgressDisplay display(session);
    const Progress progress = display.progress();
    const Layer atlasLayer =
        openScan(request.atlas, progress.part(0, 0.1, "read atlas"), io::UnlabeledData::areLabels);
    const auto* labels = std::get_if<LabelsLayer>(&atlasLayer.content);
    if (!labels)
      throw Error(io::quotedPath(request.atlas) + " is not an atlas", "labels are whole numbers",
                  "give a segmentation in the space of the maps");
    auto provenance = std::make_shared<Provenance>();
    provenance->analysis = "volumes";
    provenance->version = sulcusVersion();
    provenance->backend = "cpu";
    provenance->device = cpuName();
    provenance->commandLine = session.call;
    provenance->created = utcNow();
    Notes notes;
    provenance->inputs.push_back(
        {"atlas", request.atlas, analyses::checksum(request.atlas, progress, notes)});
    TableLayer content;
    std::vector<std::map<Label, double>> ofPeople;
    const double count = double(request.maps.size());
    for (std::size_t m = 0; m < request.maps.size(); ++m) {
      const std::string& file = request.maps[m];
      const Progress part =
          progress.part(0.1 + 0.9 * double(m) / count, 0.1 + 0.9 * double(m + 1) / count, "maps");
      const auto found =
          registration::regionVolumes(mapOf(file, *labels->labels, request.atlas, part), *labels->labels);
      if (content.columns.empty()) {
        content.columns = {"participant_id", "total"};
        for (const auto& [label, volume] : found)
          content.columns.push_back(nameOf(label, labels->names.get()));
      }
      double total = 0;
      for (const auto& [label, volume] : found) total += volume;
      auto& row = content.rows.emplace_back();
      row = {personIn(file), numberText(std::round(10 * total) / 10)};
      for (const auto& [label, volume] : found) row.push_back(numberText(std::round(10 * volume) / 10));
      provenance->inputs.push_back({"maps", file, analyses::checksum(file, progress, notes)});
      ofPeople.push_back(found);
    }
    table = tableLayer("volumes", std::move(content));
    table.unit = "mm3";
    table.provenance = provenance;
    io::saveLayer(table, request.out, request.overwrite);
    if (!request.changes.empty()) {
      Layer changes = changesTable(ofPeople, *labels->labels, labels->names.get());
      changes.provenance = provenance;
      io::saveLayer(changes, request.changes, request.overwrite);
    }
  }
  const auto& rows = std::get<TableLayer>(table.content).rows;
  if (session.json)
    std::cout << io::jsonText(nlohmann::ordered_json{{"out", request.out}, {"people", rows.size()}});
  else
    std::cout << sanitizedForDisplay(request.out) << ": volumes of "
              << counted(std::int64_t(std::get<TableLayer>(table.content).columns.size() - 2), "region")
              << " in " << counted(std::int64_t(rows.size()), "map") << ", mm³\n";
  return exit_code::done;
}

}  // namespace

Command addVolumes(CLI::App& program) {
  CLI::App* parser = program.add_subcommand(
      "volumes", "The volume of each region of an atlas in each person, by their log Jacobians in one space");
  auto request = std::make_shared<VolumesRequest>();
  parser
      ->add_option("MAPS", request->maps,
                   "Log Jacobians, one for each person, such as people/*_logjac.nii.gz of a template")
      ->required()
      ->check(notEmpty("MAPS"));
  addText(*parser, "--atlas", request->atlas, "Labels on the grid of the maps", "FILE")->required();
  addText(*parser, "--out", request->out,
          "The table to write, .tsv or .csv: participant_id, total, and a column for each region, mm³",
          "FILE")
      ->required();
  addText(*parser, "--changes", request->changes,
          "A second table, for maps of change within people: of each region the mean and s.d. of the "
          "change in %, and n80, the number of people per arm needed to detect a 25 % slowing with a power "
          "of 80 %",
          "FILE");
  addTalkFlags(*parser);
  parser->add_flag("--overwrite", request->overwrite, "Replace FILE if it exists")->group("Common");
  return {parser, [request](const CliContext& session) { return volumes(*request, session); }};
}

}  // namespace sulcus::app::cli
