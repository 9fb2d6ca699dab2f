#include "ui/scene/glyphs/field_shapes.h"

#include "core/image/grids/interpolate.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace sulcus::ui::scene {
namespace {

Vec3<double> voxelCenter(const Vec3<int>& v) { return {double(v.x), double(v.y), double(v.z)}; }

bool isFinite(const Vec3<double>& v) {
  return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
}

/// The intersection of a plane with a voxel lattice: a voxel lies on it if along = −(offset + step·voxel) /
/// step[along].
struct Cut {
  int along = 0, u = 1, v = 2;  ///< the voxel axis nearest to the normal, and the other two
  double offset = 0;
  Vec3<double> step;

  Cut(const Grid& grid, const CutPlane& plane) {
    const Affine& affine = grid.worldFromVoxel;
    offset = dot(affine.t - plane.point, plane.normal);
    for (int axis = 0; axis < 3; ++axis) step[axis] = dot(affine.column(axis), plane.normal);
    for (int axis = 1; axis < 3; ++axis)
      if (std::abs(step[axis]) > std::abs(step[along])) along = axis;
    u = (along + 1) % 3;
    v = (along + 2) % 3;
  }
  void complete(Vec3<double>& voxel) const {
    voxel[along] = -(offset + step[u] * voxel[u] + step[v] * voxel[v]) / step[along];
  }
};

bool inBox(const Grid& grid, const Vec3<double>& voxel, double margin) {
  for (int axis = 0; axis < 3; ++axis)
    if (!(voxel[axis] >= -margin && voxel[axis] <= grid.size[axis] - 1 + margin)) return false;
  return true;
}

/// The first index if every `every`th of 0, 1, … `size` − 1 is taken, with equal distances from both ends.
int firstOf(int size, int every) { return (size - 1) % every / 2; }

void add(std::vector<float>& to, const Vec3<double>& p) {
  for (int c = 0; c < 3; ++c) to.push_back(float(p[c]));
}
void addLine(Sticks& lines, const Vec3<double>& a, const Vec3<double>& b, const Rgb& colorA,
             const Rgb& colorB) {
  add(lines.points, a), add(lines.points, b);
  lines.colors.insert(lines.colors.end(), colorA.begin(), colorA.end());
  lines.colors.insert(lines.colors.end(), colorB.begin(), colorB.end());
}

/// The head of an arrow.
struct Head {
  Vec3<double> tip, direction;
  double height;
  std::optional<Vec3<double>> facing;  ///< a triangle that faces this way, else a cone
};

void addHead(Surfaces& heads, const Head& head, const Rgb& color) {
  constexpr int kSides = 6;
  const auto& [tip, direction, height, facing] = head;
  const Vec3<double> foot = tip - height * direction;
  const auto first = std::int32_t(heads.points.size() / 3);
  const auto addPoint = [&](const Vec3<double>& p, const Vec3<double>& n) {
    add(heads.points, p), add(heads.normals, n);
    heads.colors.insert(heads.colors.end(), color.begin(), color.end());
  };
  if (facing) {
    const Vec3<double> side = 0.42 * height * normalized(cross(*facing, direction));
    for (const Vec3<double>& corner : {tip, foot + side, foot - side}) addPoint(corner, *facing);
    heads.triangles.insert(heads.triangles.end(), {first, first + 1, first + 2});
    return;
  }
  const Vec3<double> other = std::abs(direction.x) < 0.8 ? Vec3<double>{1, 0, 0} : Vec3<double>{0, 1, 0};
  const Vec3<double> a = normalized(cross(direction, other)), b = cross(direction, a);
  addPoint(tip, direction);
  for (int i = 0; i < kSides; ++i) {
    const double angle = 2 * M_PI * i / kSides;
    const Vec3<double> out = std::cos(angle) * a + std::sin(angle) * b;
    addPoint(foot + 0.38 * height * out, out);
  }
  for (int i = 0; i < kSides; ++i)
    heads.triangles.insert(heads.triangles.end(), {first, first + 1 + i, first + 1 + (i + 1) % kSides});
}

}  // namespace

FieldSampler::FieldSampler(const Series<float>& field, bool withoutAffine) : field_(&field) {
  if (!withoutAffine) return;
  // On a complete lattice the coordinates, counted from its center, are orthogonal: each slope is a single
  // sum.
  constexpr int kPerAxis = 24;
  const Grid& g = field.grid;
  Vec3<int> stride, first;
  for (int a = 0; a < 3; ++a) {
    stride[a] = std::max(1, g.size[a] / kPerAxis);
    first[a] = firstOf(g.size[a], stride[a]);
    const int count = (g.size[a] - 1 - first[a]) / stride[a];
    center_[a] = first[a] + 0.5 * count * stride[a];
  }
  double count = 0;
  Vec3<double> spread;
  for (int z = first.z; z < g.size.z; z += stride.z)
    for (int y = first.y; y < g.size.y; y += stride.y)
      for (int x = first.x; x < g.size.x; x += stride.x) {
        const std::int64_t i = g.index(x, y, z);
        Vec3<double> u{field.at(i, 0), field.at(i, 1), field.at(i, 2)};
        if (!isFinite(u)) u = {};
        const Vec3<double> from = voxelCenter({x, y, z}) - center_;
        mean_ = mean_ + u;
        for (int a = 0; a < 3; ++a) slope_[a] = slope_[a] + from[a] * u, spread[a] += from[a] * from[a];
        ++count;
      }
  mean_ = (1 / std::max(1.0, count)) * mean_;
  for (int a = 0; a < 3; ++a) slope_[a] = spread[a] > 0 ? (1 / spread[a]) * slope_[a] : Vec3<double>{};
}

