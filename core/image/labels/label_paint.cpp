#include "core/image/labels/label_paint.h"

#include <algorithm>
#include <cmath>

namespace sulcus {
namespace {

constexpr const char* kPaintedNote = "Painted in Sulcus.";

/// Squared distance of p from the segment along which the brush moves, mm².
double squaredDistance(const Vec3<double>& p, const Vec3<double>& from, const Vec3<double>& to) {
  const Vec3<double> along = to - from;
  const double length = dot(along, along);
  const double share = length > 0 ? std::clamp(dot(p - from, along) / length, 0.0, 1.0) : 0;
  const Vec3<double> offset = p - (from + share * along);
  return dot(offset, offset);
}

Vec3<int> nearestVoxel(const Vec3<double>& voxel) {
  return {int(std::floor(voxel.x + 0.5)), int(std::floor(voxel.y + 0.5)), int(std::floor(voxel.z + 0.5))};
}

/// The voxels from `low` to `high`.
struct VoxelBox {
  Vec3<int> low, high;
};

/// The voxels of a grid that a brush may reach.
VoxelBox brushBox(const BrushStroke& stroke, const Grid& grid, const Affine& voxelFromWorld) {
  VoxelBox box;
  for (int axis = 0; axis < 3; ++axis) {
    const auto& row = voxelFromWorld.m[axis];
    const double reach = stroke.radius * std::sqrt(row[0] * row[0] + row[1] * row[1] + row[2] * row[2]);
    const double a = voxelFromWorld.point(stroke.from)[axis], b = voxelFromWorld.point(stroke.to)[axis];
    box.low[axis] = std::max(0, int(std::floor(std::min(a, b) - reach)));
    box.high[axis] = std::min(grid.size[axis] - 1, int(std::ceil(std::max(a, b) + reach)));
  }
  return box;
}

/// Half the thickness of the slice that is painted on, which is half the distance to the next one, mm.
double halfSliceOf(const BrushStroke& stroke, const Grid& grid) {
  double half = 0;
  if (stroke.across)
    for (int axis = 0; axis < 3; ++axis)
      half = std::max(half, 0.5 * std::abs(dot(grid.worldFromVoxel.column(axis), *stroke.across)));
  return half;
}

/// Whether a brush passes over a position.
bool passesOver(const BrushStroke& stroke, double halfSlice, Vec3<double> at) {
  if (stroke.across) {
    const double off = dot(at - stroke.from, *stroke.across);
    if (off < -halfSlice || off >= halfSlice) return false;  // the upper boundary belongs to the next slice
    at = at - off * *stroke.across;
  }
  return squaredDistance(at, stroke.from, stroke.to) <= stroke.radius * stroke.radius;
}

}  // namespace

std::int64_t paint(Volume<Label>& labels, const BrushStroke& stroke) {
  const Grid& grid = labels.grid;
  const Affine voxelFromWorld = grid.worldFromVoxel.inverse();
  std::int64_t changed = 0;
  const auto set = [&](const Vec3<int>& v) {
    if (!grid.contains(v.x, v.y, v.z)) return;
    Label& label = labels(v.x, v.y, v.z);
    if (label == stroke.label || (stroke.onlyOver && label != *stroke.onlyOver)) return;
    label = stroke.label;
    ++changed;
  };
  const auto [low, high] = brushBox(stroke, grid, voxelFromWorld);
  const double halfSlice = halfSliceOf(stroke, grid);
  for (int z = low.z; z <= high.z; ++z)
    for (int y = low.y; y <= high.y; ++y)
      for (int x = low.x; x <= high.x; ++x)
        if (passesOver(stroke, halfSlice, grid.positionOf({x, y, z}))) set({x, y, z});
  for (const Vec3<double>& end : {stroke.from, stroke.to}) set(nearestVoxel(voxelFromWorld.point(end)));
  return changed;
}

Layer emptyLabels(const std::string& name, const Grid& grid) {
  Layer layer;
  layer.name = name;
  layer.content = LabelsLayer{std::make_shared<const Volume<Label>>(grid)};
  layer.display.interpolate = false;
  layer.display.opacity = 0.6;
  layer.notes = {kPaintedNote};
  return layer;
}

Layer withLabels(const Layer& layer, std::shared_ptr<const Volume<Label>> labels) {
  Layer painted = layer;
  std::get<LabelsLayer>(painted.content).labels = std::move(labels);
  if (!painted.source.empty()) painted.notes.push_back("It was opened from " + painted.source + ".");
  painted.source.clear();
  painted.provenance.reset();
  if (std::find(painted.notes.begin(), painted.notes.end(), kPaintedNote) == painted.notes.end())
    painted.notes.emplace_back(kPaintedNote);
  return painted;
}

}  // namespace sulcus
