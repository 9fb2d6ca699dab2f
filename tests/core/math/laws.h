#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

// Tests of samples against a distribution. Samples are fixed by their seeds, so a test either always passes
// or always fails; the false-alarm rates are those of a new seed.

namespace sulcus::test {

/// P(X ≤ x) of χ² with `freedom` degrees of freedom, the regularized incomplete gamma function.
inline double chiSquareBelow(double x, double freedom) {
  const double a = freedom / 2, y = x / 2;
  if (y <= 0) return 0;
  const double front = std::exp(a * std::log(y) - y - std::lgamma(a));
  if (y < a + 1) {
    double term = 1 / a, sum = term;
    for (int n = 1; term > 1e-17 * sum; ++n) sum += term *= y / (a + n);
    return front * sum;
  }
  // The continued fraction of the upper tail, by Lentz's method.
  double b = y + 1 - a, c = 1e300, d = 1 / b, h = d;
  for (int i = 1; i < 100000; ++i) {
    const double an = -i * (i - a);
    b += 2;
    d = 1 / (an * d + b);
    c = b + an / c;
    h *= d * c;
    if (std::abs(d * c - 1) < 1e-15) break;
  }
  return 1 - front * h;
}

inline double normalBelow(double x) { return 0.5 * std::erfc(-x / std::numbers::sqrt2); }

/// The Kolmogorov–Smirnov statistic: the largest distance between the distributions of sample and law, times
/// √n.
inline double kolmogorovSmirnov(std::vector<double> sample, const std::function<double(double)>& below) {
  std::sort(sample.begin(), sample.end());
  const double n = double(sample.size());
  double most = 0;
  for (std::size_t i = 0; i < sample.size(); ++i) {
    const double p = below(sample[i]);
    most = std::max({most, p - double(i) / n, double(i + 1) / n - p});
  }
  return most * std::sqrt(n);
}
/// The statistic exceeds this with the probability α = 1e-4: √(−ln(α/2)/2).
inline constexpr double kKolmogorovSmirnovLimit = 2.226;

/// Expects the mean of a sample within 5 standard errors of its true value (one false alarm in 1.7 million).
inline void expectMean(const std::vector<double>& sample, double mean, const char* what) {
  double sum = 0, squares = 0;
  for (double x : sample) sum += x;
  const double n = double(sample.size()), found = sum / n;
  for (double x : sample) squares += (x - found) * (x - found);
  EXPECT_NEAR(found, mean, 5 * std::sqrt(squares / (n - 1) / n)) << what;
}

}  // namespace sulcus::test
