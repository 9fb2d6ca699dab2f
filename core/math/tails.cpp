#include "core/math/tails.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace sulcus {
namespace {

constexpr double kSettled = 1e-15, kTiny = 1e-300, kLogTwo = std::numbers::ln2;
constexpr int kMostTerms = 100'000;

/// log(1 − eˣ), x ≤ 0.
double logOfRest(double x) { return x > -kLogTwo ? std::log(-std::expm1(x)) : std::log1p(-std::exp(x)); }

/// b₀ + a₁/(b₁ + a₂/(b₂ + …)) by Lentz's method.
template <class Numerator, class Denominator>
double continuedFraction(double b0, const Numerator& a, const Denominator& b) {
  const auto away = [](double x) { return std::abs(x) < kTiny ? kTiny : x; };
  double f = away(b0), c = f, d = 0;
  for (int i = 1; i < kMostTerms; ++i) {
    d = 1 / away(b(i) + a(i) * d);
    c = away(b(i) + a(i) / c);
    f *= c * d;
    if (!(std::abs(c * d - 1) >= kSettled)) break;  // also for NaN
  }
  return f;
}

/// log of the regularized incomplete beta function I_x(a, b), from x and y = 1 − x.
double logIncompleteBeta(double x, double y, double a, double b) {
  if (x <= 0) return -std::numeric_limits<double>::infinity();
  if (y <= 0) return 0;
  if (x > (a + 1) / (a + b + 2)) return logOfRest(std::min(logIncompleteBeta(y, x, b, a), 0.0));
  const double front =
      logGamma(a + b) - logGamma(a) - logGamma(b) + a * std::log(x) + b * std::log(y) - std::log(a);
  const double fraction = continuedFraction(
      1,
      [&](int i) {
        const int whole = i / 2;
        const double m = whole;
        return i % 2 == 1 ? -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
                          : m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
      },
      [](int) { return 1.0; });
  return front - std::log(fraction);
}

/// log P(N(0, 1) > z), z ≥ 0.
double logTailOfNormal(double z) {
  if (z < 25) return std::log(std::erfc(z / std::numbers::sqrt2) / 2);
  const double square = 1 / (z * z);
  return -z * z / 2 - std::log(z * std::sqrt(2 * std::numbers::pi)) +
         std::log1p(-square * (1 - square * (3 - 15 * square)));
}

/// Newton's method for the root of a decreasing, concave function, starting to the right of it, or anywhere
/// the function is finite.
template <class Function, class Slope>
double rootOf(double x, const Function& f, const Slope& slope) {
  for (int i = 0; i < 100; ++i) {
    const double next = std::max(x - f(x) / slope(x), x / 16);
    if (std::abs(next - x) <= 1e-12 * (1 + std::abs(x))) return next;
    x = next;
  }
  return x;
}

}  // namespace

double logGamma(double x) {  // Stirling's series, which is exact enough where x ≥ 10
  double shift = 0;
  for (; x < 10; x += 1) shift += std::log(x);
  const double square = 1 / (x * x);
  const double series =
      (1.0 / 12 - square * (1.0 / 360 - square * (1.0 / 1260 - square * (1.0 / 1680 - square / 1188)))) / x;
  return (x - 0.5) * std::log(x) - x + std::log(2 * std::numbers::pi) / 2 + series - shift;
}

double logTailOfChiSquared(double x, double nu) {
  const double a = nu / 2, half = x / 2;
  if (half <= 0) return 0;
  const double front = a * std::log(half) - half - logGamma(a);
  if (half < a + 1) {  // series of the lower tail
    double term = 1 / a, sum = term;
    for (int n = 1; n < kMostTerms && term > kSettled * sum; ++n) sum += term *= half / (a + n);
    return logOfRest(std::min(front + std::log(sum), 0.0));
  }
  const double fraction = continuedFraction(
      half + 1 - a, [&](int i) { return -i * (i - a); }, [&](int i) { return half + 2 * i + 1 - a; });
  return front - std::log(fraction);
}

double logTailOfF(double f, double a, double b) {
  const double sum = b + a * f;
  return logIncompleteBeta(b / sum, a * f / sum, b / 2, a / 2);
}

double deviateOfLogTail(double logTail) {
  if (logTail >= -kLogTwo) return 0;
  return rootOf(
      std::sqrt(-2 * logTail), [&](double z) { return logTailOfNormal(z) - logTail; },
      [](double z) {
        return -std::exp(-z * z / 2 - std::log(2 * std::numbers::pi) / 2 - logTailOfNormal(z));
      });
}

double chiSquaredOfLogTail(double logTail, double nu) {
  if (logTail >= 0) return 0;
  // Solved in s = √x, in which the logarithm of the tail is concave. The approximation of Wilson and Hilferty
  // is close.
  const double third = 2 / (9 * nu), z = deviateOfLogTail(logTail);
  const double near = nu * std::pow(std::max(1 - third + z * std::sqrt(third), 0.1), 3);
  const double s = rootOf(
      std::sqrt(near), [&](double at) { return logTailOfChiSquared(at * at, nu) - logTail; },
      [&](double at) {
        return -std::exp(kLogTwo * (1 - nu / 2) + (nu - 1) * std::log(at) - at * at / 2 - logGamma(nu / 2) -
                         logTailOfChiSquared(at * at, nu));
      });
  return s * s;
}

}  // namespace sulcus
