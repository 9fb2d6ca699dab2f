#pragma once

#include "core/image/labels/label_table.h"
#include "core/math/vec3.h"

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace sulcus {

/// A triangle surface in RAS+ mm.
struct Mesh {
  std::vector<Vec3<float>> points;
  std::vector<std::array<std::int32_t, 3>> triangles;      ///< counter-clockwise seen from outside
  std::map<std::string, std::vector<float>> pointScalars;  ///< e.g. "displacement", one per point
  /// Names and colors of those scalars that are labels, by scalar name.
  std::map<std::string, std::shared_ptr<const LabelTable>> labelTables;
};

/// Merges points that are exactly equal, keeping the order and the scalars of the first of each.
Mesh welded(const Mesh& mesh);

}  // namespace sulcus
