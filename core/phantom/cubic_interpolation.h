#pragma once

#include "core/image/volume.h"

#include <algorithm>
#include <cmath>

namespace sulcus::phantom {

/// Interpolation by cubic convolution (Keys, IEEE Trans. ASSP 29 (1981) 1153, with a = −½), which reproduces
/// the values of the voxels and blurs less than trilinear interpolation; extended by the border values. p is
/// in voxels.
inline double cubicAt(VolumeView<const float> image, const Vec3<double>& p) {
  int from[3];
  double weights[3][4];
  for (int axis = 0; axis < 3; ++axis) {
    const double at = std::clamp(p[axis], 0.0, double(image.size[axis] - 1)), low = std::floor(at),
                 f = at - low, g = 1 - f;
    from[axis] = int(low) - 1;
    weights[axis][0] = -0.5 * f * g * g;
    weights[axis][3] = -0.5 * g * f * f;
    weights[axis][1] = 1 + f * f * (1.5 * f - 2.5);
    weights[axis][2] = 1 + g * g * (1.5 * g - 2.5);
  }
  const auto index = [&](int axis, int k) { return std::clamp(from[axis] + k, 0, image.size[axis] - 1); };
  double sum = 0;
  for (int z = 0; z < 4; ++z)
    for (int y = 0; y < 4; ++y)
      for (int x = 0; x < 4; ++x)
        sum += weights[2][z] * weights[1][y] * weights[0][x] *
               double(image(index(0, x), index(1, y), index(2, z)));
  return sum;
}

}  // namespace sulcus::phantom
