#pragma once

#include "core/image/volume.h"

#include <cmath>
#include <cstdint>
#include <vector>

// A smooth brightness field, as caused by coils, and its difference from another one.
namespace sulcus::test {

/// Factors of 0.74 to 1.35 that vary over about 100 mm.
inline Volume<float> smoothField(const Grid& grid) {
  Volume<float> field(grid);
  for (std::int64_t i = 0; i < grid.voxels(); ++i) {
    const Vec3<int> v = grid.voxel(i);
    const auto p = grid.worldFromVoxel.point({double(v.x), double(v.y), double(v.z)});
    field.values[std::size_t(i)] =
        float(std::exp(0.3 * std::sin(p.x / 50 + 0.4) * std::cos(p.y / 60) * std::cos(p.z / 80 - 0.3)));
  }
  return field;
}

inline Series<float> times(Series<float> image, const Volume<float>& field) {
  for (std::size_t i = 0; i < field.values.size(); ++i) image.values[i] *= field.values[i];
  return image;
}

/// The standard deviation over the object of the logarithm of the ratio of two fields, which is independent
/// of a constant factor.
inline double logError(const Volume<float>& field, const Volume<float>& truth, const Mask& object) {
  double sum = 0, squares = 0, n = 0;
  for (std::size_t i = 0; i < truth.values.size(); ++i)
    if (object.values[i]) {
      const double error = std::log(double(field.values[i]) / truth.values[i]);
      sum += error, squares += error * error, ++n;
    }
  return std::sqrt(squares / n - sum / n * sum / n);
}

}  // namespace sulcus::test
