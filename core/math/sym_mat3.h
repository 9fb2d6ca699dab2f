#pragma once

#include "core/base/host_device.h"
#include "core/math/vec3.h"

namespace sulcus {

/// A symmetric 3×3 matrix.
template <class T>
struct SymMat3 {
  T xx{}, xy{}, xz{}, yy{}, yz{}, zz{};
};

template <class T>
SULCUS_HD constexpr Vec3<T> operator*(const SymMat3<T>& a, const Vec3<T>& v) {
  return {a.xx * v.x + a.xy * v.y + a.xz * v.z, a.xy * v.x + a.yy * v.y + a.yz * v.z,
          a.xz * v.x + a.yz * v.y + a.zz * v.z};
}
template <class T>
SULCUS_HD constexpr T trace(const SymMat3<T>& a) {
  return a.xx + a.yy + a.zz;
}
/// The adjugate adj(a), for which a · adj(a) = det(a) · I.
template <class T>
SULCUS_HD constexpr SymMat3<T> adjugate(const SymMat3<T>& a) {
  return {a.yy * a.zz - a.yz * a.yz, a.xz * a.yz - a.xy * a.zz, a.xy * a.yz - a.xz * a.yy,
          a.xx * a.zz - a.xz * a.xz, a.xy * a.xz - a.xx * a.yz, a.xx * a.yy - a.xy * a.xy};
}

}  // namespace sulcus
