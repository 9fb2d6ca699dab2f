#pragma once

#include "core/math/pack.h"
#include "core/math/quotient.h"

#include <cstdint>

// Local correlation of a voxel's window, for CPU and GPU, in float and double. The window of a voxel holds
// the voxels at most r away along each axis in which the images are compared; others, and those outside of
// the grid, count as 0 in its sums. F is the reference, W the template under the displacement, both divided
// by the reference's 98th percentile.
//
// With window means F̄ and W̄, A = cov(F, W), B = var F + ε and C = var W + ε, the energy is the sum over all
// windows of kCorrelationWeight (1 − A²/(B C)). Its derivative by the value of W at a voxel is W Q − F P − R,
// where P, Q and R are sums over the window of what windowTerms() gives: every window that holds the voxel
// contributes to it.
//
// CPU and GPU get the same bits: sums run along x, then y, then z, from the lowest neighbour to the highest,
// and nothing is fused but what is written so.

namespace sulcus::registration {

inline constexpr int kLargestWindowRadius = 4;

/// With it the weight λ of the bias term means about what it means beside squared differences.
inline constexpr double kCorrelationWeight = 1.0 / 64;

/// ε: windows that vary less than by it hold noise and count for little.
inline constexpr double kVarianceFloor = 1e-3;

/// What the window of a voxel knows of the reference; this does not change within a level.
template <class T>
struct ReferenceWindow {
  T inverseCount;     ///< 1 over the number of compared voxels; 0 where there is none
  T mean;             ///< F̄
  T inverseVariance;  ///< 1/B
};

/// @param count, sum, squares  sums over the window of 1, F and F²
template <class T>
SULCUS_HD_INLINE ReferenceWindow<T> referenceWindow(T count, T sum, T squares) {
  const T inverse = count > 0 ? quotient(T(1), count) : T(0);
  const T mean = inverse * sum;
  const T variance = larger(fusedMultiplyAdd(inverse, squares, -(mean * mean)), T(0));
  return {inverse, mean, quotient(T(1), variance + T(kVarianceFloor))};
}

/// Whether the reference varies by kVarianceFloor or more: var F ≥ ε in 1/B.
SULCUS_HD_INLINE bool isTextured(ReferenceWindow<float> window) {
  return window.inverseVariance <= float(0.5 / kVarianceFloor);
}

/// The part of a window in the energy, and in the sums P, Q and R of its voxels.
template <class T>
struct WindowTerms {
  T energy, p, q, r;
};

/// @param sum, squares, products  sums over the window of W, W² and F W
template <class T>
SULCUS_HD_INLINE WindowTerms<T> windowTerms(ReferenceWindow<T> f, T sum, T squares, T products) {
  const T mean = f.inverseCount * sum;
  const T covariance = fusedMultiplyAdd(f.inverseCount, products, -(f.mean * mean));
  const T variance = larger(fusedMultiplyAdd(f.inverseCount, squares, -(mean * mean)), T(0));
  const T inverseVariance = quotient(T(1), variance + T(kVarianceFloor));
  const T ratio = covariance * f.inverseVariance * inverseVariance;  // A/(B C)
  const T p = T(2 * kCorrelationWeight) * f.inverseCount * ratio;
  const T q = p * covariance * inverseVariance;
  return {f.inverseCount > 0 ? T(kCorrelationWeight) * fusedMultiplyAdd(-covariance, ratio, T(1)) : T(0), p,
          q, fusedMultiplyAdd(q, mean, -(p * f.mean))};
}

/// |A|/√(B C) of a window, 0…1, and 0 where nothing is compared; arguments as of windowTerms().
template <class T>
SULCUS_HD_INLINE T correlationOf(ReferenceWindow<T> f, T sum, T squares, T products) {
  const T square = 1 - windowTerms(f, sum, squares, products).energy / T(kCorrelationWeight);
  return f.inverseCount > 0 ? squareRoot(larger(square, T(0))) : T(0);
}

/// The terms of a window that counts `weight` times.
template <class T>
SULCUS_HD_INLINE WindowTerms<T> weighted(WindowTerms<T> terms, T weight) {
  return {weight * terms.energy, weight * terms.p, weight * terms.q, weight * terms.r};
}

/// The derivative of the energy by W at a voxel.
///
/// @param f, w     F and W there
/// @param p, q, r  sums over its window of the terms of these names
template <class T>
SULCUS_HD_INLINE T correlationSlope(T f, T w, T p, T q, T r) {
  return fusedMultiplyAdd(w, q, -fusedMultiplyAdd(f, p, r));
}

}  // namespace sulcus::registration