Vec3<double> FieldSampler::at(const Vec3<double>& voxel) const {
  const auto cell = cellAt(field_->grid.size, voxel.x, voxel.y, voxel.z);
  Vec3<double> u;
  for (int c = 0; c < 3; ++c) u[c] = interpolated(field_->volume(c).data, cell);
  const Vec3<double> from = voxel - center_;
  return u - mean_ - (from.x * slope_[0] + from.y * slope_[1] + from.z * slope_[2]);
}

int everyForGrid(const Grid& grid) {
  return std::max(1, int(std::lround(std::max({grid.size.x, grid.size.y, grid.size.z}) / 24.0)));
}

int everyForArrows(const Grid& grid) {
  return std::max(1, int(std::lround(std::max({grid.size.x, grid.size.y, grid.size.z}) / 32.0)));
}

std::int64_t gridPieces(const Grid& grid, const CutPlane& plane, int every) {
  const Cut cut(grid, plane);
  return std::int64_t(grid.size[cut.u]) * grid.size[cut.v] * 2 / every;
}

void appendGridLines(const FieldSampler& field, const CutPlane& plane, int every, bool flat,
                     const FieldColor& color, Sticks& lines) {
  const Grid& grid = field.grid();
  const Cut cut(grid, plane);
  const Affine voxelFromWorld = grid.worldFromVoxel.inverse();
  for (const auto& [across, free] : {std::pair(cut.u, cut.v), std::pair(cut.v, cut.u)})
    for (int k = firstOf(grid.size[across], every); k < grid.size[across]; k += every) {
      Vec3<double> before;
      Rgb colorBefore{};
      bool started = false;
      for (int s = 0; s < grid.size[free]; ++s) {
        Vec3<double> voxel;
        voxel[across] = k;
        voxel[free] = s;
        cut.complete(voxel);
        const Vec3<double> u = field.at(voxel);
        const Vec3<double> moved =
            grid.worldFromVoxel.point(voxel) + u - (flat ? dot(u, plane.normal) : 0) * plane.normal;
        const bool seen =
            inBox(grid, voxel, 0.5) && isFinite(moved) && inBox(grid, voxelFromWorld.point(moved), 0.5);
        const Rgb now = seen ? color(u) : Rgb{};
        if (seen && started) addLine(lines, before, moved, colorBefore, now);
        before = moved;
        colorBefore = now;
        started = seen;
      }
    }
}

std::vector<std::int64_t> arrowVoxels(const Grid& grid, const CutPlane& plane, int every) {
  const Cut cut(grid, plane);
  std::vector<std::int64_t> voxels;
  for (int q = firstOf(grid.size[cut.v], every); q < grid.size[cut.v]; q += every)
    for (int p = firstOf(grid.size[cut.u], every); p < grid.size[cut.u]; p += every) {
      Vec3<double> place;
      place[cut.u] = p;
      place[cut.v] = q;
      cut.complete(place);
      const double nearest = std::floor(place[cut.along] + 0.5);
      if (!(nearest >= 0 && nearest < grid.size[cut.along])) continue;
      Vec3<int> voxel;
      voxel[cut.u] = p;
      voxel[cut.v] = q;
      voxel[cut.along] = int(nearest);
      voxels.push_back(grid.index(voxel.x, voxel.y, voxel.z));
    }
  return voxels;
}

void appendArrows(const FieldSampler& field, const std::vector<std::int64_t>& voxels, const ArrowStyle& style,
                  const FieldColor& color, Arrows& arrows) {
  const auto& [plane, every, flat] = style;
  const Grid& grid = field.grid();
  const Affine voxelFromWorld = grid.worldFromVoxel.inverse();
  const Vec3<double> spacing = grid.spacing();
  const double between = every * std::min({spacing.x, spacing.y, spacing.z});
  const Vec3<double>& normal = style.plane.normal;
  const auto flattened = [&](const Vec3<double>& v) { return v - dot(v, normal) * normal; };
  for (const std::int64_t index : voxels) {
    const Vec3<double> voxel = voxelCenter(grid.voxel(index));
    const Vec3<double> u = field.at(voxel);
    if (!isFinite(u)) continue;
    Vec3<double> from = grid.worldFromVoxel.point(voxel);
    if (flat) from = from - dot(from - plane.point, plane.normal) * plane.normal;
    const Vec3<double> shown = flat ? flattened(u) : u;
    const double length = norm(shown);
    const Vec3<double> tip = from + shown;
    if (length < 0.01 * between || !inBox(grid, voxelFromWorld.point(tip), every)) continue;
    const Vec3<double> direction = (1 / length) * shown;
    const double height = std::min(0.6 * length, 0.45 * between);
    const Rgb c = color(u);
    addLine(arrows.shafts, from, tip - 0.8 * height * direction, c, c);
    addHead(arrows.heads, {tip, direction, height, flat ? std::optional(plane.normal) : std::nullopt}, c);
  }
}

}  // namespace sulcus::ui::scene
