#pragma once

#include <span>

// Quantiles of samples, by three definitions that differ by at most the gap to the next value. Samples hold
// at least one value and no NaN; 0 ≤ q ≤ 1.
namespace sulcus {

/// The ratio of the standard deviation of a normal variable to its median absolute deviation.
inline constexpr double kDeviationPerMedian = 1.4826;

/// The q-quantile that is one of the values: of n values the one of rank ⌊q (n − 1)⌋, counted from 0.
/// Reorders `values`.
float lowerQuantile(std::span<float> values, double q);
double lowerQuantile(std::span<double> values, double q);

/// The median that is one of the values: for an even number the larger of the two in the middle. Reorders
/// `values`.
float upperMedian(std::span<float> values);
double upperMedian(std::span<double> values);

/// The q-quantile, interpolated linearly between the values of rank ⌊q (n − 1)⌋ and the next one: definition
/// 7 of Hyndman & Fan, The American Statistician 50 (1996) 361. Reorders `values`.
double interpolatedQuantile(std::span<float> values, double q);
/// interpolatedQuantile() of values that are already sorted; they are not reordered.
double interpolatedQuantileOfSorted(std::span<const float> ascending, double q);

/// The standard normal number that is exceeded with probability `tail`, 0 < tail ≤ 1/2, within 4.5e-4
/// (Abramowitz & Stegun 26.2.23).
double upperDeviate(double tail);

}  // namespace sulcus
