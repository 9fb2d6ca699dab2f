#include "core/analysis/cluster_table.h"

#include "core/analysis/command_line.h"
#include "core/base/error.h"
#include "core/base/figure.h"
#include "core/base/numbers.h"
#include "core/base/sentence.h"
#include "core/image/display/shown_values.h"
#include "core/image/grids/assumed_sides.h"
#include "core/image/table_places.h"

#include <algorithm>
#include <cmath>

namespace sulcus {
namespace {

constexpr int kLabelColumn = 7;  ///< after the position of the peak

/// "17 Hippocampus"; only the number if it has no name, "" outside of all labels.
std::string labelAt(const LabelsLayer& layer, const Vec3<double>& place) {
  const Grid& grid = layer.labels->grid;
  const Vec3<double> at = grid.worldFromVoxel.inverse().point(place);
  const Vec3<int> voxel{int(std::floor(at.x + 0.5)), int(std::floor(at.y + 0.5)),
                        int(std::floor(at.z + 0.5))};
  if (!grid.contains(voxel.x, voxel.y, voxel.z)) return {};
  const Label label = (*layer.labels)(voxel.x, voxel.y, voxel.z);
  if (label == 0) return {};
  std::string number = std::to_string(label);
  if (!layer.names) return number;
  const auto entry = layer.names->find(label);
  return entry == layer.names->end() || entry->second.name.empty() ? number
                                                                   : number + " " + entry->second.name;
}

double finest(const Vec3<double>& spacing) { return std::min({spacing.x, spacing.y, spacing.z}); }

}  // namespace

TableLayer clusterTable(const std::vector<Cluster>& clusters, const LabelsLayer* labels, double edge) {
  const auto coordinate = [edge](double at) { return fixedText(at, placeDecimals(edge)); };
  TableLayer table;
  table.columns = {"cluster", "voxels", "volume_mm3",  "value",       "x_mm",
                   "y_mm",    "z_mm",   "center_x_mm", "center_y_mm", "center_z_mm"};
  if (labels) table.columns.insert(table.columns.begin() + kLabelColumn, "label");
  for (std::size_t c = 0; c < clusters.size(); ++c)
    for (const Peak& peak : clusters[c].peaks) {
      const Vec3<double>&place = peak.place, &center = clusters[c].center;
      std::vector<std::string> row = {std::to_string(c + 1),      std::to_string(clusters[c].voxels),
                                      figure(clusters[c].volume), numberText(peak.value),
                                      coordinate(place.x),        coordinate(place.y),
                                      coordinate(place.z),        coordinate(center.x),
                                      coordinate(center.y),       coordinate(center.z)};
      if (labels) {
        const std::string label = labelAt(*labels, place);
        row.insert(row.begin() + kLabelColumn, label.empty() ? "n/a" : label);
      }
      table.rows.push_back(std::move(row));
    }
  return table;
}

Layer clusterLayer(const ClusterRequest& request, const Progress& progress) {
  const auto* volume = std::get_if<VolumeLayer>(&request.map->content);
  if (!volume)
    throw Error("'" + request.map->name + "' has no clusters", "it is not an image", "choose a map");
  if (!request.shown.hideBelow && !request.shown.hideAbove)
    throw Error("'" + request.map->name + "' has no threshold", "without one the whole image is one cluster",
                "set the lower threshold of the layer, and for both signs the upper one below it");
  const ClusterOptions& options = request.options;
  const auto* labels = request.labels ? std::get_if<LabelsLayer>(&request.labels->content) : nullptr;
  const auto clusters = findClusters(volume->series->volume(request.volume), volume->series->grid,
                                     request.shown, options, progress);
  Layer layer;
  layer.name = "clusters of " + request.map->name;
  layer.content = clusterTable(clusters, labels, finest(volume->series->grid.spacing()));
  layer.notes = {counted(std::int64_t(clusters.size()), "cluster") + " of values " +
                     shownValuesText(request.shown) + ", " +
                     std::to_string(neighborCount(options.connectivity)) + "-connectivity.",
                 "Values are in " + (request.map->unit.empty() ? "no unit" : request.map->unit) +
                     ", places in mm, RAS+. Up to " + std::to_string(options.peaks) +
                     " peaks of a cluster, more than " + numberText(options.peakDistance) + " mm apart."};
  for (Note& warning : sideWarnings({request.map.get(), request.labels.get()}))
    layer.notes.push_back(std::move(warning));
  auto provenance = std::make_shared<Provenance>();
  provenance->analysis = "clusters";
  provenance->version = sulcusVersion();
  provenance->backend = "cpu";
  provenance->device = cpuName();
  provenance->created = utcNow();
  const auto fileOf = [](const Layer& of) {
    return of.source.empty() ? of.name + usualExtension(of) : of.source;
  };
  provenance->inputs.push_back({"map", fileOf(*request.map), ""});
  if (labels) provenance->inputs.push_back({"labels", fileOf(*request.labels), ""});
  OptionValues& values = provenance->parameters;
  if (volume->series->count > 1) values["volume"] = std::int64_t(request.volume);
  if (request.shown.hideBelow) values["above"] = *request.shown.hideBelow;
  if (request.shown.hideAbove) values["below"] = *request.shown.hideAbove;
  values["connectivity"] = std::int64_t(neighborCount(options.connectivity));
  values["least-volume"] = options.leastVolume;
  values["peaks"] = std::int64_t(options.peaks);
  values["peak-distance"] = options.peakDistance;
  provenance->commandLine = "sulcus-cli clusters " + shellQuoted(provenance->inputs.front().path);
  if (labels) provenance->commandLine += " --labels " + shellQuoted(provenance->inputs.back().path);
  for (const auto& [name, value] : values)
    provenance->commandLine += " --" + name + " " + formatOption(value);
  if (!request.shown.negativeColormap.empty()) provenance->commandLine += " --two-sided";
  layer.provenance = std::move(provenance);
  return layer;
}

}  // namespace sulcus
