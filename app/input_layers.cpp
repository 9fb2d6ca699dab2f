#include "app/input_layers.h"

#include "core/base/error.h"

namespace sulcus::app {

bool isVolume(const Layer& layer) {
  const auto* volume = std::get_if<VolumeLayer>(&layer.content);
  return volume && volume->gradients.empty();
}

bool isMask(const Layer& layer) {
  const auto* volume = std::get_if<VolumeLayer>(&layer.content);
  return std::holds_alternative<LabelsLayer>(layer.content) || (volume && volume->series->count == 1);
}

bool isTable(const Layer& layer) { return std::holds_alternative<TableLayer>(layer.content); }

std::vector<const Layer*> layersOf(const AnalysisInputs& inputs, const std::string& slot) {
  std::vector<const Layer*> layers;
  const auto [begin, end] = inputs.equal_range(slot);
  for (auto input = begin; input != end; ++input)
    if (input->second) layers.push_back(input->second.get());
  return layers;
}

const Layer* layerOf(const AnalysisInputs& inputs, const std::string& slot) {
  const auto layers = layersOf(inputs, slot);
  return layers.empty() ? nullptr : layers.front();
}

const VolumeLayer& volumeOf(const Layer& layer, const std::string& slot) {
  if (const auto* volume = std::get_if<VolumeLayer>(&layer.content)) return *volume;
  throw Error("'" + layer.name + "' cannot be used as " + slot, "it holds " + kindOf(layer),
              "choose a volume or a series of volumes");
}

std::shared_ptr<const Mask> maskIn(const AnalysisInputs& inputs, const std::string& slot) {
  const Layer* layer = layerOf(inputs, slot);
  return layer ? std::make_shared<const Mask>(maskOf(*layer)) : nullptr;
}

void requireTruthOn(const Grid& grid, const Grid& truth, const std::string& image) {
  if (!sameGrid(truth, grid))
    throw Error(
        "The truth lies on another grid: " + describeGrid(truth) + " instead of " + describeGrid(grid),
        "its voxels are not those of the " + image, "give the truth that belongs to this " + image);
}

void give(AnalysisInputs& inputs, const std::string& slot, Layer layer) {
  inputs.emplace(slot, std::make_shared<const Layer>(std::move(layer)));
}

}  // namespace sulcus::app
