#pragma once

#include "core/image/grids/interpolate.h"
#include "core/math/simd.h"
#include "core/math/vec3.h"
#include "core/registration/deformation/registration_kernel.h"

#include <cmath>
#include <cstdint>

// Interpolation by a cubic B-spline that goes through the values of the voxels, for CPU and GPU, which get
// the same bits: see registration_kernel.h. Each line of an image along x, then y, then z is converted to
// coefficients; the value at a position is then a weighted sum of 4 × 4 × 4 of them. Beyond its first and
// last voxel an image is mirrored about them (Unser, IEEE Signal Process. Mag. 16(6) (1999) 22).

namespace sulcus::registration {

/// The coefficients of an image, and the range of its values, to which interpolated values are clamped.
struct SplineView {
  const float* coefficients;  ///< one per voxel, x fastest
  Vec3<int> size;
  float low, high;
};

/// The voxel of an axis of n voxels that the index i, at least 1 − n, is mirrored to.
SULCUS_HD_INLINE int mirroredVoxel(int i, int n) {
  if (n == 1) return 0;
  i = (i < 0 ? -i : i) % (2 * n - 2);
  return i < n ? i : 2 * n - 2 - i;
}

/// Converts the values of a line of n voxels to coefficients.
///
/// @param line    the first voxel
/// @param stride  from one to the next
SULCUS_HD_INLINE void takeSplineCoefficients(float* line, int n, std::int64_t stride) {
  constexpr float pole = -0.267949192f, gain = 6;  // √3 − 2 and (1 − pole)(1 − 1/pole)
  constexpr float last = 0.288675135f;             // pole/(pole² − 1)
  constexpr int reach = 14;                        // pole^reach is below half of the last digit
  if (n < 2) return;
  float sum = 0;
  for (int k = reach; k >= 0; --k) sum = fusedMultiplyAdd(pole, sum, line[mirroredVoxel(k, n) * stride]);
  line[0] = gain * sum;
  for (int k = 1; k < n; ++k)
    line[k * stride] = fusedMultiplyAdd(pole, line[(k - 1) * stride], gain * line[k * stride]);
  line[(n - 1) * stride] = last * fusedMultiplyAdd(pole, line[(n - 2) * stride], line[(n - 1) * stride]);
  for (int k = n - 2; k >= 0; --k) line[k * stride] = pole * (line[(k + 1) * stride] - line[k * stride]);
}

/// The four coefficients of an axis around a position, and their weights.
template <class Index>
struct SplineTaps {
  Index at[4];
  float w[4];
};

/// @param p       position in voxels, clamped to the border
/// @param stride  of the axis
template <class Index, class T>
SULCUS_HD_INLINE SplineTaps<Index> splineTaps(T p, int n, Index stride) {
  p = clampedToAxis(p, n);
  const int i = lowerVoxel(p, n);
  const float f = float(p - T(i)), g = 1 - f;
  const bool within = i >= 1 && i < n - 2;
  SplineTaps<Index> taps;
  for (int k = 0; k < 4; ++k) taps.at[k] = (within ? i - 1 + k : mirroredVoxel(i - 1 + k, n)) * stride;
  taps.w[0] = g * g * g * (1 / 6.f);
  taps.w[3] = f * f * f * (1 / 6.f);
  taps.w[1] = fusedMultiplyAdd(-0.5f * f * f, 1 + g, 2 / 3.f);
  taps.w[2] = fusedMultiplyAdd(-0.5f * g * g, 1 + f, 2 / 3.f);
  return taps;
}

/// Four weighted sums of consecutive numbers, which the CPU updates at once.
struct FourSums {
#if defined(__FMA__) && !defined(__CUDACC__)
  __m128 v = _mm_setzero_ps();
  void add(float weight, const float* four) { v = _mm_fmadd_ps(_mm_set1_ps(weight), _mm_loadu_ps(four), v); }
  void add(float weight, const FourSums& other) { v = _mm_fmadd_ps(_mm_set1_ps(weight), other.v, v); }
  float operator[](int i) const { return v[i]; }
#else
  float v[4] = {0, 0, 0, 0};
  SULCUS_HD_INLINE void add(float weight, const float* four) {
    for (int i = 0; i < 4; ++i) v[i] = fusedMultiplyAdd(weight, four[i], v[i]);
  }
  SULCUS_HD_INLINE void add(float weight, const FourSums& other) { add(weight, other.v); }
  SULCUS_HD_INLINE float operator[](int i) const { return v[i]; }
#endif
};

/// The image at a position in voxels; outside, at the nearest point inside.
template <class Index = std::int64_t, class T>
SULCUS_HD_INLINE float interpolatedAt(const SplineView& image, Vec3<T> p) {
  const auto x = splineTaps<Index>(p.x, image.size.x, 1);
  const auto y = splineTaps<Index>(p.y, image.size.y, image.size.x);
  const auto z = splineTaps<Index>(p.z, image.size.z, Index(image.size.x) * image.size.y);
  FourSums columns;
  const auto addRows = [&](const auto& add) {
    for (int k = 0; k < 4; ++k) {  // separate sums, which need not wait for each other
      FourSums plane;
      for (int j = 0; j < 4; ++j) add(plane, y.w[j], image.coefficients + (y.at[j] + z.at[k]));
      columns.add(z.w[k], plane);
    }
  };
  if (x.at[3] - x.at[0] == 3)
    addRows([first = x.at[0]](FourSums& sums, float w, const float* row) { sums.add(w, row + first); });
  else
    addRows([&](FourSums& sums, float w, const float* row) {
      const float four[4] = {row[x.at[0]], row[x.at[1]], row[x.at[2]], row[x.at[3]]};
      sums.add(w, four);
    });
  float sum = x.w[0] * columns[0];
  for (int i = 1; i < 4; ++i) sum = fusedMultiplyAdd(x.w[i], columns[i], sum);
  if (sum < image.low) return image.low;
  return sum > image.high ? image.high : sum;
}

/// The template at x − u, see displacedTexel().
///
/// @param image  the template
template <class Index = std::int64_t, class T>
SULCUS_HD_INLINE T displacedValue(const SplineView& image, Vec3<int> voxel, Vec3<T> u,
                                  Vec3<T> inverseSpacing) {
  return T(interpolatedAt<Index>(image, displacedPlace(voxel, u, inverseSpacing)));
}

}  // namespace sulcus::registration
