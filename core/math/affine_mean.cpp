#include "core/math/affine_mean.h"

#include <algorithm>
#include <cmath>

namespace sulcus {
namespace {

const Affine kZeroMap{{{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}}, {}};

/// a + factor × b, entry by entry.
Affine mapSum(const Affine& a, double factor, const Affine& b) {
  Affine result = a;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) result.m[i][j] += factor * b.m[i][j];
  result.t = a.t + factor * b.t;
  return result;
}

/// The product of two matrices whose last row is 0.
Affine mapProduct(const Affine& a, const Affine& b) {
  Affine ab = a * b;
  ab.t = a.vector(b.t);
  return ab;
}

double largestMapEntry(const Affine& a) {
  double largest = 0;
  for (const auto& row : a.m)
    for (const double entry : row) largest = std::max(largest, std::abs(entry));
  return largest;
}

}  // namespace

std::optional<Affine> logarithmOf(const Affine& map) {
  constexpr double kNear = 0.02;  // distance from the identity within which the series needs few terms
  constexpr int kMostRoots = 30, kTerms = 8;
  Affine root = map;
  int roots = 0;
  for (; largestMapEntry(mapSum(root, -1, Affine{})) > kNear; ++roots) {
    const auto next = squareRoot(root);
    if (!next || roots == kMostRoots) return {};
    root = *next;
  }
  // log(1 + x) = x − x²/2 + x³/3 − …
  const Affine x = mapSum(root, -1, Affine{});
  Affine power = x, logarithm = x;
  for (int k = 2; k <= kTerms; ++k) {
    power = mapProduct(power, x);
    logarithm = mapSum(logarithm, (k % 2 == 0 ? -1.0 : 1.0) / k, power);
  }
  return mapSum(kZeroMap, std::ldexp(1, roots), logarithm);
}

Affine exponentialOf(const Affine& logarithm) {
  constexpr double kNear = 0.02;
  constexpr int kTerms = 8;
  int halvings = 0;
  while (std::ldexp(largestMapEntry(logarithm), -halvings) > kNear) ++halvings;
  const Affine x = mapSum(kZeroMap, std::ldexp(1, -halvings), logarithm);
  Affine term = x, map = mapSum(Affine{}, 1, x);
  for (int k = 2; k <= kTerms; ++k) {
    term = mapSum(kZeroMap, 1.0 / k, mapProduct(term, x));
    map = mapSum(map, 1, term);
  }
  for (int i = 0; i < halvings; ++i) map = map * map;
  return map;
}

std::optional<Affine> middleOf(std::span<const Affine> maps) {
  constexpr int kMostSteps = 50;
  constexpr double kSettled = 1e-12;
  Affine middle = maps.front();
  for (int step = 0; step < kMostSteps; ++step) {
    Affine mean = kZeroMap;
    for (const Affine& map : maps) {
      const auto logarithm = logarithmOf(middle.inverse() * map);
      if (!logarithm) return {};
      mean = mapSum(mean, 1 / double(maps.size()), *logarithm);
    }
    middle = middle * exponentialOf(mean);
    if (largestMapEntry(mean) < kSettled && norm(mean.t) < 1e-9) break;
  }
  return middle;
}

}  // namespace sulcus
