#pragma once

#include "core/math/reproducible_log.h"
#include "core/math/simd.h"

#include <cstdint>

// Mutual information by a joint histogram of kBins × kBins, for CPU and GPU, in float and double. The values
// of both images are spread over four bins each by a cubic B-spline (Parzen), so that the histogram changes
// smoothly with both and is transposed if the images are exchanged. Weights are integers: their sums do not
// depend on the order, and CPU and GPU count the same. (In the pre-alignment a value of the reference falls
// into one bin.)
//
// The energy is kInformationWeight times a constant minus the mutual information. With counts n(a, b) of
// template bin a and reference bin b, its derivative with respect to the template's value at a voxel of bin
// b, times the number of voxels, is −Σ_a ∂weight(a) log(n(a, b)/Σ_b n(a, b)), summed over the bins of the
// reference.
//
// In the registration of one image to the other, this alone is biased: a voxel of rare brightness carries
// more information, so that rare structures would grow even if both images are equal. The reference is driven
// towards the template just as much: the part common to both, half of the change of a voxel's information
// i(a) = Σ_b n(a, b)/n(a) log(n(a, b) n/(n(a) n(b))), brings nothing closer. It is removed: Σ_a n(a) i(a)/2
// is added to the energy, with i as at the beginning of the level.

namespace sulcus::registration {

inline constexpr int kBins = 32;
/// Scales the energy so that the weight λ of the bias term has about the same meaning as with squared
/// differences.
inline constexpr double kInformationWeight = 1.0 / 256;
inline constexpr std::uint8_t kNoBin = 255;  ///< for a voxel at which the images are not compared

/// The integer that represents a weight of 1: in double so large that the histogram's derivative agrees with
/// finite differences, and in float so small that 2048 voxels of one bin fit into 32 bits.
template <class T>
inline constexpr double kWeightUnit = sizeof(T) == 4 ? 1 << 20 : double(std::int64_t(1) << 40);

/// The range of intensities that the bins span. Values outside count as those at the ends.
template <class T>
struct BinRange {
  T low, binsPerUnit;
};

/// The position of a template value between bins: it is shared by bins first…first + 3, and `fraction` is its
/// position between the second and the third.
template <class T>
struct BinPlace {
  int first;
  T fraction;
  bool inside;  ///< otherwise the weights do not change with the value
};

template <class T>
SULCUS_HD_INLINE BinPlace<T> binPlace(BinRange<T> range, T value) {
  constexpr int last = kBins - 4;
  const T at = (value - range.low) * range.binsPerUnit;
  if (!(at > 0)) return {0, T(0), false};
  if (!(at < T(last + 1))) return {last, T(1), false};
  const int first = int(at) < last ? int(at) : last;
  return {first, at - T(first), true};
}

/// The four weights in units of kWeightUnit.
template <class T>
struct BinWeights {
  std::int64_t n[4];
};

/// @param share  weight of the voxel, 0…1: the weights sum to that many units, rounded down
template <class T>
SULCUS_HD_INLINE BinWeights<T> binWeights(T t, T share = 1) {
  const T unit = share * T(kWeightUnit<T>), sixth = share * (T(kWeightUnit<T>) / 6), s = 1 - t;
  const T w0 = sixth * (s * s * s), w3 = sixth * (t * t * t);
  const T w1 = sixth * fusedMultiplyAdd(3 * t * t, t - 2, T(4));
  BinWeights<T> result{{std::int64_t(w0 + T(0.5)), std::int64_t(w1 + T(0.5)), 0, std::int64_t(w3 + T(0.5))}};
  result.n[2] = std::int64_t(unit) - result.n[0] - result.n[1] - result.n[3];
  if (result.n[2] < 0) result.n[2] = 0;  // for a negligible share
  return result;
}

/// Four bins that share a value of the reference: starting with `first`, each with its fraction of 1.
template <class T>
struct ReferenceBins {
  int first;
  T share[4];
};

template <class T>
SULCUS_HD_INLINE ReferenceBins<T> referenceBinsOf(BinRange<T> range, T value, T weight) {
  const BinPlace<T> place = binPlace(range, value);
  const BinWeights<T> weights = binWeights(place.fraction, weight);
  ReferenceBins<T> bins{place.first, {}};
  for (int k = 0; k < 4; ++k) bins.share[k] = T(weights.n[k]) / T(kWeightUnit<T>);
  return bins;
}

/// log(n(a, b)/Σ_b n(a, b)); 0 if n(a, b) is 0, which contributes nothing.
SULCUS_HD_INLINE double logShare(std::int64_t count, std::int64_t ofTemplateBin) {
  return count > 0 ? reproducibleLog(double(count) / double(ofTemplateBin)) : 0;
}

/// n log n of a count; 0 for 0.
SULCUS_HD_INLINE double timesLogarithm(std::int64_t count) {
  return count > 0 ? double(count) * reproducibleLog(double(count)) : 0;
}

/// The derivative of the energy with respect to the template's value at a voxel.
///
/// @param logShares  log(n(a, b)/Σ_b n(a, b)) of the voxel's reference bin b, one value per template bin
template <class T>
SULCUS_HD_INLINE T informationSlope(const T* logShares, BinRange<T> range, BinPlace<T> place) {
  if (!place.inside) return T(0);
  const T t = place.fraction, s = 1 - t;
  const T* const l = logShares + place.first;
  // Derivatives of the four weights with respect to t.
  const T d0 = T(-0.5) * s * s, d3 = T(0.5) * t * t;
  const T d1 = t * fusedMultiplyAdd(T(1.5), t, T(-2)), d2 = -(d0 + d1 + d3);
  const T sum = fusedMultiplyAdd(d0, l[0], fusedMultiplyAdd(d1, l[1], fusedMultiplyAdd(d2, l[2], d3 * l[3])));
  return -T(kInformationWeight) * range.binsPerUnit * sum;
}

/// The slope if the reference's value is spread over bins as well.
///
/// @param logShares  of all reference bins, by reference bin and then by template bin
template <class T>
SULCUS_HD_INLINE T informationSlope(const T* logShares, const ReferenceBins<T>& bins, BinRange<T> range,
                                    BinPlace<T> place) {
  T slope = 0;
  for (int k = 0; k < 4; ++k)
    slope = fusedMultiplyAdd(bins.share[k],
                             informationSlope(logShares + (bins.first + k) * kBins, range, place), slope);
  return slope;
}

}  // namespace sulcus::registration
