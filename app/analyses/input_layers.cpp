#include "app/analyses/input_layers.h"

#include "core/base/error.h"

namespace sulcus::app::analyses {

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

std::shared_ptr<const Mask> maskIn(const AnalysisInputs& inputs, const std::string& slot) {
  const Layer* layer = layerOf(inputs, slot);
  return layer ? std::make_shared<const Mask>(maskOf(*layer)) : nullptr;
}

void requireOn(const AnalysisInputs& inputs, const std::string& slot, const Grid& grid,
               const std::string& image) {
  for (const Layer* layer : layersOf(inputs, slot))
    if (const Grid* own = gridOf(*layer); own && !sameGrid(*own, grid))
      throw Error("'" + layer->name + "' lies on another grid than the " + image + ": " + describeGrid(*own) +
                      " and " + describeGrid(grid),
                  "their voxels do not correspond",
                  "choose one that was made for this " + image + ", or resample it");
}

void give(AnalysisInputs& inputs, const std::string& slot, Layer layer) {
  inputs.emplace(slot, std::make_shared<const Layer>(std::move(layer)));
}

}  // namespace sulcus::app::analyses
