#pragma once

#include "core/fibers/peaks/general_tensor_kernel.h"
#include "core/math/simd.h"

#include <array>
#include <cmath>
#include <utility>

// The shifted power method for symmetric tensors of any order m and dimension n, as in Ballard, Kolda and
// Plantenga (2011), general and unrolled; for CPU and GPU. All starts take the same number of steps, so that
// every implementation does the same work.

namespace sulcus::bench {

inline constexpr int kMostDimensions = 8;

/// Number of index classes of order m and dimension n: (m + n − 1 choose m).
constexpr int indexClassCount(int m, int n) {
  int count = 1;
  for (int i = 1; i <= m; ++i) count = count * (n - 1 + i) / i;
  return count;
}

/// Operations of A x^(m−1) as the paper counts them, 140 at m = 4, n = 3: for each index class of order m − 1
/// and each of the n components m − 1 products, one product with the multiplicity and one sum, minus one for
/// each class.
constexpr int paperFlops(int m, int n) { return indexClassCount(m - 1, n) * (n * (m + 1) - 1); }

namespace detail {

template <int M, int N>
constexpr auto sortedIndices() {
  std::array<std::array<int, M>, std::size_t(indexClassCount(M, N))> all{};
  int index[M] = {};
  for (auto& one : all) {
    for (int j = 0; j < M; ++j) one[std::size_t(j)] = index[j];
    fibers::nextIndexClass(index, M, N);
  }
  return all;
}

template <int M, int N>
inline constexpr auto kSortedIndices = sortedIndices<M, N>();

/// The index at place J of class C.
template <int M, int N, int C, int J>
inline constexpr int kIndexAt = kSortedIndices<M, N>[C][J];

/// How often the entry of class C occurs in component kIndexAt<…, P> of A x^(m−1).
template <int M, int N, int C, int P>
inline constexpr float kTimes = float(fibers::multiplicityWithout(kSortedIndices<M, N>[C].data(), M, P, -1));

/// Whether place P is the first one of its index in class C.
template <int M, int N, int C, int P>
constexpr bool isFirst() {
  if constexpr (P == 0) {
    return true;
  } else {
    return kIndexAt<M, N, C, P> != kIndexAt<M, N, C, P - 1>;
  }
}

/// One line of Figure 6.1: adds the term of class C without its index at place P.
template <int M, int N, int C, int P, int... J>
SULCUS_HD_INLINE void addTerm(float a, const float* x, float* y, std::integer_sequence<int, J...>) {
  if constexpr (isFirst<M, N, C, P>()) {
    constexpr float times = kTimes<M, N, C, P>;
    float term = a * times;
    ((J != P ? void(term *= x[kIndexAt<M, N, C, J>]) : void()), ...);
    y[kIndexAt<M, N, C, P>] += term;
  }
}

template <int M, int N, int C, int... P>
SULCUS_HD_INLINE void addTerms(float a, const float* x, float* y, std::integer_sequence<int, P...> places) {
  (addTerm<M, N, C, P>(a, x, y, places), ...);
}

template <int M, int N, int... C>
SULCUS_HD_INLINE void addClasses(const float* a, const float* x, float* y, std::integer_sequence<int, C...>) {
  (addTerms<M, N, C>(a[C], x, y, std::make_integer_sequence<int, M>()), ...);
}

}  // namespace detail

/// A x^(m−1) with all indices and numbers of occurrences known at compile time.
template <int M, int N>
struct UnrolledTensor {
  const float* a;

  static SULCUS_HD constexpr int order() { return M; }
  static SULCUS_HD constexpr int dimension() { return N; }
  SULCUS_HD_INLINE void gradient(const float* x, float* y) const {
    for (int i = 0; i < N; ++i) y[i] = 0;
    detail::addClasses<M, N>(a, x, y, std::make_integer_sequence<int, indexClassCount(M, N)>());
  }
};

/// Loops over the index classes (Algorithms 3 and 4).
struct LoopedTensor {
  const float* a;
  int m, n;

  SULCUS_HD int order() const { return m; }
  SULCUS_HD int dimension() const { return n; }
  SULCUS_HD void gradient(const float* x, float* y) const { fibers::generalGradient(a, m, n, x, y); }
};

/// Algorithm 1 from a start: x becomes an eigenvector.
///
/// @param x      dimension() numbers, of length 1
/// @param alpha  the shift, 0 or more
/// @return       λ = A xᵐ at the x of the last evaluation
template <class Tensor>
SULCUS_HD float powerMethod(const Tensor& tensor, float alpha, int steps, float* x) {
  float value = 0, y[kMostDimensions];
  for (int step = 0; step < steps; ++step) {
    tensor.gradient(x, y);
    float square = 0;
    value = 0;
    for (int i = 0; i < tensor.dimension(); ++i) {
      value += x[i] * y[i];
      y[i] += alpha * x[i];
      square += y[i] * y[i];
    }
    const float inverse = 1 / ::sqrtf(square);
    for (int i = 0; i < tensor.dimension(); ++i) x[i] = inverse * y[i];
  }
  return value;
}

/// body(std::integral_constant<int, m>, std::integral_constant<int, n>) if this order and dimension are
/// unrolled; else false.
template <class Body>
bool withUnrolled(int m, int n, Body&& body) {
  const auto when = [&]<int M, int N>() {
    if (m != M || n != N) return false;
    body(std::integral_constant<int, M>(), std::integral_constant<int, N>());
    return true;
  };
  return when.template operator()<3, 2>() || when.template operator()<4, 2>() ||
         when.template operator()<6, 2>() || when.template operator()<8, 2>() ||
         when.template operator()<3, 3>() || when.template operator()<4, 3>() ||
         when.template operator()<6, 3>() || when.template operator()<8, 3>() ||
         when.template operator()<4, 4>();
}

}  // namespace sulcus::bench
