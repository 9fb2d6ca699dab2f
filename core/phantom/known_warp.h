#pragma once

#include "core/math/vec3.h"

#include <vector>

namespace sulcus::phantom {

/// A smooth displacement of a cube of `size` units: a sum of Gaussian bumps, 0 at the faces and scaled to the
/// given largest length.
class KnownWarp {
 public:
  KnownWarp(int seed, int size, double largest);

  /// The displacement at p, both in units; p relative to the center of the cube.
  Vec3<double> operator()(const Vec3<double>& p) const;

 private:
  struct Bump {
    Vec3<double> center, direction;
  };
  int size_;
  double scale_ = 1;
  std::vector<Bump> bumps_;
};

}  // namespace sulcus::phantom
