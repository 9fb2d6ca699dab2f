#include "app/analyses/tracts/tract_inputs.h"

#include "app/analyses/input_layers.h"
#include "core/base/error.h"
#include "core/base/numbers.h"
#include "core/image/diffusion/diffusion_tensor.h"
#include "core/image/diffusion/harmonics_image.h"
#include "core/image/display/layer_kinds.h"
#include "core/image/labels/label_regions.h"
#include "core/image/tracts/tract_regions.h"

#include <algorithm>
#include <cmath>
#include <string_view>

namespace sulcus::app::analyses {
namespace {

bool isPlainSeries(const Layer& layer) {
  const auto* volume = std::get_if<VolumeLayer>(&layer.content);
  return volume && !volume->colors && volume->gradients.empty() && volume->series->count > 1;
}
bool holdsFunctions(const Layer& layer) {
  if (hasFunctions(layer)) return true;
  return isPlainSeries(layer) && mayBeHarmonics(std::get<VolumeLayer>(layer.content).series->count);
}
bool holdsPeaks(const Layer& layer) {
  return std::holds_alternative<PeaksLayer>(layer.content) && !isFunctionAlone(layer);
}
bool mayBePeaks(const Layer& layer) {
  return holdsPeaks(layer) ||
         (isPlainSeries(layer) && std::get<VolumeLayer>(layer.content).series->count % 3 == 0);
}
bool mayBeTensors(const Layer& layer) {
  return isPlainSeries(layer) && std::get<VolumeLayer>(layer.content).series->count == 6;
}

std::shared_ptr<const Series<float>> functionsIn(const Layer& layer) {
  if (hasFunctions(layer)) return std::get<PeaksLayer>(layer.content).tensor;
  return std::make_shared<const Series<float>>(
      functionsOf(*volumeOf(layer, "functions ({fod})"_message).series));
}

std::vector<tracts::Region> regionsIn(const AnalysisInputs& inputs, const std::string& slot) {
  std::vector<tracts::Region> regions;
  for (const Layer* layer : layersOf(inputs, slot))
    regions.push_back({layer->name, std::make_shared<const Mask>(maskOf(*layer))});
  return regions;
}

/// Columns x, y and z of a table, or its first three: mm RAS+.
std::vector<Vec3<float>> pointsIn(const Layer& layer) {
  const TableLayer& table = tableOf(layer, "seed points");
  std::size_t columns[3] = {0, 1, 2};
  for (std::size_t n = 0; n < table.columns.size(); ++n)
    for (std::size_t axis = 0; axis < 3; ++axis)
      if (const std::string name(1, "xyz"[axis]);
          table.columns[n] == name || table.columns[n] == name + "_mm")
        columns[axis] = n;
  std::vector<Vec3<float>> points;
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    Vec3<float> p;
    for (int axis = 0; axis < 3; ++axis) {
      const std::size_t column = columns[axis];
      const auto number = column < table.rows[r].size() ? numberIn(table.rows[r][column]) : std::nullopt;
      if (!number || !(std::abs(*number) < 1e6))
        throw Error("Row " + std::to_string(r + 1) + " of '" + layer.name + "' is not a position",
                    "each row has x, y and z in mm (RAS+)", "correct it, or remove it");
      p[axis] = float(*number);
    }
    points.push_back(p);
  }
  if (points.empty())
    throw Error("'" + layer.name + "' has no rows", "no line would begin", "give a table of positions");
  return points;
}

/// The label of a number or a name.
Label labelOf(const LabelsLayer& atlas, const std::string& text) {
  if (const auto label = labelNamed(atlas, text)) return *label;
  throw Error("The atlas has no label called '" + text + "'", "a region of lines is one of its labels",
              "give its number, label:17, or its name in the atlas", ErrorKind::usage);
}

tracts::Region maskOfLabel(const LabelsLayer& atlas, const std::string& text) {
  const Label label = labelOf(atlas, text);
  auto mask = std::make_shared<Mask>(atlas.labels->grid);
  std::ranges::transform(atlas.labels->values, mask->values.begin(),
                         [&](Label value) { return std::uint8_t(value == label); });
  if (std::ranges::find(mask->values, 1) == mask->values.end())
    throw Error("The atlas has no voxel of label '" + text + "'", "a region of lines is one of its labels",
                "give one that it contains", ErrorKind::usage);
  return {"label:" + text, std::move(mask)};
}

InputSlot regions(std::string name, std::string label, std::string help) {
  InputSlot slot{std::move(name), std::move(label), std::move(help), false, isMask};
  slot.many = true;
  slot.unasked = [](const Layer&) { return false; };
  return slot;
}

}  // namespace

