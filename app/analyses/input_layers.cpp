#include "app/analyses/input_layers.h"

#include "core/base/error.h"
#include "core/base/sentence.h"
#include "core/image/display/layer_kinds.h"
#include "core/image/display/layer_values.h"

#include <algorithm>
#include <cmath>

namespace sulcus::app::analyses {

bool isSeries(const Layer& layer) {
  const auto* volume = std::get_if<VolumeLayer>(&layer.content);
  return volume && !volume->colors && volume->series->count > 1;
}

bool isDiffusion(const Layer& layer) {
  return isSeries(layer) && !std::get<VolumeLayer>(layer.content).gradients.empty();
}

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

double gridVoxels(const AnalysisInputs& inputs, const char* slot) {
  const Layer* layer = layerOf(inputs, slot);
  const Grid* grid = layer ? gridOf(*layer) : nullptr;
  return grid ? double(grid->voxels()) : 0;
}

double voxelsIn(const AnalysisInputs& inputs, const char* slot) {
  const auto mask = maskIn(inputs);
  if (!mask) return gridVoxels(inputs, slot);
  return double(mask->values.size()) - double(std::count(mask->values.begin(), mask->values.end(), 0));
}

void requireOn(const AnalysisInputs& inputs, const std::string& slot, const Grid& grid,
               const std::string& image) {
  for (const Layer* layer : layersOf(inputs, slot))
    if (const Grid* own = gridOf(*layer); own && !sameGrid(*own, grid))
      throw Error("'" + layer->name + "' has a different grid than the " + image + ": " + describeGrid(*own) +
                      " and " + describeGrid(grid),
                  "their voxels do not correspond",
                  "choose one that was made for this " + image + ", or resample it");
}

AnalysisInputs withSlice(AnalysisInputs inputs, const Mask* mask, const Grid& grid,
                         const SliceInView& slice) {
  const Affine axes = imageAxes(grid);
  const auto along = [&](int j) { return std::abs(axes.m[std::size_t(slice.axis)][std::size_t(j)]); };
  int axis = along(1) > along(2) ? 1 : 2;
  if (along(0) > along(axis)) axis = 0;
  const auto wanted = std::lround(grid.worldFromVoxel.inverse().point(slice.at)[axis]);
  Mask inSlice(grid);
  bool any = false;
  for (std::int64_t i = 0; i < grid.voxels(); ++i) {
    const bool in = grid.voxel(i)[axis] == wanted && (!mask || mask->values[std::size_t(i)] != 0);
    inSlice.values[std::size_t(i)] = in;
    any = any || in;
  }
  if (!any) return {};
  inputs.erase("mask");
  give(inputs, "mask", maskLayer("slice", inSlice));
  return inputs;
}

InputSlot phantomTissueSlot() {
  return {"tissue",
          "Tissue maps",
          "Probabilities of csf, gm and wm of a brain in MNI space, from which the scan is made instead of a "
          "computed head",
          false,
          isImage,
          true};
}

Series<float> phantomTissueIn(const AnalysisInputs& inputs) {
  Series<float> tissue;
  for (const Layer* layer : layersOf(inputs, "tissue")) {
    const Series<float>& map = *volumeOf(*layer, "tissue").series;
    if (tissue.count == 0) tissue.grid = map.grid;
    if (!sameGrid(map.grid, tissue.grid))
      throw Error("'" + layer->name + "' has a different grid than the maps before it",
                  "the maps belong together voxel by voxel", "give maps of one size and place");
    tissue.values.insert(tissue.values.end(), map.values.begin(), map.values.end());
    tissue.count += map.count;
  }
  if (tissue.count != 3)
    throw Error(text("The tissue has ", tissue.count, " volumes"), "csf, gm and wm are one each",
                "give three maps in this order", ErrorKind::usage);
  return tissue;
}

void give(AnalysisInputs& inputs, const std::string& slot, Layer layer) {
  inputs.emplace(slot, std::make_shared<const Layer>(std::move(layer)));
}

}  // namespace sulcus::app::analyses
