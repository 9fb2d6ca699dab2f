#pragma once

#include "core/image/labels/label_table.h"
#include "core/image/volume.h"
#include "core/math/affine.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace sulcus {

/// The voxels of one label.
struct LabelBody {
  std::shared_ptr<const Volume<Label>> labels;  ///< the image that they are of
  Label label = 0;
  Mask mask;              ///< of the part of the image that holds them; no voxels where there are none
  Affine voxelFromWorld;  ///< of the mask
  Vec3<double> center{};  ///< of the box along the axes around them, mm RAS+
  Vec3<double> reach{};   ///< half of the edges of the box
};

/// What lines must meet, must not meet, must end in, or grow from: a sphere, a box along the axes, or the
/// voxels of a label.
struct TractRegion {
  enum class Role { include, exclude, end, seed };
  enum class Shape { sphere, box, label };

  Role role = Role::include;
  Shape shape = Shape::sphere;
  Vec3<double> center;          ///< mm RAS+
  Vec3<double> reach{5, 5, 5};  ///< extent from the center, mm: the radius three times, or half of each edge
  std::shared_ptr<const LabelBody> body = nullptr;  ///< of a label, which lies in the box given above

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
