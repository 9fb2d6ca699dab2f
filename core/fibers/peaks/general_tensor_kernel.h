#pragma once

#include "core/base/host_device.h"

#include <cstdint>

// Homogeneous forms of any order m and dimension n by loops over the index classes: Algorithms 2 to 4 of
// Ballard, Kolda & Plantenga (2011). tensor_kernel.h is the fast version for n = 3, which is benchmarked
// against these loops. Entries are those of the sorted indices in lexicographic order, symmetricEntries(m, n)
// of them; x and results hold n numbers.

namespace sulcus::fibers {

inline constexpr int kLargestGeneralOrder = 16, kLargestGeneralDimension = 64;
inline constexpr int kMostGeneralEntries = 100'000;

/// The next sorted index i₁ ≤ … ≤ i_m of 0…n−1 in lexicographic order; false after the last.
SULCUS_HD constexpr bool nextIndexClass(int* index, int m, int n) {
  int j = m - 1;
  while (j >= 0 && index[j] == n - 1) --j;
  if (j < 0) return false;
  const int i = index[j] + 1;
  for (; j < m; ++j) index[j] = i;
  return true;
}

/// Number of distinct permutations of a sorted index of m elements after removing those at positions p and q;
/// a negative position removes none.
SULCUS_HD constexpr std::int64_t multiplicityWithout(const int* index, int m, int p, int q) {
  std::int64_t orders = 1, run = 0;
  int place = 0, last = -1;
  for (int j = 0; j < m; ++j) {
    if (j == p || j == q) continue;
    run = index[j] == last ? run + 1 : 1;
    last = index[j];
    orders = orders * ++place / run;  // a product of binomial coefficients, so the division is exact
  }
  return orders;
}

/// The term of an entry with its index class without the positions p and q; a negative position removes none.
template <class Real>
SULCUS_HD Real termWithout(Real entry, const int* index, int m, int p, int q, const Real* x) {
  Real term = entry * Real(multiplicityWithout(index, m, p, q));
  for (int j = 0; j < m; ++j)
    if (j != p && j != q) term *= x[index[j]];
  return term;
}

/// A x^(m−1), n numbers (Algorithm 3).
template <class Real>
SULCUS_HD void generalGradient(const Real* a, int m, int n, const Real* x, Real* y) {
  int index[kLargestGeneralOrder] = {};
  for (int i = 0; i < n; ++i) y[i] = 0;
  do {
    for (int p = 0; p < m; ++p) {
      if (p > 0 && index[p] == index[p - 1]) continue;
      y[index[p]] += termWithout(*a, index, m, p, -1, x);
    }
    ++a;
  } while (nextIndexClass(index, m, n));
}

/// A x^(m−2), n × n numbers by rows.
template <class Real>
SULCUS_HD void generalMatrix(const Real* a, int m, int n, const Real* x, Real* matrix) {
  int index[kLargestGeneralOrder] = {};
  for (int i = 0; i < n * n; ++i) matrix[i] = 0;
  do {
    for (int p = 0; p < m; ++p) {
      if (p > 0 && index[p] == index[p - 1]) continue;
      for (int q = p + 1; q < m; ++q) {
        if (q > p + 1 && index[q] == index[q - 1]) continue;
        const Real term = termWithout(*a, index, m, p, q, x);
        matrix[index[p] * n + index[q]] += term;
        if (index[p] != index[q]) matrix[index[q] * n + index[p]] += term;
      }
    }
    ++a;
  } while (nextIndexClass(index, m, n));
}

}  // namespace sulcus::fibers
