#include "core/registration/preparation/noise.h"

#include "core/base/parallel/parallel_for.h"

#include <algorithm>
#include <cmath>

namespace sulcus::registration {
namespace {

/// The second difference along each axis of at least three voxels, one after the other.
struct SecondDifferences {
  std::vector<std::int64_t> neighbors{0};  ///< distances in memory
  std::vector<float> weights{1};
  double gain = 1;  ///< factor by which the variance of noise grows

  explicit SecondDifferences(const Vec3<int>& size) {
    const std::int64_t strides[3] = {1, size.x, std::int64_t(size.x) * size.y};
    for (int axis = 0; axis < 3; ++axis)
      if (size[axis] >= 3) extendAlong(strides[axis]);
  }

  float at(const float* voxel) const {
    float sum = 0;
    for (std::size_t i = 0; i < neighbors.size(); ++i) sum += weights[i] * voxel[neighbors[i]];
    return sum;
  }

 private:
  void extendAlong(std::int64_t stride) {
    gain *= 6;
    const std::size_t n = neighbors.size();
    for (const int side : {-1, 1})
      for (std::size_t i = 0; i < n; ++i) {
        neighbors.push_back(neighbors[i] + side * stride);
        weights.push_back(weights[i]);
      }
    for (std::size_t i = 0; i < n; ++i) weights[i] *= -2;
  }
};

}  // namespace

double noiseOf(const std::vector<float>& image, const std::vector<std::uint8_t>& counts,
               const Vec3<int>& size) {
  constexpr double kQuartile = 0.318639;     // quartile of the magnitude of a standard normal variable
  constexpr std::int64_t kEnough = 1 << 20;  // sampled voxels
  const std::int64_t row = size.x, plane = row * size.y;
  const SecondDifferences differences(size);
  const int step = plane * size.z > 8 * kEnough ? 2 : 1;
  // Voxels that have both neighbors along each axis.
  Vec3<int> first{0, 0, 0}, end = size;
  for (int axis = 0; axis < 3; ++axis)
    if (size[axis] >= 3) {
      first[axis] = 1;
      end[axis] = size[axis] - 1;
    }
  std::vector<std::vector<float>> ofPlane(size.z);
  parallelFor(size.z, 1, {}, [&](std::int64_t z) {
    if (z < first.z || z >= end.z || (z - first.z) % step != 0) return;
    for (int y = first.y; y < end.y; y += step)
      for (int x = first.x; x < end.x; x += step) {
        const std::int64_t at = x + y * row + z * plane;
        if (counts[at]) ofPlane[z].push_back(std::abs(differences.at(image.data() + at)));
      }
  });
  std::vector<float> found;
  for (const auto& some : ofPlane) found.insert(found.end(), some.begin(), some.end());
  if (found.empty()) return 0;
  const auto quartile = found.begin() + std::ptrdiff_t(found.size() / 4);
  std::nth_element(found.begin(), quartile, found.end());
  return *quartile / (kQuartile * std::sqrt(differences.gain));
}

}  // namespace sulcus::registration
