#include "core/surface/surface_maps.h"

#include "core/base/numbers.h"
#include "core/levelset/mesh_measures.h"

#include <algorithm>

namespace sulcus::surface {
namespace {

Layer displacedLayer(Mesh mesh, const Volume<float>& inputPhi) {
  auto& displacement = mesh.pointScalars[kDisplacementScalars] = levelset::sampledAt(inputPhi, mesh.points);
  Layer layer;
  layer.name = "surface";
  layer.unit = "mm";
  layer.display.colormap = "cool-warm";
  layer.display.colorBar = true;
  layer.display.range = symmetricRange(displacement, 0.1 * voxelEdge(inputPhi.grid));
  layer.notes.push_back(
      "Displacement: signed distance to the input surface in mm, positive where the surface moved outwards.");
  layer.content = MeshLayer{std::make_shared<const Mesh>(std::move(mesh))};
  return layer;
}

Layer phiLayer(Volume<float> phi) {
  // The colors are for values near the surface; all others are saturated.
  const double reach = 5 * voxelEdge(phi.grid);
  Layer layer = mapLayer("phi", "mm", "cool-warm", Series<float>(std::move(phi)), Range{-reach, reach});
  layer.notes.push_back("Level set in mm, negative inside; a distance near the surface only.");
  return layer;
}

}  // namespace

Layer plainSurfaceLayer(std::string name, std::shared_ptr<const Mesh> mesh) {
  Layer layer;
  layer.name = std::move(name);
  layer.unit = "mm";
  layer.content = MeshLayer{std::move(mesh)};
  return layer;
}

std::vector<Layer> surfaceLayers(Mesh mesh, Volume<float> phi, const Volume<float>& inputPhi,
                                 const std::vector<SurfaceIteration>& iterations) {
  std::vector<Layer> layers{displacedLayer(std::move(mesh), inputPhi)};
  Mask inside(phi.grid);
  std::transform(phi.values.begin(), phi.values.end(), inside.values.begin(),
                 [](float value) { return std::uint8_t(value < 0); });
  layers.push_back(phiLayer(std::move(phi)));
  layers.push_back(maskLayer("mask", inside));
  layers.push_back(tableLayer("energy", surfaceEnergyTable(iterations)));
  return layers;
}

std::vector<Layer> surfacePreview(Mesh mesh, const Volume<float>& phi, const Volume<float>& inputPhi) {
  return {displacedLayer(std::move(mesh), inputPhi), phiLayer(phi)};
}

TableLayer surfaceEnergyTable(const std::vector<SurfaceIteration>& iterations) {
  TableLayer table;
  table.columns = {"pass", "iteration", "energy_mm2", "change_mm"};
  for (const auto& i : iterations)
    table.rows.push_back(
        {std::to_string(i.pass), std::to_string(i.iteration), nineDigits(i.energy), nineDigits(i.change)});
  return table;
}

}  // namespace sulcus::surface
