#include "core/image/display/layer_kinds.h"

#include "core/base/error.h"

#include <algorithm>
#include <regex>

namespace sulcus {

bool isVolume(const Layer& layer) {
  const auto* volume = std::get_if<VolumeLayer>(&layer.content);
  return volume && volume->gradients.empty() && !volume->colors;
}

bool isMask(const Layer& layer) {
  const auto* volume = std::get_if<VolumeLayer>(&layer.content);
  return std::holds_alternative<LabelsLayer>(layer.content) || (volume && volume->series->count == 1);
}

bool isSingleLabel(const Layer& layer) {
  const auto* labels = std::get_if<LabelsLayer>(&layer.content);
  return labels && holdsOneLabel(*labels->labels);
}

bool holdsOneLabel(const Volume<Label>& labels) {
  Label found = 0;
  for (const Label label : labels.values) {
    if (label != 0 && found != 0 && label != found) return false;
    if (label != 0) found = label;
  }
  return found != 0;
}

bool isImage(const Layer& layer) { return isVolume(layer) && isMask(layer); }

bool isTissueMap(const Layer& layer) {
  static const std::regex name(
      "(^|.*[^a-z])(white|wht|wm|gr[ae]y|gry|gm|csf|prob|probseg|pve|tpm|mask)([^a-z].*|$)|[rsmw]*c[1-3].*",
      std::regex::icase);
  if (!isImage(layer) || !std::regex_match(layer.name, name)) return false;
  const auto& values = std::get<VolumeLayer>(layer.content).series->values;
  return std::all_of(values.begin(), values.end(), [](float v) { return v >= 0 && v <= 1; });
}

bool isMesh(const Layer& layer) { return std::holds_alternative<MeshLayer>(layer.content); }

bool isTracts(const Layer& layer) { return std::holds_alternative<TractsLayer>(layer.content); }

bool isTable(const Layer& layer) { return std::holds_alternative<TableLayer>(layer.content); }

Notes namedWarningsOf(const Layer& layer) {
  Notes warnings = warningsIn(layer.notes);
  for (Note& warning : warnings) warning.text = layer.name + ": " + warning.text;
  return warnings;
}

const VolumeLayer& volumeOf(const Layer& layer, const Message& use) {
  if (const auto* volume = std::get_if<VolumeLayer>(&layer.content); volume && !volume->colors)
    return *volume;
  throw Error("'" + layer.name + "' cannot be used as " + use, "it holds " + kindWithArticle(layer),
              "choose a volume or a series of volumes");
}

const TableLayer& tableOf(const Layer& layer, const Message& use) {
  if (const auto* table = std::get_if<TableLayer>(&layer.content)) return *table;
  throw Error("'" + layer.name + "' cannot be used as " + use, "it holds " + kindWithArticle(layer),
              "give a table, as .tsv or .csv");
}

const Mesh& meshOf(const Layer& layer, const Message& use) {
  if (const auto* mesh = std::get_if<MeshLayer>(&layer.content)) return *mesh->mesh;
  throw Error("'" + layer.name + "' cannot be used as " + use, "it holds " + kindWithArticle(layer),
              "give a surface made of triangles");
}

const Tracts& tractsOf(const Layer& layer, const Message& use) {
  if (const auto* lines = std::get_if<TractsLayer>(&layer.content)) return *lines->tracts;
  throw Error("'" + layer.name + "' cannot be used as " + use, "it holds " + kindWithArticle(layer),
              "give tracts, as .trx, .tck or .trk");
}

void requireTruthOn(const Grid& grid, const Grid& truth, const std::string& image) {
  if (!sameGrid(truth, grid))
    throw Error("The truth has a different grid: " + otherGrid(truth, grid),
                "its voxels are not those of the " + image, "give the truth that belongs to this " + image);
}

}  // namespace sulcus
