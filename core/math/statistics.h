#pragma once

#include <span>

// Quantiles of samples, by three definitions that differ by at most the step to the next value. Samples hold
// at least one value and no NaN; q is from 0 to 1.
namespace sulcus {

/// The standard deviation of a normal variable over its median absolute deviation.
inline constexpr double kDeviationPerMedian = 1.4826;

/// The q-quantile that is one of the values: of n values that of rank ⌊q (n − 1)⌋, counted from 0 upwards.
/// Reorders `values`.
float lowerQuantile(std::span<float> values, double q);
double lowerQuantile(std::span<double> values, double q);

/// The median that is one of the values: of an even number of them the larger of the two in the middle.
/// Reorders `values`.
float upperMedian(std::span<float> values);
double upperMedian(std::span<double> values);

/// The q-quantile, linear between the values of ranks ⌊q (n − 1)⌋ and the next one: definition 7 of Hyndman &
/// Fan, The American Statistician 50 (1996) 361. Reorders `values`.
double interpolatedQuantile(std::span<float> values, double q);
/// interpolatedQuantile() of values that are sorted already; they are not reordered.
double interpolatedQuantileOfSorted(std::span<const float> ascending, double q);

/// The standard normal number that is exceeded with probability `tail`, 0 < tail ≤ 1/2, within 4.5e-4
/// (Abramowitz & Stegun 26.2.23).
double upperDeviate(double tail);

}  // namespace sulcus
