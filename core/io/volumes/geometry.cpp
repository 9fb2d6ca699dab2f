#include "core/io/volumes/geometry.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>

namespace sulcus::io {

Affine flipLps(const Affine& affine) {
  Affine flipped = affine;
  for (int world = 0; world < 2; ++world) {
    for (double& entry : flipped.m[world]) entry = -entry;
    flipped.t[world] = -flipped.t[world];
  }
  return flipped;
}

double shear(const Affine& worldFromVoxel) {
  double largest = 0;
  for (int a = 0; a < 3; ++a) {
    const auto u = worldFromVoxel.column(a), v = worldFromVoxel.column((a + 1) % 3);
    largest = std::max(largest, std::abs(dot(u, v)) / (norm(u) * norm(v)));
  }
  return largest;
}

void noteShear(const Affine& worldFromVoxel, Notes& notes) {
  const double cosine = shear(worldFromVoxel);
  if (!(cosine > 1e-3)) return;
  char text[100];
  std::snprintf(text, sizeof text,
                "Voxel axes are not perpendicular (sheared): %.4g° between two of them; kept.",
                std::acos(cosine) * 180 / std::numbers::pi);
  notes.push_back(text);
}

bool usable(const Affine& worldFromVoxel) {
  // Scanners and microscopes make voxels between a nanometer and a meter, within 10 km of the origin.
  constexpr double kFinest = 1e-6, kCoarsest = 1e3, kFarthest = 1e7;  // mm
  double edges = 1;
  for (int a = 0; a < 3; ++a) {
    const double edge = norm(worldFromVoxel.column(a));
    edges *= edge;
    if (!(edge >= kFinest && edge <= kCoarsest) || !(std::abs(worldFromVoxel.t[a]) <= kFarthest))
      return false;
  }
  return std::abs(worldFromVoxel.determinant()) > 1e-6 * edges;
}

std::string handednessNote(const Grid& grid) {
  // The largest angle between a voxel axis and its nearest anatomical direction.
  double smallest = 1;
  for (int axis = 0; axis < 3; ++axis) {
    const auto column = grid.worldFromVoxel.column(axis);
    smallest = std::min(
        smallest, std::max({std::abs(column.x), std::abs(column.y), std::abs(column.z)}) / norm(column));
  }
  const double degrees = std::acos(std::min(1.0, smallest)) * 180 / std::numbers::pi;
  std::string note =
      "Voxel axes point " + orientationCode(grid) + ": " +
      (grid.worldFromVoxel.determinant() > 0 ? "right-handed" : "left-handed (radiological storage)");
  if (degrees > 0.1) {
    char text[48];
    std::snprintf(text, sizeof text, ", oblique by up to %.1f°", degrees);
    note += text;
  }
  return note + ".";
}

}  // namespace sulcus::io
