#include "core/registration/population/shape_average.h"

#include "core/base/parallel/parallel_for.h"
#include "core/image/grids/value_check.h"
#include "core/registration/deformation/pyramid.h"
#include "core/registration/preparation/intensity.h"
#include "core/registration/preparation/resample.h"
#include "core/registration/results/registration_result.h"
#include "core/registration/results/transform_chain.h"

#include <algorithm>
#include <cmath>
#include <memory>

namespace sulcus::registration {

Mask objectOf(const Volume<float>& average) {
  const double threshold =
      foregroundThreshold(average.values, std::vector<std::uint8_t>(average.values.size(), 1));
  Mask object(average.grid);
  for (std::size_t i = 0; i < object.values.size(); ++i) object.values[i] = average.values[i] > threshold;
  return object;
}

double correlationIn(const Volume<float>& image, const Volume<float>& average, const Mask& object) {
  double n = 0, a = 0, b = 0, aa = 0, bb = 0, ab = 0;
  for (std::size_t i = 0; i < object.values.size(); ++i) {
    const double x = image.values[i], y = average.values[i];
    if (object.values[i] == 0 || !isSound(image.values[i])) continue;
    ++n, a += x, b += y, aa += x * x, bb += y * y, ab += x * y;
  }
  const double spread = (aa - a * a / n) * (bb - b * b / n);
  return n > 0 && spread > 0 ? (ab - a * b / n) / std::sqrt(spread) : 0;
}

Vec3<double> centerOf(const Mask& object) {
  Vec3<double> center{};
  double count = 0;
  for (std::int64_t i = 0; i < object.grid.voxels(); ++i) {
    if (object.values[i] == 0) continue;
    center = center + object.grid.positionOf(i);
    ++count;
  }
  return (1 / std::max(count, 1.0)) * center;
}

Affine scaleAbout(const Vec3<double>& center, double factor) {
  Affine scale;
  for (std::size_t i = 0; i < 3; ++i) scale.m[i][i] = factor;
  scale.t = (1 - factor) * center;
  return scale;
}

ShapeAverage::ShapeAverage(const Grid& grid, const Mask& object)
    : object_(object), sum_(grid, 3), logJacobian_(grid) {}

void ShapeAverage::add(const Series<float>& field, const Affine& personFromTemplate,
                       const Progress& progress) {
  const Grid& grid = sum_.grid;
  const VectorField<float> u = flowOf(field, grid, personFromTemplate, progress);
  const Vec3<double> spacing = grid.spacing();
  parallelFor(grid.voxels(), progress, [&](std::int64_t i) {
    const Vec3<int> v = grid.voxel(i);
    if (!mayMove(grid.size, v.x, v.y, v.z)) return;
    const Vec3<float> here = u(v.x, v.y, v.z);
    const std::int64_t at = u.index(v.x, v.y, v.z), steps[3]{1, u.row, u.plane};
    for (int c = 0; c < 3; ++c) {
      // With w = −u: w − ½ Dw w = −u − ½ Du u.
      const float* values = u.values[c].data() + at;
      double along = 0;
      for (int k = 0; k < 3; ++k)
        along += (values[steps[k]] - values[-steps[k]]) / (2 * spacing[k]) * here[k];
      sum_.at(i, c) += float(-here[c] - 0.5 * along);
    }
  });
  std::vector<RowFigures> rows;
  const Volume<float> logJacobian = logJacobianOf(u, grid, rows, progress);
  const auto ofLinear = float(std::log(std::abs(personFromTemplate.determinant())));
  forEachVoxel(logJacobian.values.size(),
               [&](std::size_t i) { logJacobian_.values[i] += logJacobian.values[i] + ofLinear; });
  ++people_;
}

Vec3<double> ShapeAverage::meanAt(std::int64_t voxel) const {
  return (1.0 / people_) * Vec3<double>{sum_.at(voxel, 0), sum_.at(voxel, 1), sum_.at(voxel, 2)};
}

double ShapeAverage::moved() const {
  double squares = 0, count = 0;
  for (std::int64_t i = 0; i < sum_.grid.voxels(); ++i)
    if (object_.values[i] != 0) {
      const Vec3<double> mean = meanAt(i);
      squares += dot(mean, mean), ++count;
    }
  return std::sqrt(squares / std::max(count, 1.0)) / finestSpacing(sum_.grid);
}

ShapeAverage::Middle ShapeAverage::middle(const Progress& progress) const {
  constexpr int kSquarings = 5;
  const Grid& grid = sum_.grid;
  auto step = std::make_shared<Series<float>>(grid, 3);
  for (std::int64_t i = 0; i < grid.voxels(); ++i) {
    const Vec3<double> mean = meanAt(i);
    for (int c = 0; c < 3; ++c) step->at(i, c) = float(-std::ldexp(mean[c], -kSquarings));
  }
  Mask covered;
  for (int k = 0; k < kSquarings; ++k)
    step = std::make_shared<Series<float>>(
        TransformChain({{.map = {}, .field = step}, {.map = {}, .field = step}}).on(grid, covered, progress));

  // log J of everybody's map after that step: the previous value plus that of the step.
  std::vector<RowFigures> rows;
  const Volume<float> ofStep = logJacobianOf(flowOf(*step, grid, {}, progress), grid, rows, progress);
  const Series<float> before =
      displaced(Series<float>(logJacobian_), *step, Interpolation::linear, 0, progress);
  double logJacobian = 0, count = 0;
  for (std::size_t at = 0; at < object_.values.size(); ++at)
    if (object_.values[at] != 0) logJacobian += before.values[at] / people_ + ofStep.values[at], ++count;
  Middle middle;
  middle.scale = scaleAbout(centerOf(object_), std::exp(-logJacobian / std::max(count, 1.0) / 3));
  middle.reshaping =
      TransformChain({{.map = {}, .field = step}, {.map = middle.scale}}).on(grid, covered, progress);
  return middle;
}

}  // namespace sulcus::registration
