#include "core/image/diffusion/spherical_harmonics.h"

#include "core/math/linear_algebra.h"

#include <array>
#include <cmath>
#include <cstdlib>
#include <numbers>

namespace sulcus {
namespace {

double factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }
double binomial(int n, int k) { return factorial(n) / (factorial(k) * factorial(n - k)); }

/// Factor from P_l^|m| (without phase) · {cos, sin} to N_lm.
double normalization(int l, int m) {
  const int a = std::abs(m);
  const double n = std::sqrt((2 * l + 1) / (4 * std::numbers::pi) * factorial(l - a) / factorial(l + a));
  return a == 0 ? n : std::numbers::sqrt2 * n;
}

/// A function of a basis as factor · N_l,m.
struct Convention {
  int m;
  double factor;
};

Convention conventionOf(ShBasis basis, int m) {
  const double phase = m % 2 == 0 ? 1 : -1;
  switch (basis) {
    case ShBasis::tournier07:
      return {m, phase};
    case ShBasis::tournier07Legacy:
      return {m, m == 0 ? 1 : phase / std::numbers::sqrt2};
    case ShBasis::descoteaux07:
      return {-m, m > 0 ? phase : 1};
    case ShBasis::descoteaux07Legacy:
      return {-m, phase};
  }
  return {m, 1};
}

/// Calls f(column, l, m, factor) for every function of the basis, which is factor · N_lm.
template <class F>
void forEachFunction(int order, ShBasis basis, F f) {
  for (int l = 0; l <= order; l += 2)
    for (int m = -l; m <= l; ++m) {
      const auto c = conventionOf(basis, m);
      f(shIndex(l, m), l, c.m, c.factor);
    }
}

/// P_l^m(z) / sin^m θ without phase, m ≥ 0, by the recurrence in l.
double reducedLegendre(int l, int m, double z) {
  double previous = 0, current = 1;
  for (int i = 1; i <= m; ++i) current *= 2 * i - 1;
  for (int i = m + 1; i <= l; ++i) {
    const double next = ((2 * i - 1) * z * current - (i + m - 1) * previous) / (i - m);
    previous = current;
    current = next;
  }
  return current;
}

/// Adds c y^j z^k (x² + y² + z²)^power to a form whose other exponent follows from its order.
///
/// @param form  the coefficients of its monomials
void addWithRadius(double c, int j, int k, int power, Eigen::Ref<Eigen::VectorXd> form) {
  for (int p = 0; p <= power; ++p)
    for (int q = 0; q <= power - p; ++q) {
      const double ways = factorial(power) / (factorial(p) * factorial(q) * factorial(power - p - q));
      form(tensorIndex(j + 2 * p, k + 2 * q)) += c * ways;
    }
}

}  // namespace

int shOrder(int count) {
  for (int order = 0; order <= kLargestOrder; order += 2)
    if (tensorEntries(order) == count) return order;
  return -1;
}

Eigen::MatrixXd shMatrix(int order, std::span<const Vec3<double>> directions, ShBasis basis) {
  Eigen::MatrixXd values(directions.size(), tensorEntries(order));
  for (Eigen::Index row = 0; row < values.rows(); ++row) {
    const auto& g = directions[row];
    std::array<double, kLargestOrder + 1> re{1}, im{0};  // (x + iy)^m
    for (int m = 1; m <= order; ++m) {
      re[m] = re[m - 1] * g.x - im[m - 1] * g.y;
      im[m] = re[m - 1] * g.y + im[m - 1] * g.x;
    }
    forEachFunction(order, basis, [&](int column, int l, int m, double factor) {
      const int a = std::abs(m);
      values(row, column) =
          factor * normalization(l, m) * reducedLegendre(l, a, g.z) * (m < 0 ? im[a] : re[a]);
    });
  }
  return values;
}

double zonalHarmonic(int l, double z) { return normalization(l, 0) * reducedLegendre(l, 0, z); }

Eigen::MatrixXd tensorFromSh(int order, ShBasis basis) {
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(tensorEntries(order), tensorEntries(order));
  forEachFunction(order, basis, [&](int column, int l, int m, double factor) {
    const int a = std::abs(m);
    // N_lm = normalization · d^a P_l/dz^a · {Re, Im}(x + iy)^a is homogeneous of degree l once every
    // z^(l−a−2k) of the polynomial is multiplied by r^2k; multiplied by r^(order−l) it has degree `order`.
    for (int k = 0; 2 * k <= l - a; ++k) {
      const int zPower = l - a - 2 * k, rPower = k + (order - l) / 2;
      const double polynomial = (k % 2 ? -1 : 1) * std::ldexp(1.0, -l) * binomial(l, k) *
                                binomial(2 * (l - k), l) * factorial(l - 2 * k) / factorial(zPower);
      for (int b = m < 0 ? 1 : 0; b <= a; b += 2) {  // x^(a−b) (iy)^b
        const double angular = binomial(a, b) * (b / 2 % 2 ? -1 : 1);
        addWithRadius(factor * normalization(l, m) * polynomial * angular, b, zPower, rPower,
                      matrix.col(column));
      }
    }
  });
  for (int s = 0; s <= order; ++s)  // monomial coefficients hold multiplicity · entry
    for (int k = 0; k <= s; ++k) matrix.row(tensorIndex(s - k, k)) /= binomial(order, s) * binomial(s, k);
  return matrix;
}

Eigen::MatrixXd shFromTensor(int order, ShBasis basis) { return inverse(tensorFromSh(order, basis)); }

double legendreAtZero(int l) { return reducedLegendre(l, 0, 0); }

}  // namespace sulcus
