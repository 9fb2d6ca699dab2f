#pragma once

#include "core/math/reproducible_division.h"
#include "core/math/simd.h"

#include <cstdint>

// Local correlation of a voxel's window, for CPU and GPU, in float and double. The window of a voxel holds
// the voxels at most r away along each axis in which the images are compared; others, and those outside of
// the grid, count as 0 in its sums. F is the reference, W the template under the displacement, both divided
// by the reference's 98th percentile.
//
// With window means F̄ and W̄, A = cov(F, W) + δ, B = var F + δ, C = var W + δ and V = (var F + var W)/2, the
// energy is the sum over all windows of kCorrelationWeight g² (1 − A²/(B C)), g = V/(V + ε). Equal images
// have the energy 0 in every window, and no others have less. The usual 1 − cov²/((var F + ε)(var W + ε))
// decreases when a window of little texture gains contrast, so it pulls equal images apart; owing to g,
// windows of noise count as little as in that formula. The derivative with respect to the value of W at a
// voxel is W Q − F P − R, where P, Q and R are sums over the window of what windowTerms() gives: every window
// that holds the voxel contributes to it.
//
// CPU and GPU get the same bits: sums run along x, then y, then z, from the lowest neighbor to the highest,
// and only explicitly written operations are fused.

namespace sulcus::registration {

inline constexpr int kLargestWindowRadius = 4;

/// Scales the energy so that the weight λ of the bias term has about the same meaning as with squared
/// differences.
inline constexpr double kCorrelationWeight = 1.0 / 64;

/// ε: windows with a smaller variance hold noise and count little.
inline constexpr double kNoiseVariance = 1e-3;

/// δ: added to variances, so that the quotient exists even for constant windows.
inline constexpr double kLeastVariance = 1e-5;

/// What a voxel's window knows about the reference; constant within a level.
template <class T>
struct ReferenceWindow {
  T inverseCount;     ///< 1 over the number of compared voxels; 0 if there is none
  T mean;             ///< F̄
  T inverseVariance;  ///< 1/B
};

/// @param count, sum, squares  sums over the window of 1, F and F²
template <class T>
SULCUS_HD_INLINE ReferenceWindow<T> referenceWindow(T count, T sum, T squares) {
  const T inverse = count > 0 ? quotient(T(1), count) : T(0);
  const T mean = inverse * sum;
  const T variance = larger(fusedMultiplyAdd(inverse, squares, -(mean * mean)), T(0));
  return {inverse, mean, quotient(T(1), variance + T(kLeastVariance))};
}

/// Whether the reference has at least the variance kNoiseVariance: var F ≥ ε in terms of 1/B.
SULCUS_HD_INLINE bool isTextured(ReferenceWindow<float> window) {
  return window.inverseVariance <= float(1 / (kNoiseVariance + kLeastVariance));
}

/// W and its relation to the reference, from a window's sums.
template <class T>
struct WindowComparison {
  T mean;             ///< W̄
  T covariance;       ///< A
  T inverseVariance;  ///< 1/C
  T ratio;            ///< A/(B C)
  T inverseBoth;      ///< 1/(2V + 2ε)
  T texture;          ///< g
};

/// @param sum, squares, products  sums over the window of W, W² and F W
template <class T>
SULCUS_HD_INLINE WindowComparison<T> compareWindow(ReferenceWindow<T> f, T sum, T squares, T products) {
  constexpr T more = T(2 * (kNoiseVariance - kLeastVariance));  // 2V + 2ε = B + C + more
  const T mean = f.inverseCount * sum;
  const T covariance = fusedMultiplyAdd(f.inverseCount, products, -(f.mean * mean)) + T(kLeastVariance);
  const T variance = larger(fusedMultiplyAdd(f.inverseCount, squares, -(mean * mean)), T(0));
  const T inverseVariance = quotient(T(1), variance + T(kLeastVariance));
  const T product = f.inverseVariance * inverseVariance;
  const T inverseBoth =
      quotient(product, fusedMultiplyAdd(more, product, f.inverseVariance + inverseVariance));
  return {mean,
          covariance,
          inverseVariance,
          covariance * product,
          inverseBoth,
          fusedMultiplyAdd(T(-2 * kNoiseVariance), inverseBoth, T(1))};
}

/// The contribution of a window to the energy and to the sums P, Q and R of its voxels.
template <class T>
struct WindowTerms {
  T energy, p, q, r;
};

/// Arguments as for compareWindow().
template <class T>
SULCUS_HD_INLINE WindowTerms<T> windowTerms(ReferenceWindow<T> f, T sum, T squares, T products) {
  const WindowComparison<T> c = compareWindow(f, sum, squares, products);
  const T distance = fusedMultiplyAdd(-c.covariance, c.ratio, T(1));  // 1 − A²/(B C)
  const T slope = T(2 * kCorrelationWeight) * f.inverseCount * c.texture;
  const T p = slope * (c.texture * c.ratio);
  // Derivatives of A²/(B C), and of g² with respect to var W.
  const T q = fusedMultiplyAdd(p, c.covariance * c.inverseVariance,
                               slope * (T(4 * kNoiseVariance) * c.inverseBoth * c.inverseBoth) * distance);
  return {f.inverseCount > 0 ? T(kCorrelationWeight) * (c.texture * c.texture) * distance : T(0), p, q,
          fusedMultiplyAdd(q, c.mean, -(p * f.mean))};
}

/// g |A|/√(B C) of a window, 0…1, and 0 where nothing is compared; arguments as for compareWindow().
template <class T>
SULCUS_HD_INLINE T correlationOf(ReferenceWindow<T> f, T sum, T squares, T products) {
  const WindowComparison<T> c = compareWindow(f, sum, squares, products);
  return f.inverseCount > 0 ? c.texture * squareRoot(c.covariance * c.ratio) : T(0);
}

/// The terms of a window with the weight `weight`.
template <class T>
SULCUS_HD_INLINE WindowTerms<T> weighted(WindowTerms<T> terms, T weight) {
  return {weight * terms.energy, weight * terms.p, weight * terms.q, weight * terms.r};
}

/// The derivative of the energy with respect to W at a voxel.
///
/// @param f, w     F and W there
/// @param p, q, r  sums over its window of the terms of these names
template <class T>
SULCUS_HD_INLINE T correlationSlope(T f, T w, T p, T q, T r) {
  return fusedMultiplyAdd(w, q, -fusedMultiplyAdd(f, p, r));
}

}  // namespace sulcus::registration
