#include "app/analyses/group/group_analysis.h"

#include "app/analyses/input_layers.h"
#include "app/analyses/run_support.h"
#include "core/analysis/chart_parts.h"
#include "core/analysis/value_agreement.h"
#include "core/base/error.h"
#include "core/group/group.h"
#include "core/group/group_charts.h"
#include "core/group/group_maps.h"
#include "core/group/people_model.h"
#include "core/image/display/layer_kinds.h"
#include "core/image/display/layer_values.h"
#include "core/phantom/group_phantom.h"
#include "gpu/group/group.h"

#include <algorithm>
#include <filesystem>

namespace sulcus::app::analyses {
namespace {

/// The stem of the file without its folder; without a file, the name of the layer.
std::string mapName(const Layer& layer) {
  return layer.source.empty() ? layer.name : std::filesystem::path(layer.source).filename().string();
}

group::PeopleTable peopleOf(const AnalysisInputs& inputs) {
  const Layer* layer = layerOf(inputs, "people");
  if (!layer) return {};
  const TableLayer& table = tableOf(*layer, "people");
  return {table.columns, table.rows};
}

/// Each map, or each volume of one series, belongs to one person.
void addMaps(const AnalysisInputs& inputs, group::GroupInput& input) {
  const auto layers = layersOf(inputs, "maps");
  for (const Layer* layer : layers) {
    const VolumeLayer& volume = volumeOf(*layer, "maps");
    if (volume.series->count > 1 && layers.size() > 1)
      throw Error("'" + mapName(*layer) + "' is one of several maps but contains " +
                      std::to_string(volume.series->count) + " volumes",
                  "each file contains the map of one person",
                  "give one file for all people, or one file for each");
    for (int v = 0; v < volume.series->count; ++v) {
      input.maps.push_back(volume.series);
      input.volumes.push_back(v);
      input.names.push_back(volume.series->count > 1 ? mapName(*layer) + " volume " + std::to_string(v + 1)
                                                     : mapName(*layer));
    }
  }
}

/// The layer of each of these maps.
std::vector<LayerPtr> imagesOf(const AnalysisInputs& inputs, const group::GroupInput& input) {
  std::vector<LayerPtr> images;
  for (const auto& map : input.maps) {
    const auto [first, last] = inputs.equal_range("maps");
    const auto found = std::find_if(
        first, last, [&](const auto& one) { return volumeOf(*one.second, "maps").series == map; });
    images.push_back(found == last ? nullptr : found->second);
  }
  return images;
}

/// The variances of the maps, matched by person or in order.
void addVariances(const AnalysisInputs& inputs, group::GroupInput& input) {
  std::vector<group::MapVariance> given;
  for (const Layer* layer : layersOf(inputs, "variances")) {
    const VolumeLayer& volume = volumeOf(*layer, "variances");
    for (int v = 0; v < volume.series->count; ++v) given.push_back({mapName(*layer), volume.series, v});
  }
  input.variances = group::inOrderOfMaps(input, std::move(given));
}

/// The labels that name clusters; null if there are none.
std::shared_ptr<const LabelsLayer> atlasIn(const AnalysisInputs& inputs) {
  const Layer* layer = layerOf(inputs, "atlas");
  if (!layer) return nullptr;
  const auto* labels = std::get_if<LabelsLayer>(&layer->content);
  if (!labels)
    throw Error("'" + layer->name + "' is not an atlas", "labels are whole numbers, a name for each",
                "give a segmentation in the space of the maps");
  return std::make_shared<const LabelsLayer>(*labels);
}

group::GroupInput groupInput(const AnalysisInputs& inputs) {
  group::GroupInput input;
  addMaps(inputs, input);
  input.people = peopleOf(inputs);
  input.mask = maskIn(inputs);
  addVariances(inputs, input);
  return input;
}

RunResult runGroup(group::FindEffects* find, const AnalysisInputs& inputs, const OptionValues& values,
                   const Progress& progress, const Analysis::Preview&) {
  const auto options = optionsFrom<group::GroupOptions>(values);
  const group::GroupInput input = groupInput(inputs);
  const auto found = std::make_shared<const group::GroupResult>(find(input, options, progress));
  RunResult result;
  const auto atlas = atlasIn(inputs);
  result.layers = group::groupLayers(*found, options, atlas.get());
  result.notes = found->notes;
  for (auto& line : group::groupSummary(*found, options)) result.notes.push_back(std::move(line));
  result.stages = found->stages;
  double exchanges = 0;
  for (const auto& contrast : found->contrasts) exchanges += double(contrast.exchanges);
  result.items = exchanges;
  result.itemName = "permutations";
  result.plots = group::groupPlots(found, input, imagesOf(inputs, input), options);
  result.adjust = [found, atlas](const OptionValues& now, const Progress&) {
    return group::adjustedLayers(*found, optionsFrom<group::GroupOptions>(now), atlas.get());
  };
  result.source = found;
  return result;
}

Comparison compare(const RunResult& a, const RunResult& b, const Progress&) {
  const auto& left = a.source.as<group::GroupResult>().contrasts;
  const auto& right = b.source.as<group::GroupResult>().contrasts;
  Comparison comparison;
  for (std::size_t c = 0; c < std::min(left.size(), right.size()); ++c) {
    const std::string& name = left[c].contrast.name;
    const auto add = [&](const char* what, const std::vector<float>& x, const std::vector<float>& y) {
      if (x.size() != y.size())
        comparison.reasons.push_back(std::string("The two have different numbers of values: ") + what + ".");
      else
        comparison.rows.push_back(valueAgreement({what + (" of " + name), ""}, x, y, 0, 1e-5).difference);
    };
    add("t", left[c].t, right[c].t);
    add("TFCE", left[c].tfce, right[c].tfce);
    add("largest TFCE of each permutation", left[c].largestTfce, right[c].largestTfce);
    add("largest t of each permutation", left[c].largestT, right[c].largestT);
    if (left[c].posterior && right[c].posterior)
      add("posterior mean", left[c].posterior->mean, right[c].posterior->mean);
  }
  if (left.size() != right.size()) comparison.reasons.emplace_back("They have different contrasts.");
  return comparison;
}

std::vector<AgreementRow> compareWithTruth(const RunResult& result, const AnalysisInputs& inputs,
                                           const Progress&) {
  const auto truth = maskIn(inputs, "truth");
  if (!truth) return {};
  const auto& found = result.source.as<group::GroupResult>();
  requireTruthOn(found.grid, truth->grid, "maps");
  const auto* shown = std::get_if<VolumeLayer>(&result.layers.front().content);
  AgreementRow right{.quantity = "voxels shown where groups differ, and only there", .unit = ""};
  double same = 0;
  for (const auto v : found.voxels)
    same += std::isfinite(shown->series->values[std::size_t(v)]) == (truth->values[std::size_t(v)] != 0);
  right.compared = double(found.voxels.size());
  right.shareWithin = same / right.compared;
  right.shareNeeded = 0.95;
  right.mean = 1 - right.shareWithin;
  right.maximum = 1;
  return {right};
}

/// The design, from the names of the maps and the table alone: no voxel is read. Throws Error if they do not
/// match.
group::GroupDesign designOf(const AnalysisInputs& inputs, const OptionValues& values) {
  group::GroupInput input;
  addMaps(inputs, input);
  input.people = peopleOf(inputs);
  return group::planGroup(input, optionsFrom<group::GroupOptions>(values)).design;
}

/// The columns by which people may be grouped, that may be covariates, and that may tell who was measured
/// repeatedly.
std::map<std::string, std::vector<std::string>> offeredColumns(const AnalysisInputs& inputs) {
  const group::ColumnsByUse columns = group::columnsByUse(peopleOf(inputs));
  return {{"groups", columns.groups}, {"covariates", columns.covariates}, {"repeated", columns.repeated}};
}

/// The columns of the design, for the weights of contrasts.
std::vector<std::string> designColumns(const AnalysisInputs& inputs, OptionValues values) {
  values["contrast"] = std::string();
  try {
    return designOf(inputs, values).names;
  } catch (const Error&) {
    return {};  // the form says why
  }
}

std::string validate(const AnalysisInputs& inputs, const OptionValues& values) {
  return layersOf(inputs, "maps").empty() ? "" : group::designText(designOf(inputs, values));
}

std::vector<Plot> inputPlots(const AnalysisInputs& inputs, const OptionValues& values) {
  return {fixedPlot("Design", group::designChart(designOf(inputs, values)))};
}

MemoryNeed memory(const AnalysisInputs& inputs, const OptionValues& values) {
  std::int64_t voxels = 0;
  int maps = 0;
  for (const Layer* layer : layersOf(inputs, "maps")) {
    const auto* volume = std::get_if<VolumeLayer>(&layer->content);
    if (!volume) return {};
    voxels = volume->series->grid.voxels();
    maps += volume->series->count;
  }
  const auto options = optionsFrom<group::GroupOptions>(values);
  return {group::groupHostBytes(voxels, maps, options), gpu::group::groupDeviceBytes(voxels, maps, options)};
}

AnalysisInputs demo(const OptionValues& values) {
  const auto phantom = phantom::makeGroupPhantom(optionsFrom<phantom::GroupPhantomOptions>(values));
  AnalysisInputs inputs;
  for (std::size_t n = 0; n < phantom.maps.size(); ++n) {
    Layer map = mapLayer(phantom.names[n], "", "heat-cool", Series<float>(*phantom.maps[n]));
    map.display.visible = n == 0;
    map.display.colorBar = false;
    give(inputs, "maps", std::move(map));
  }
  give(inputs, "people", tableLayer("people", {phantom.columns, phantom.rows}));
  give(inputs, "mask", maskLayer("mask", *phantom.mask));
  Layer truth = maskLayer("true differences", *phantom.truth);
  truth.display.outline = true;
  give(inputs, "truth", std::move(truth));
  return inputs;
}

std::vector<InputSlot> slots() {
  InputSlot maps{"maps", "Maps",
                 "One map for each person, in one space: effects, log Jacobians, FA, …; or one file with a "
                 "volume for each",
                 true, [](const Layer& layer) {
                   const auto* volume = std::get_if<VolumeLayer>(&layer.content);
                   return volume && !volume->colors && volume->gradients.empty();
                 }};
  maps.many = true;
  maps.suggested = true;
  // The volumes of a time series are not people.
  maps.unasked = [](const Layer& layer) { return volumeOf(layer, "maps").secondsPerVolume == 0; };
  InputSlot people{
      "people", "People",
      "Table of the people, such as participants.tsv: a row for each map, found by participant_id "
      "in the name of the map",
      false, isTable};
  people.suggested = true;
  InputSlot mask{"mask", "Mask",
                 "Only voxels that are not 0 here are compared; default: voxels where no map is 0", false,
                 isMask};
  mask.unasked = isSingleLabel;
  mask.onGridOf = "maps";
  mask.suggested = true;
  InputSlot variances{"variances", "Variances",
                      "How precise each map is: an image of the variance of its values for each person, such "
                      "as variance_ of Activation. People are also weighted by it",
                      false, isVolume};
  variances.many = true;
  variances.advanced = true;
  variances.unasked = [](const Layer&) { return false; };
  InputSlot atlas =
      ofLabels({"atlas", "Atlas", "Labels in the space of the maps, which name the clusters", false,
                [](const Layer& layer) { return std::holds_alternative<LabelsLayer>(layer.content); }});
  atlas.advanced = true;
  atlas.unasked = [](const Layer&) { return false; };
  InputSlot truth{"truth", "Truth", "Where groups truly differ, to count how much is found", false, isMask};
  truth.advanced = true;
  truth.unasked = [](const Layer&) { return false; };
  return {maps, people, mask, variances, atlas, truth};
}

}  // namespace

Analysis groupAnalysis() {
  Analysis row;
  row.name = "group";
  row.title = "Group";
  row.summary =
      "Finds where groups of people differ or share an effect, corrected for the whole image by permutation";
  row.inputs = slots();
  row.options = describeOptions<group::GroupOptions>();
  std::ranges::find(row.options, "contrast", &OptionInfo::name)->lowest = "e.g. patients - controls";
  row.outputs = {"shown_*", "posterior_*", "effect_*",    "t_*",       "f_*",      "z_*",
                 "tfce_*",  "logp_*",      "weighted_*",  "mean_*",    "sd_*",     "low_*",
                 "high_*",  "people_sd_*", "between_sd*", "contrasts", "clusters", "design"};
  row.cpu = std::bind_front(runGroup, group::findEffects);
  row.gpu = std::bind_front(runGroup, gpu::group::findEffects);
  row.advice = validate;
  row.inputPlots = inputPlots;
  row.weightNames = designColumns;
  row.offeredNames = offeredColumns;
  row.memory = memory;
  row.compare = compare;
  row.compareWithTruth = compareWithTruth;
  row.demoTitle = "two groups";
  row.demoOptions = describeOptions<phantom::GroupPhantomOptions>();
  row.demo = demo;
  row.demoParameters = {{"groups", std::string("group")}};
  return row;
}

}  // namespace sulcus::app::analyses
