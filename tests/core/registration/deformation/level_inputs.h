#pragma once

#include "core/registration/deformation/registration_level.h"
#include "tests/support/for_each_seed.h"

#include <cmath>

namespace sulcus::test {

/// A smooth displacement, 0 on the border, at most `largest` mm of each component, plus `rough` of noise.
template <class Real>
registration::VectorField<Real> displacementOf(const Vec3<int>& size, double largest, double rough,
                                               Rng& rng) {
  registration::VectorField<Real> u(size);
  double phase[9];
  for (auto& p : phase) p = rng.uniform(0, 6);
  const registration::Interior xs = registration::interior(size.x), ys = registration::interior(size.y),
                               zs = registration::interior(size.z);
  for (int z = zs.first; z <= zs.last; ++z)
    for (int y = ys.first; y <= ys.last; ++y)
      for (int x = xs.first; x <= xs.last; ++x)
        for (int i = 0; i < 3; ++i) {
          if (size[i] == 1) continue;
          const double wave = std::sin(0.9 * x + phase[3 * i]) * std::cos(0.7 * y + phase[3 * i + 1]) *
                              std::cos(0.8 * z + phase[3 * i + 2]);
          *u.at(i, x, y, z) = Real(largest * wave + rough * rng.uniform(-1, 1));
        }
  return u;
}

/// Two different smooth images with some noise; some voxels of the reference are excluded.
template <class Real>
registration::LevelImages<Real> imagesOf(const Vec3<int>& size, const Vec3<double>& spacing, Rng& rng) {
  registration::LevelImages<Real> images{size, spacing, {}, {}};
  for (int z = 0; z < size.z; ++z)
    for (int y = 0; y < size.y; ++y)
      for (int x = 0; x < size.x; ++x) {
        images.moving.push_back(
            Real(0.5 + 0.3 * std::sin(0.8 * x + 0.3 * z) * std::cos(0.6 * y) + 0.1 * rng.uniform()));
        const bool counts = rng.uniform() > 0.1;
        images.reference.push_back(
            counts ? Real(0.5 + 0.3 * std::cos(0.7 * x) * std::sin(0.5 * y + 0.4 * z) + 0.1 * rng.uniform())
                   : Real(NAN));
      }
  return images;
}

}  // namespace sulcus::test
