#pragma once

#include "core/image/interpolate.h"
#include "core/math/pack.h"
#include "core/math/vec3.h"

#include <cmath>
#include <cstdint>

// Interpolation by a cubic B-spline that goes through the values of the voxels, for CPU and GPU, which get
// the same bits: see registration_body.h. First each line of an image along x, then y, then z is turned into
// coefficients; the value at a place is then a weighted sum of 4 × 4 × 4 of them. Beyond its first and last
// voxel an image is mirrored about them (Unser, IEEE Signal Process. Mag. 16(6) (1999) 22).

namespace sulcus::registration {

/// The coefficients of an image, and the range of its values, which no value between voxels leaves.
struct SplineView {
  const float* coefficients;  ///< one per voxel, x fastest
  Vec3<int> size;
  float low, high;
};

/// The voxel of an axis of n voxels that the mirrored index i, at least 1 − n, stands for.
SULCUS_HD_INLINE int mirroredVoxel(int i, int n) {
  if (n == 1) return 0;
  i = (i < 0 ? -i : i) % (2 * n - 2);
  return i < n ? i : 2 * n - 2 - i;
}

/// Turns the values of a line of n voxels into coefficients.
///
/// @param line    the first voxel
/// @param stride  from one to the next
SULCUS_HD_INLINE void takeSplineCoefficients(float* line, int n, std::int64_t stride) {
  constexpr float pole = -0.267949192f, gain = 6;  // √3 − 2 and (1 − pole)(1 − 1/pole)
  constexpr float last = 0.288675135f;             // pole/(pole² − 1)
  constexpr int reach = 14;                        // pole^reach is less than half of the last digit
  if (n < 2) return;
  float sum = 0;
  for (int k = reach; k >= 0; --k) sum = fusedMultiplyAdd(pole, sum, line[mirroredVoxel(k, n) * stride]);
  line[0] = gain * sum;
  for (int k = 1; k < n; ++k)
    line[k * stride] = fusedMultiplyAdd(pole, line[(k - 1) * stride], gain * line[k * stride]);
  line[(n - 1) * stride] = last * fusedMultiplyAdd(pole, line[(n - 2) * stride], line[(n - 1) * stride]);
  for (int k = n - 2; k >= 0; --k) line[k * stride] = pole * (line[(k + 1) * stride] - line[k * stride]);
}

/// The four coefficients of an axis around a place, and their weights.
struct SplineTaps {
  std::int64_t at[4];
  float w[4];
};

/// @param p       voxels; past the border it is moved to it
/// @param stride  of the axis
SULCUS_HD_INLINE SplineTaps splineTaps(double p, int n, std::int64_t stride) {
  p = clampedToAxis(p, n);
  const int i = lowerVoxel(p, n);
  const float f = float(p - i), g = 1 - f;
  SplineTaps taps;
  for (int k = 0; k < 4; ++k) taps.at[k] = mirroredVoxel(i - 1 + k, n) * stride;
  taps.w[0] = g * g * g * (1 / 6.f), taps.w[3] = f * f * f * (1 / 6.f);
  taps.w[1] = fusedMultiplyAdd(-0.5f * f * f, 1 + g, 2 / 3.f);
  taps.w[2] = fusedMultiplyAdd(-0.5f * g * g, 1 + f, 2 / 3.f);
  return taps;
}

/// The image at a place in voxels, that of the nearest point inside for one outside.
SULCUS_HD_INLINE float interpolatedAt(const SplineView& image, Vec3<double> p) {
  const SplineTaps x = splineTaps(p.x, image.size.x, 1), y = splineTaps(p.y, image.size.y, image.size.x),
                   z = splineTaps(p.z, image.size.z, std::int64_t(image.size.x) * image.size.y);
  float columns[4] = {0, 0, 0, 0};
  for (int k = 0; k < 4; ++k)
    for (int j = 0; j < 4; ++j) {
      const float* const row = image.coefficients + y.at[j] + z.at[k];
      const float w = y.w[j] * z.w[k];
      for (int i = 0; i < 4; ++i) columns[i] = fusedMultiplyAdd(w, row[x.at[i]], columns[i]);
    }
  float sum = x.w[0] * columns[0];
  for (int i = 1; i < 4; ++i) sum = fusedMultiplyAdd(x.w[i], columns[i], sum);
  return sum < image.low ? image.low : sum > image.high ? image.high : sum;
}

}  // namespace sulcus::registration
