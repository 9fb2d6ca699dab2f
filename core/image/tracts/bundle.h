#pragma once

#include "core/math/vec3.h"

#include <cstdint>
#include <string>
#include <vector>

namespace sulcus {

/// A sphere or an axis-aligned box that lines must meet, must not meet, must end in, or grow from.
struct TractRegion {
  enum class Role { include, exclude, end, seed };
  enum class Shape { sphere, box };

  Role role = Role::include;
  Shape shape = Shape::sphere;
  Vec3<double> center;          ///< mm RAS+
  Vec3<double> reach{5, 5, 5};  ///< extent from the center, mm: the radius three times, or half of each edge

  friend bool operator==(const TractRegion&, const TractRegion&) = default;
};

/// Lines that were selected by regions and kept under a name.
struct Bundle {
  std::string name;
  std::vector<TractRegion> regions;
  std::vector<std::uint32_t> lines;  ///< ascending
  int color = 0;
  bool visible = true;
};

}  // namespace sulcus
