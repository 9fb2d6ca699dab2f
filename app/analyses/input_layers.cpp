#include "app/analyses/input_layers.h"

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

void give(AnalysisInputs& inputs, const std::string& slot, Layer layer) {
  inputs.emplace(slot, std::make_shared<const Layer>(std::move(layer)));
}

}  // namespace sulcus::app::analyses
