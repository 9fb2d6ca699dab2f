#pragma once

#include "core/image/diffusion/gradients.h"
#include "core/image/volume.h"
#include "core/math/affine.h"
#include "core/preparation/diffusion/eddy_currents.h"
#include "core/preparation/motion_parameters.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace sulcus::preparation {

/// A diffusion scan of an ellipsoidal head, computed at the position of the head in each volume: white matter
/// with fibers of varying direction, surrounded by gray matter, with fluid in the middle.
class MovingFibers {
 public:
  /// @param weighted  number of directions of the shell with b-value `b`
  MovingFibers(Vec3<int> size, double spacing, int unweighted, int weighted, double b) {
    grid_.size = size;
    for (int i = 0; i < 3; ++i) {
      grid_.worldFromVoxel.m[std::size_t(i)][std::size_t(i)] = spacing;
      grid_.worldFromVoxel.t[i] = -0.5 * spacing * (size[i] - 1);
    }
    for (int v = 0; v < unweighted + weighted; ++v) {
      const int k = v - unweighted;
      Gradient gradient;
      if (k >= 0) {
        const double z = (k + 0.5) / weighted, phi = k * 2.399963229728653, r = std::sqrt(1 - z * z);
        gradient = {b, {r * std::cos(phi), r * std::sin(phi), z}};
      }
      gradients_.rows.push_back(gradient);
    }
  }

  const Grid& grid() const { return grid_; }
  const GradientTable& gradients() const { return gradients_; }
  int count() const { return int(gradients_.rows.size()); }

  /// The same with other directions, over the whole sphere, in several shells, in random order.
  MovingFibers& withShells(int unweighted, int weighted, const std::vector<double>& shells, unsigned seed) {
    gradients_.rows.assign(std::size_t(unweighted), Gradient());
    for (const double b : shells)
      for (int k = 0; k < weighted; ++k) {
        const double z = 1 - 2 * (k + 0.5) / weighted, phi = k * 2.399963229728653, r = std::sqrt(1 - z * z);
        gradients_.rows.push_back({b, {r * std::cos(phi), r * std::sin(phi), z}});
      }
    std::mt19937 words(seed);
    std::shuffle(gradients_.rows.begin() + unweighted, gradients_.rows.end(), words);
    return *this;
  }

  /// The scan with the head moved in each volume, and noise with standard deviation 1000/snr.
  ///
  /// @param eddy  terms of each volume, along voxel axis 1; empty: none
  Series<float> scan(const std::vector<Motion>& motion, double snr, unsigned seed,
                     const std::vector<EddyTerms>& eddy = {}) const {
    const EddyFrame frame(grid_, 1);
    Series<float> series(grid_, count());
    std::mt19937 words(seed);
    std::normal_distribution<double> normal(0, snr > 0 ? 1000 / snr : 0);
    for (int v = 0; v < count(); ++v) {
      const Affine restFromVolume = volumeFromRest(motion[std::size_t(v)], grid_.center()).inverse();
      const Gradient& g = gradients_.rows[std::size_t(v)];
      for (int z = 0; z < grid_.size.z; ++z)
        for (int y = 0; y < grid_.size.y; ++y)
          for (int x = 0; x < grid_.size.x; ++x) {
            Vec3<double> p = grid_.worldFromVoxel.point({double(x), double(y), double(z)});
            double width = 1;
            if (!eddy.empty()) {
              const EddyTerms& terms = eddy[std::size_t(v)];
              const Vec3<double> seen = p;
              for (int step = 0; step < 8; ++step) p = seen - frame.shift(terms, p) * frame.along;
              width = frame.width(terms, p);
            }
            const double s =
                signal(restFromVolume.point(p), restFromVolume.vector(g.directionWorld), g.b) / width;
            series.volume(v)(x, y, z) =
                snr > 0 ? float(std::hypot(s + normal(words), normal(words))) : float(s);
          }
    }
    return series;
  }

  /// Depth in the head: below 1 within; below 0.7 in white matter; below 0.25 in fluid.
  double depth(const Vec3<double>& p) const {
    const Vec3<double> radius = 0.42 * extent();
    return std::sqrt(square(p.x / radius.x) + square(p.y / radius.y) + square(p.z / radius.z)) +
           0.08 * std::sin(p.x / 9) * std::cos(p.y / 7 + 1) + 0.05 * std::sin(p.z / 6 + p.x / 11);
  }
  Vec3<double> fiber(const Vec3<double>& p) const {
    const double azimuth = p.x / 25 + p.z / 30, elevation = 0.6 * std::sin(p.y / 20);
    return {std::cos(elevation) * std::cos(azimuth), std::cos(elevation) * std::sin(azimuth),
            std::sin(elevation)};
  }

 private:
  static double square(double a) { return a * a; }
  static double step(double a) { return 1 / (1 + std::exp(-a / 0.05)); }
  Vec3<double> extent() const {
    const Vec3<double> spacing = grid_.spacing();
    return {spacing.x * grid_.size.x, spacing.y * grid_.size.y, spacing.z * grid_.size.z};
  }
  double signal(const Vec3<double>& p, const Vec3<double>& direction, double b) const {
    const double d = depth(p), white = step(0.7 - d) * step(d - 0.25), fluid = step(0.25 - d);
    const double gray = step(1 - d) * (1 - step(0.7 - d));
    const double along = dot(fiber(p), direction);
    return 1000 * white * std::exp(-b * (0.2e-3 + 1.5e-3 * along * along)) +
           1200 * gray * std::exp(-b * 0.8e-3) + 2500 * fluid * std::exp(-b * 3e-3);
  }

  Grid grid_;
  GradientTable gradients_;
};

}  // namespace sulcus::preparation
