#include "core/math/affine.h"

#include <algorithm>
#include <cmath>

namespace sulcus {

Affine Affine::inverse() const {
  const double d = 1.0 / determinant();
  Affine inv;
  for (int i = 0; i < 3; ++i) {
    const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
    for (int j = 0; j < 3; ++j) {
      const int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
      inv.m[i][j] = d * (m[j1][i1] * m[j2][i2] - m[j1][i2] * m[j2][i1]);
    }
  }
  inv.t = -inv.vector(t);
  return inv;
}

Affine operator*(const Affine& a, const Affine& b) {
  Affine ab;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      ab.m[i][j] = a.m[i][0] * b.m[0][j] + a.m[i][1] * b.m[1][j] + a.m[i][2] * b.m[2][j];
  ab.t = a.point(b.t);
  return ab;
}

namespace {

Affine mean(const Affine& a, const Affine& b) {
  Affine result;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) result.m[i][j] = (a.m[i][j] + b.m[i][j]) / 2;
    result.t[i] = (a.t[i] + b.t[i]) / 2;
  }
  return result;
}

/// The largest difference between the entries of two matrices, without the translation.
double difference(const Affine& a, const Affine& b) {
  double largest = 0;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) largest = std::max(largest, std::abs(a.m[i][j] - b.m[i][j]));
  return largest;
}

}  // namespace

std::optional<Affine> squareRoot(const Affine& a) {
  constexpr int kMostSteps = 50;
  constexpr double kExact = 1e-12;
  Affine root = a, inverse;  // converge to a^½ and a^−½
  for (int step = 0; step < kMostSteps; ++step) {
    if (!(std::abs(root.determinant()) > 1e-9) || !(std::abs(inverse.determinant()) > 1e-9)) return {};
    const Affine next = mean(root, inverse.inverse());
    inverse = mean(inverse, root.inverse());
    const double change = difference(root, next);
    root = next;
    if (change < kExact) return difference(root * root, a) < 1e-6 ? std::optional(root) : std::nullopt;
  }
  return {};
}

}  // namespace sulcus
