#include "core/math/affine.h"

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

}  // namespace sulcus