std::vector<InputSlot> tractSlots() {
  constexpr const char* kOneOf = "directions";
  InputSlot fod{"fod",
                "Functions",
                "Fiber orientations as spherical harmonics, or from Fibers",
                false,
                holdsFunctions,
                false,
                kOneOf,
                true};
  fod.unasked = [](const Layer& layer) {
    if (!isPlainSeries(layer)) return hasFunctions(layer);
    const auto& image = std::get<VolumeLayer>(layer.content);
    return image.secondsPerVolume == 0 && looksLikeHarmonics(*image.series);
  };
  InputSlot peaks{"peaks", "Peaks",    "Three volumes for each peak: its direction times its amplitude",
                  false,   mayBePeaks, false,
                  kOneOf};
  peaks.unasked = holdsPeaks;
  InputSlot tensor = advanced(
      InputSlot{"tensor", "Tensors", "Diffusion tensors in six volumes", false, mayBeTensors, false, kOneOf});
  tensor.unasked = [](const Layer&) { return false; };
  InputSlot lines =
      advanced(InputSlot{"tracts", "Lines from a file",
                         "Tracts from a file instead of new ones: their maps, connectome and profiles", false,
                         isTracts, false, kOneOf});
  lines.unasked = [](const Layer&) { return false; };
  InputSlot seeds{"seed-mask", "Seeds",
                  "Lines begin in its voxels that are not 0; default: wherever the amplitude is above the "
                  "cut-off",
                  false, isMask};
  seeds.unasked = [](const Layer&) { return false; };
  InputSlot points = advanced(InputSlot{"seed-points", "Seed points",
                                        "Table of positions in mm (RAS+) where lines begin: columns x, y, z",
                                        false, isTable});
  points.unasked = [](const Layer&) { return false; };
  InputSlot tissues = advanced(
      InputSlot{"tissues", "Tissues",
                "Shares of cortex, deep gray matter, white matter, fluid and pathological tissue, as "
                "from 5ttgen of MRtrix: lines end in gray matter, cropped at the cortex",
                false, [](const Layer& layer) {
                  return isPlainSeries(layer) && std::get<VolumeLayer>(layer.content).series->count == 5;
                }});
  tissues.unasked = [](const Layer&) { return false; };
  InputSlot labels =
      advanced(ofLabels(InputSlot{"labels", "Regions to connect",
                                  "Atlas: how many lines connect each pair of its regions", false, isMask}));
  labels.unasked = [](const Layer&) { return false; };
  InputSlot images = advanced(
      InputSlot{"image", "Along the bundle",
                "Images, such as FA: their mean and s.d. at 100 positions along the lines, which are "
                "treated as one bundle",
                false, isImage});
  images.many = true;
  images.unasked = [](const Layer&) { return false; };
  InputSlot truth = advanced(ofLabels(InputSlot{
      "truth", "Truth", "Where bundles end: labels 1 and 2 are the ends of one, 3 and 4 of the next, …",
      false, isMask}));
  truth.unasked = [](const Layer&) { return false; };
  return {fod,
          peaks,
          tensor,
          lines,
          seeds,
          points,
          tissues,
          regions("mask", "Mask", "Lines end where they leave it"),
          advanced(regions("include", "Enter", "Lines must enter each of these; others are dropped")),
          advanced(regions("exclude", "Avoid", "Lines that enter one of these are dropped")),
          advanced(regions("stop", "Stop", "Lines end where they enter one of these")),
          advanced(regions("ends", "End in",
                           "Each of these must contain an end of a line; other lines are dropped")),
          labels,
          images,
          truth};
}

