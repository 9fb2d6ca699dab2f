#pragma once

#include "core/base/host_device.h"

#include <array>
#include <type_traits>

// Homogeneous forms in three dimensions: f(g) = A gᵐ = Σ_u multiplicity(u) · a_u · g_x^i g_y^j g_z^k over the
// index classes u = (i, j, k), i + j + k = m. Entries a_u are stored in lexicographic order of the sorted
// tensor index: [11…1], [11…2], [11…3], [11…22], … (Ballard, Kolda & Plantenga, Table 3.1), so that u runs
// over (m,0,0), (m−1,1,0), (m−1,0,1), (m−2,2,0), (m−2,1,1), (m−2,0,2), …

namespace sulcus {

/// Number of distinct entries of a symmetric tensor of order m in three dimensions: 6, 15, 28, 45, 66, 91 for
/// 2, 4, 6, 8, 10, 12.
SULCUS_HD constexpr int tensorEntries(int order) { return (order + 1) * (order + 2) / 2; }

inline constexpr int kLargestOrder = 12;
inline constexpr int kLargestEntries = tensorEntries(kLargestOrder);

/// Index of the class g_x^i g_y^j g_z^k (i = m − j − k) among the entries.
SULCUS_HD constexpr int tensorIndex(int j, int k) { return (j + k) * (j + k + 1) / 2 + k; }

struct IndexClass {
  int i = 0, j = 0, k = 0;
  int multiplicity = 1;  ///< m! / (i! j! k!)
};

/// All classes of an order, in storage order.
template <int Order>
constexpr std::array<IndexClass, tensorEntries(Order)> indexClasses() {
  constexpr auto factorial = [](int n) {
    int f = 1;
    for (int i = 2; i <= n; ++i) f *= i;
    return f;
  };
  std::array<IndexClass, tensorEntries(Order)> classes{};
  for (int s = 0; s <= Order; ++s)
    for (int k = 0; k <= s; ++k) {
      const int i = Order - s, j = s - k;
      classes[tensorIndex(j, k)] = {i, j, k, factorial(Order) / (factorial(i) * factorial(j) * factorial(k))};
    }
  return classes;
}

/// Calls body(std::integral_constant<int, order>), which then has the order as a template parameter. `order`
/// is 2, 4, 6, 8, 10 or 12.
template <class Body>
decltype(auto) withOrder(int order, Body&& body) {
  switch (order) {
    case 2:
      return body(std::integral_constant<int, 2>());
    case 4:
      return body(std::integral_constant<int, 4>());
    case 6:
      return body(std::integral_constant<int, 6>());
    case 8:
      return body(std::integral_constant<int, 8>());
    case 10:
      return body(std::integral_constant<int, 10>());
    default:
      return body(std::integral_constant<int, kLargestOrder>());
  }
}

}  // namespace sulcus
