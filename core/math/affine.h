#pragma once

#include "core/math/vec3.h"

#include <array>
#include <optional>

namespace sulcus {

/// The affine map p_out = M p_in + t in double. A map called `a_from_b` takes coordinates of b to coordinates
/// of a.
struct Affine {
  std::array<std::array<double, 3>, 3> m{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  Vec3<double> t{};

  /// Maps a position.
  Vec3<double> point(const Vec3<double>& p) const { return vector(p) + t; }
  /// Maps a displacement, to which the translation does not apply.
  Vec3<double> vector(const Vec3<double>& v) const {
    return {m[0][0] * v.x + m[0][1] * v.y + m[0][2] * v.z, m[1][0] * v.x + m[1][1] * v.y + m[1][2] * v.z,
            m[2][0] * v.x + m[2][1] * v.y + m[2][2] * v.z};
  }
  Vec3<double> column(int j) const { return {m[0][j], m[1][j], m[2][j]}; }
  double determinant() const { return dot(column(0), cross(column(1), column(2))); }
  /// The inverse map. The determinant must not be 0.
  Affine inverse() const;

  friend bool operator==(const Affine&, const Affine&) = default;
};

/// The composition: first b, then a.
Affine operator*(const Affine& a, const Affine& b);

/// The square root of a map: the map that, applied twice, gives it (Denman and Beavers 1976). nullopt if
/// there is none, as for a reflection, or no unique one, as for a rotation by 180°.
std::optional<Affine> squareRoot(const Affine& a);

}  // namespace sulcus
