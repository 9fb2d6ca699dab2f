#pragma once

#include "core/fibers/fibers.h"
#include "core/math/simd.h"
#include "core/math/vec3.h"

// Selects the peaks of a voxel from the ends of its searches ("Selection" in resources/design/engines.md).
// Directions are unit vectors in world axes.

namespace sulcus::fibers {

/// The end of one search.
struct SearchEnd {
  Vec3<float> x;     ///< where it ended
  float value;       ///< f(x)
  float startValue;  ///< f at the starting direction
  int iterations;    ///< evaluations of the form
  bool converged;
  bool maximum;  ///< x is a strict local maximum
};

/// A maximum: unit direction and value of the form.
struct Peak {
  Vec3<float> x;
  float value;
};

/// The power of two by which the entries must be divided for the largest magnitude to lie in [½, 1); this
/// division is exact. 0 for the zero tensor, NaN if an entry is not finite.
SULCUS_HD inline float tensorUnit(const float* entries, int count) {
  float largest = 0, finite = 0;
  for (int u = 0; u < count; ++u) {
    largest = larger(largest, magnitude(entries[u]));
    finite += entries[u] * 0;  // NaN if one is not finite
  }
  if (!(finite == 0)) return finite;
  if (largest < 1e-37f) return 0;
  int exponent = 0;
  ::frexpf(largest, &exponent);
  return ::ldexpf(1, exponent);
}

/// Whether an end comes before another: the one with the larger value, for equal values the one with the
/// lower start.
SULCUS_HD inline bool comesBefore(float value, int start, float otherValue, int otherStart) {
  return value > otherValue || (value == otherValue && start < otherStart);
}

/// The squared sine of the merge angle, for sameAxis().
SULCUS_HD inline float mergeSine2(const FiberOptions& options) {
  const float sine = ::sinf(float(options.mergeAngle) * 0.017453292519943295f);
  return sine * sine;
}

/// Whether the angle between two unit directions, up to sign, is smaller than the merge angle.
SULCUS_HD inline bool sameAxis(const Vec3<float>& a, const Vec3<float>& b, float mergeSine2) {
  const Vec3<float> c = cross(a, b);
  return dot(c, c) < mergeSine2;
}

/// The smallest value of a peak that is not dropped.
/// @param least    the smallest value over the starting directions, in place of the minimum on the sphere
/// @param largest  the largest value over the ends of all converged searches
SULCUS_HD inline float smallestPeak(float least, float largest, float relativeThreshold) {
  const float low = larger(least, 0.0f);
  const float smallest = low + relativeThreshold * (largest - low);
  return smallest < largest ? smallest : largest;  // rounding must not drop the largest
}

/// The amplitude below which a peak of a voxel is dropped, in the unit of the form.
struct AmplitudeCut {
  float least = 0;        ///< everywhere
  float perResidual = 0;  ///< times the residual of the voxel's fit, which indicates the noise
  /// A signal is flat if its standard deviation over the directions is below this times the residual: it
  /// varies no more than noise does, and has no peaks.
  float flat = 0;

  /// @param spread  standard deviation of S/S0 over the directions; read only if `flat` is not 0
  SULCUS_HD float at(float residual, float spread) const {
    return spread < flat * residual ? 3e38f : larger(least, perResidual * residual);
  }
};

/// Whichever of x and −x is on the upper half sphere: z > 0, or y > 0 if z is 0, or x > 0 if both are 0.
SULCUS_HD inline Vec3<float> upward(const Vec3<float>& x) {
  const bool down = x.z < 0 || (x.z == 0 && (x.y < 0 || (x.y == 0 && x.x < 0)));
  return down ? -x : x;
}

/// The index of the largest maximum among `count` ends, see comesBefore(); −1 if there is none.
SULCUS_HD inline int largestMaximum(const SearchEnd* ends, int count) {
  int best = -1;
  for (int i = 0; i < count; ++i)
    if (ends[i].maximum && (best < 0 || comesBefore(ends[i].value, i, ends[best].value, best))) best = i;
  return best;
}

/// Selects the largest distinct maxima, at most options.maxPeaks, largest first.
///
/// @param ends   `count` ends; `maximum` is cleared in those that are selected or merged
/// @param floor  smaller values are not peaks
/// @param peaks  memory for options.maxPeaks peaks
/// @return       the number of peaks
SULCUS_HD inline int selectPeaks(SearchEnd* ends, int count, const FiberOptions& options, float floor,
                                 Peak* peaks) {
  float least = 3e38f, largest = -3e38f;
  for (int i = 0; i < count; ++i) {
    if (ends[i].startValue < least) least = ends[i].startValue;
    if (ends[i].converged && ends[i].value > largest) largest = ends[i].value;
  }
  const float smallest = larger(smallestPeak(least, largest, float(options.relativeThreshold)), floor);
  const float sine2 = mergeSine2(options);
  int found = 0;
  while (found < options.maxPeaks) {
    const int best = largestMaximum(ends, count);
    if (best < 0 || !(ends[best].value >= smallest)) break;
    const Vec3<float> x = ends[best].x;
    peaks[found++] = {upward(x), ends[best].value};
    for (int i = 0; i < count; ++i)
      if (ends[i].maximum && (i == best || sameAxis(ends[i].x, x, sine2))) ends[i].maximum = false;
  }
  return found;
}

}  // namespace sulcus::fibers
