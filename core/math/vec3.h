#pragma once

#include "core/base/host_device.h"

#include <cmath>

namespace sulcus {

/// Three numbers, such as a position, a direction or a size.
template <class T>
struct Vec3 {
  T x{}, y{}, z{};

  SULCUS_HD constexpr T& operator[](int i) { return i == 0 ? x : i == 1 ? y : z; }
  SULCUS_HD constexpr const T& operator[](int i) const { return i == 0 ? x : i == 1 ? y : z; }
  friend constexpr bool operator==(const Vec3&, const Vec3&) = default;
};

template <class T>
SULCUS_HD constexpr Vec3<T> operator+(const Vec3<T>& a, const Vec3<T>& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class T>
SULCUS_HD constexpr Vec3<T> operator-(const Vec3<T>& a, const Vec3<T>& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class T>
SULCUS_HD constexpr Vec3<T> operator-(const Vec3<T>& a) {
  return {-a.x, -a.y, -a.z};
}
template <class T>
SULCUS_HD constexpr Vec3<T> operator*(const T& s, const Vec3<T>& a) {
  return {s * a.x, s * a.y, s * a.z};
}
template <class T>
SULCUS_HD constexpr T dot(const Vec3<T>& a, const Vec3<T>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class T>
SULCUS_HD constexpr Vec3<T> cross(const Vec3<T>& a, const Vec3<T>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
template <class T>
SULCUS_HD T norm(const Vec3<T>& a) {
  using std::sqrt;
  return sqrt(dot(a, a));
}
/// `a` scaled to length 1; undefined for the zero vector.
template <class T>
SULCUS_HD Vec3<T> normalized(const Vec3<T>& a) {
  return (T(1) / norm(a)) * a;
}

}  // namespace sulcus
