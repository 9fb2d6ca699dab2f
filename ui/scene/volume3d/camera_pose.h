#pragma once

#include "core/math/vec3.h"

namespace sulcus::ui::scene {

/// The position of a 3D view's camera, mm RAS+.
struct CameraPose {
  Vec3<double> position{0, -1, 0}, focus{}, up{0, 0, 1};
  friend bool operator==(const CameraPose&, const CameraPose&) = default;
};

}  // namespace sulcus::ui::scene
