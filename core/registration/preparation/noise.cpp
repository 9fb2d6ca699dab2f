#include "core/registration/preparation/noise.h"

#include "core/base/parallel/parallel_for.h"

#include <algorithm>
#include <cmath>

namespace sulcus::registration {

double noiseOf(const std::vector<float>& image, const std::vector<std::uint8_t>& counts,
               const Vec3<int>& size) {
  constexpr double kQuartile = 0.318639;     // quartile of the magnitude of a standard normal variable
  constexpr std::int64_t kEnough = 1 << 20;  // sampled voxels
  const std::int64_t row = size.x, plane = row * size.y;
  const std::int64_t strides[3] = {1, row, plane};
  std::vector<std::int64_t> neighbors{0};
  std::vector<float> weights{1};
  double gain = 1;  // factor by which the variance grows
  for (int axis = 0; axis < 3; ++axis) {
    if (size[axis] < 3) continue;
    gain *= 6;
    const std::size_t n = neighbors.size();
    for (const int side : {-1, 1})
      for (std::size_t i = 0; i < n; ++i)
        neighbors.push_back(neighbors[i] + side * strides[axis]), weights.push_back(weights[i]);
    for (std::size_t i = 0; i < n; ++i) weights[i] *= -2;
  }
  const int step = plane * size.z > 8 * kEnough ? 2 : 1;
  const auto first = [&](int axis) { return size[axis] < 3 ? 0 : 1; };
  const auto end = [&](int axis) { return size[axis] < 3 ? size[axis] : size[axis] - 1; };
  std::vector<std::vector<float>> ofPlane(std::size_t(size.z));
  parallelFor(
      size.z, {},
      [&](std::int64_t z) {
        if (z < first(2) || z >= end(2) || (z - first(2)) % step != 0) return;
        for (int y = first(1); y < end(1); y += step)
          for (int x = first(0); x < end(0); x += step) {
            const std::int64_t at = x + y * row + z * plane;
            if (!counts[std::size_t(at)]) continue;
            float sum = 0;
            for (std::size_t i = 0; i < neighbors.size(); ++i)
              sum += weights[i] * image[std::size_t(at + neighbors[i])];
            ofPlane[std::size_t(z)].push_back(std::abs(sum));
          }
      },
      1);
  std::vector<float> found;
  for (const auto& some : ofPlane) found.insert(found.end(), some.begin(), some.end());
  if (found.empty()) return 0;
  const auto quartile = found.begin() + std::ptrdiff_t(found.size() / 4);
  std::nth_element(found.begin(), quartile, found.end());
  return *quartile / (kQuartile * std::sqrt(gain));
}

}  // namespace sulcus::registration
