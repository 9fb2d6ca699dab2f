#pragma once

#include "core/image/volume.h"

#include <cmath>
#include <random>

namespace sulcus::preparation {

/// A series of smooth components with values of about 100, and Gaussian noise of a given standard deviation.
inline Series<float> noisySeries(Vec3<int> size, int volumes, double noise, unsigned seed) {
  Grid grid;
  grid.size = size;
  Series<float> series(grid, volumes);
  std::mt19937 words(seed);
  const auto uniform = [&] { return (words() + 0.5) / 4294967296.0; };
  for (int v = 0; v < volumes; ++v)
    for (int z = 0; z < size.z; ++z)
      for (int y = 0; y < size.y; ++y)
        for (int x = 0; x < size.x; ++x) {
          const double size1 = std::sqrt(-2 * std::log(uniform()));
          const double draw = size1 * std::cos(2 * M_PI * uniform());
          series.volume(v)(x, y, z) = float(100 + 20 * std::sin(0.3 * x + 0.1 * y) * std::cos(v) +
                                            15 * std::cos(0.25 * y + 0.2 * z) * std::sin(2.0 * v) +
                                            10 * std::sin(0.2 * (x - z)) * std::cos(3.0 * v) + noise * draw);
        }
  return series;
}

}  // namespace sulcus::preparation
