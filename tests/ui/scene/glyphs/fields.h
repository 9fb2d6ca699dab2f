#pragma once

#include "core/image/layer.h"
#include "ui/scene/scene_layer.h"

#include <memory>

namespace sulcus::ui::scene {

/// A displacement, mm, from its formula of the position.
template <class Formula>
Series<float> fieldOf(const Grid& grid, Formula&& formula) {
  Series<float> field(grid, 3);
  for (std::int64_t i = 0; i < grid.voxels(); ++i) {
    const Vec3<int> v = grid.voxel(i);
    const Vec3<float> u = formula(grid.worldFromVoxel.point({double(v.x), double(v.y), double(v.z)}));
    for (int c = 0; c < 3; ++c) field.at(i, c) = u[c];
  }
  return field;
}

template <class Formula>
LayerPtr fieldLayer(const Grid& grid, Formula&& formula) {
  auto layer = std::make_shared<Layer>();
  layer->name = "displacement";
  layer->unit = "mm";
  layer->content = DisplacementLayer{std::make_shared<const Series<float>>(fieldOf(grid, formula))};
  return layer;
}

}  // namespace sulcus::ui::scene
