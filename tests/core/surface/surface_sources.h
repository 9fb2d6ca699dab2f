#pragma once

#include "core/surface/surface_source.h"

#include <functional>
#include <memory>
#include <string>

#include <gtest/gtest.h>

namespace sulcus::surface {

/// Layers from which surfaces are made, on 24³ voxels of 1 mm around 0.
class SourceTest : public testing::Test {
 protected:
  static Grid grid() {
    Grid grid{{24, 24, 24}, {}};
    for (int i = 0; i < 3; ++i) grid.worldFromVoxel.t[i] = -11.5;
    return grid;
  }
  /// A function of the distance from the center, mm.
  static LayerPtr ball(const std::string& name, const std::function<float(double)>& at) {
    Volume<float> values(grid());
    for (std::int64_t i = 0; i < values.grid.voxels(); ++i) {
      const Vec3<int> v = values.grid.voxel(i);
      values.values[std::size_t(i)] =
          at(norm(values.grid.worldFromVoxel.point({double(v.x), double(v.y), double(v.z)})));
    }
    return std::make_shared<const Layer>(mapLayer(name, "", "gray", Series<float>(std::move(values))));
  }
  static LayerPtr within(double mm) {
    return ball("ball", [mm](double radius) { return radius < mm ? 1.F : 0.F; });
  }
  static LayerPtr cube(double edge) {
    Mesh mesh;
    for (int corner = 0; corner < 8; ++corner)
      mesh.points.push_back(
          {float(edge * (corner & 1)), float(edge * (corner >> 1 & 1)), float(edge * (corner >> 2))});
    mesh.triangles = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                      {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
    Layer layer;
    layer.name = "cube";
    layer.content = MeshLayer{std::make_shared<const Mesh>(std::move(mesh))};
    return std::make_shared<const Layer>(std::move(layer));
  }

  SurfaceOptions options_;
};

}  // namespace sulcus::surface