tracts::TractInput seedInput(const AnalysisInputs& inputs) {
  tracts::TractInput input;
  input.seeds = maskIn(inputs, "seed-mask");
  if (const Layer* points = layerOf(inputs, "seed-points")) input.seedPoints = pointsIn(*points);
  return input;
}

tracts::TractInput tractInput(const AnalysisInputs& inputs, const tracts::TractOptions& options) {
  tracts::TractInput input = seedInput(inputs);
  if (const Layer* fod = layerOf(inputs, "fod")) input.functions = functionsIn(*fod);
  if (const Layer* peaks = layerOf(inputs, "peaks"))
    input.peaks =
        holdsPeaks(*peaks) ? std::get<PeaksLayer>(peaks->content).peaks : volumeOf(*peaks, "peaks").series;
  if (const Layer* tensor = layerOf(inputs, "tensor"))
    input.peaks = std::make_shared<const Series<float>>(
        principalDirections(diffusionTensor(*volumeOf(*tensor, "tensors").series, options.tensorOrder)));
  if (const Layer* tissues = layerOf(inputs, "tissues"))
    input.tissues = volumeOf(*tissues, "tissues ({tissues})"_message).series;
  input.mask = regionsIn(inputs, "mask");
  input.include = regionsIn(inputs, "include");
  input.exclude = regionsIn(inputs, "exclude");
  input.stop = regionsIn(inputs, "stop");
  input.ends = regionsIn(inputs, "ends");
  return input;
}

namespace {

/// Removes the labels from a list of regions after checking that there are such.
///
/// @param regions  receives their masks, unless null
void takeLabels(const AnalysisInputs& inputs, std::string& text, std::vector<tracts::Region>* regions) {
  constexpr std::string_view kLabel = "label:";
  if (text.find(kLabel) == std::string::npos) return;
  const Layer* layer = layerOf(inputs, "labels");
  if (!layer)
    throw Error("There is no atlas for '" + text + "'", "labels are numbers in an image",
                "give it by {labels}"_message, ErrorKind::usage);
  const Layer atlas = std::holds_alternative<LabelsLayer>(layer->content) ? *layer : asLabels(*layer);
  const auto& labels = std::get<LabelsLayer>(atlas.content);
  std::string rest;
  for (const std::string& part : regionTexts(text)) {
    if (!part.starts_with(kLabel))
      rest += part + ";";
    else if (const std::string name = part.substr(kLabel.size()); regions)
      regions->push_back(maskOfLabel(labels, name));
    else
      labelOf(labels, name);
  }
  text = rest;
}

}  // namespace

void takeLabelRegions(const AnalysisInputs& inputs, tracts::TractOptions& options,
                      tracts::TractInput* input) {
  std::vector<tracts::Region> seeds;
  const auto take = [&](std::string& text, std::vector<tracts::Region>* regions) {
    takeLabels(inputs, text, regions);
  };
  take(options.seedRegions, input ? &seeds : nullptr);
  take(options.includeRegions, input ? &input->include : nullptr);
  take(options.excludeRegions, input ? &input->exclude : nullptr);
  take(options.stopRegions, input ? &input->stop : nullptr);
  take(options.endRegions, input ? &input->ends : nullptr);
  if (seeds.empty()) return;
  auto all = std::make_shared<Mask>(*seeds.front().image);
  for (const tracts::Region& region : seeds)
    for (std::size_t v = 0; v < all->values.size(); ++v) all->values[v] |= region.image->values[v];
  input->seeds = std::move(all);
}

const Grid* fieldGrid(const AnalysisInputs& inputs, int& volumes) {
  for (const char* slot : {"fod", "peaks", "tensor"}) {
    const Layer* layer = layerOf(inputs, slot);
    if (!layer) continue;
    if (const auto* series = std::get_if<VolumeLayer>(&layer->content)) volumes = series->series->count;
    if (const auto* peaks = std::get_if<PeaksLayer>(&layer->content))
      volumes = std::string(slot) == "fod" && peaks->tensor ? peaks->tensor->count : peaks->peaks->count;
    return gridOf(*layer);
  }
  return nullptr;
}

}  // namespace sulcus::app::analyses
