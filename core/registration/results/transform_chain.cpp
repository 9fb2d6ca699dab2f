#include "core/registration/results/transform_chain.h"

#include "core/base/error.h"
#include "core/base/parallel/parallel_for.h"
#include "core/image/grids/interpolate.h"
#include "core/math/linear_algebra.h"
#include "core/registration/deformation/inverse_kernel.h"
#include "core/registration/preparation/resample.h"

#include <algorithm>

namespace sulcus::registration {
namespace {

/// The displacement of a field at a position in voxels, or at the nearest one inside.
Vec3<double> displacementAt(const Series<float>& field, const Vec3<double>& v) {
  const Cell<double> cell = cellAt(field.grid.size, v.x, v.y, v.z);
  return {interpolated<double>(field.volume(0).data, cell), interpolated<double>(field.volume(1).data, cell),
          interpolated<double>(field.volume(2).data, cell)};
}

/// Adds a bᵀ to a matrix.
void addProduct(const Vec3<double>& a, const Vec3<double>& b, Affine& sum) {
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c) sum.m[r][c] += a[r] * b[c];
}

/// The affine map nearest to x + field(x) over the voxels, by least squares.
Affine affinePartOf(const Series<float>& field) {
  const Grid& grid = field.grid;
  const Vec3<double> middle = grid.center();
  Affine squares, products;
  squares.m = products.m = {};
  Vec3<double> sum{};
  for (std::int64_t i = 0; i < grid.voxels(); ++i) {
    const Vec3<double> x = grid.positionOf(i) - middle;
    const Vec3<double> d{field.at(i, 0), field.at(i, 1), field.at(i, 2)};
    sum = sum + d;
    addProduct(x, x, squares);
    addProduct(d, x, products);
  }
  for (int axis = 0; axis < 3; ++axis)  // along an axis of one voxel nothing is known
    if (grid.size[axis] == 1)
      addProduct(grid.worldFromVoxel.column(axis), grid.worldFromVoxel.column(axis), squares);
  const Affine slope = products * squares.inverse();
  Affine map;
  for (std::size_t r = 0; r < 3; ++r)
    for (std::size_t c = 0; c < 3; ++c) map.m[r][c] += slope.m[r][c];
  map.t = (1 / double(grid.voxels())) * sum + middle - map.vector(middle);
  return map;
}

Affine invertible(const Affine& map) {
  const double size = map.determinant();
  if (!std::isfinite(size) || size == 0)
    throw Error("A transform has no inverse", "its matrix is singular", "give one that can be undone");
  return map.inverse();
}

}  // namespace

TransformChain::Step TransformChain::inverseOf(const Series<float>& field) {
  const Grid& grid = field.grid;
  Step step;
  step.field = &field;
  step.voxelFromWorld = grid.worldFromVoxel.inverse();
  step.map = invertible(affinePartOf(field));
  const Affine voxelFromMoved = step.voxelFromWorld * step.map;
  auto bend = std::make_shared<VectorField<float>>(grid.size);
  parallelFor(grid.voxels(), {}, [&](std::int64_t i) {
    const Vec3<int> v = grid.voxel(i);
    const Vec3<double> d{field.at(i, 0), field.at(i, 1), field.at(i, 2)};
    const Vec3<double> u = placeOf(v) - voxelFromMoved.point(grid.worldFromVoxel.point(placeOf(v)) + d);
    bend->set(v.x, v.y, v.z, {float(u.x), float(u.y), float(u.z)});
  });
  step.bend = std::move(bend);
  return step;
}

TransformChain::TransformChain(const std::vector<Transform>& transforms) : transforms_(transforms) {
  for (auto transform = transforms_.rbegin(); transform != transforms_.rend(); ++transform) {
    Step step;
    if (!transform->field) {
      step.map = transform->inverse ? invertible(transform->map) : transform->map;
    } else {
      requireField(*transform->field);
      if (transform->inverse) {
        step = inverseOf(*transform->field);
      } else {
        step.field = transform->field.get();
        step.voxelFromWorld = step.field->grid.worldFromVoxel.inverse();
      }
    }
    steps_.push_back(std::move(step));
  }
}

Vec3<double> TransformChain::through(const Step& step, const Vec3<double>& p, bool& reached) const {
  if (!step.field) return step.map.point(p);
  const Grid& grid = step.field->grid;
  if (!step.bend) {
    const Vec3<double> v = step.voxelFromWorld.point(p);
    reached = reached && isInImage(grid.size, v);
    return p + displacementAt(*step.field, v);
  }
  const Vec3<double> straight = step.map.point(p);
  const VoxelDisplacement bend{arraysOf(*step.bend), {1, 1, 1}};
  Vec3<double> y = step.voxelFromWorld.point(straight);
  for (int axis = 0; axis < 3; ++axis)
    if (grid.size[axis] == 1) y[axis] = 0;
  const Vec3<double> begin = y + bend.at(y).value;
  const Vec3<int>& n = grid.size;
  const Preimage found = newton(
      bend, y, {clampedToAxis(begin.x, n.x), clampedToAxis(begin.y, n.y), clampedToAxis(begin.z, n.z)});
  if (found.residual <= kConverged) {
    Vec3<double> at = found.point;
    const Vec3<double> own = step.voxelFromWorld.point(straight);
    for (int axis = 0; axis < 3; ++axis)
      if (n[axis] == 1) at[axis] = own[axis];
    return grid.worldFromVoxel.point(at);
  }
  reached = false;
  return straight;
}

Vec3<double> TransformChain::operator()(Vec3<double> p, bool& reached) const {
  reached = true;
  for (const Step& step : steps_) p = through(step, p, reached);
  return p;
}

Series<float> TransformChain::on(const Grid& grid, Mask& covered, const Progress& progress) const {
  Series<float> result(grid, 3);
  covered = Mask(grid);
  parallelForBlocks(grid.voxels(), kVoxelsPerBlock, progress, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const Vec3<double> x = grid.positionOf(i);
      bool reached = true;
      const Vec3<double> u = (*this)(x, reached) - x;
      for (int c = 0; c < 3; ++c) result.at(i, c) = float(u[c]);
      covered.values[i] = reached;
    }
  });
  if (std::all_of(covered.values.begin(), covered.values.end(), [](auto c) { return c == 0; }))
    throw Error("The displacement field does not reach the image it should be applied on (" +
                    describeGrid(grid) + ")",
                "they lie at different places in scanner space",
                "give the reference of the registration, or an image in its space, and transforms in the "
                "order in which the image goes through them");
  return result;
}

}  // namespace sulcus::registration
