#pragma once

#include "core/math/simd.h"

// The change of one intensity, for CPU and GPU, which get the same bits.

namespace sulcus::registration {

/// A point of a piecewise linear map of intensities.
struct Knot {
  double from, to;
};

/// A map from the template's intensities to the reference's.
struct IntensityMap {
  static constexpr int kMostKnots = 67;

  double slope = 1, from = 0, to = 0;  ///< without knots, v becomes to + slope (v − from)
  int count = 0;                       ///< number of knots
  Knot knots[kMostKnots];              ///< `from` ascends; beyond the ends the map is constant

  SULCUS_HD_INLINE float of(float v) const {
    if (count == 0) return float(fusedMultiplyAdd(slope, v - from, to));
    int above = 0, end = count;  // the first knot above v
    while (above < end) {
      const int middle = (above + end) / 2;
      if (double(v) < knots[middle].from)
        end = middle;
      else
        above = middle + 1;
    }
    if (above == 0) return float(knots[0].to);
    if (above == count) return float(knots[count - 1].to);
    const Knot a = knots[above - 1], b = knots[above];
    return float(a.to + (b.to - a.to) * (v - a.from) / (b.from - a.from));
  }
};

/// The range of an image's intensities: from its darkest voxel to the percentile of its foreground.
struct Brightness {
  float lowest = 0;
  double threshold = 0;  ///< see foregroundThreshold()
  double scale = 1;
  /// An intensity in units of the range.
  SULCUS_HD_INLINE float of(float value) const { return float(1 / scale) * (value - lowest); }
};

/// Adds a value to a sum if it counts.
SULCUS_HD_INLINE void addValue(bool counts, float v, double& sum) { sum += counts ? double(v) : 0.0; }

/// Adds its squared deviation from the mean to a sum if it counts.
SULCUS_HD_INLINE void addSquaredDistance(bool counts, float v, double mean, double& sum) {
  const double distance = counts ? v - mean : 0.0;
  sum = fusedMultiplyAdd(distance, distance, sum);
}

}  // namespace sulcus::registration
