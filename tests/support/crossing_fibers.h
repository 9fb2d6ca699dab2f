#pragma once

#include "core/fibers/fibers.h"
#include "core/fibers/peaks/starts.h"

#include <cmath>
#include <cstdint>
#include <memory>
#include <numbers>
#include <random>

// Simulated scans with known fibers, for tests and benchmarks of the angular resolution.

namespace sulcus::test {

/// The parameters of a scan with crossing fibers; the noise is Rician, as in core/phantom/fibers_phantom.h.
struct CrossingOptions {
  double b = 3000;                      ///< s/mm²
  double snr = 30;                      ///< S0 over the standard deviation of the noise; 0: no noise
  double smallest = 45, largest = 60;   ///< the angles between the fibers, degrees, uniformly distributed
  double largestShare = 0.7;            ///< of the larger fiber in the signal, uniformly distributed from 0.5
  int directions = 64, unweighted = 6;  ///< volumes
  int single = 300, crossing = 1000;    ///< voxels with one fiber, then those with two
  std::uint64_t seed = 1;
  double axial = 1.7e-3, radial = 0.2e-3;  ///< diffusivities, mm²/s
  GradientTable table = {};                ///< of all volumes, if it is not one shell as above
};

/// A scan and its fibers: unit directions × shares of the signal, the larger first, NaN = none. The
/// directions in each voxel are random; the larger of two fibers has a share of 0.5 or more.
struct CrossingScan {
  fibers::FiberInput input;
  Series<float> truth;
};

inline CrossingScan crossingFibers(const CrossingOptions& options) {
  std::mt19937_64 bits(options.seed);
  const auto uniform = [&] { return (double(bits() >> 12) + 0.5) * 0x1p-52; };
  const auto normal = [&] {  // Box and Muller
    const double radius = std::sqrt(-2 * std::log(uniform()));
    return radius * std::cos(2 * std::numbers::pi * uniform());
  };
  const auto anywhere = [&] {
    const Vec3<double> first{normal(), normal(), normal()};
    return normalized(first);
  };

  Grid grid;
  grid.size = {options.single + options.crossing, 1, 1};
  CrossingScan scan;
  scan.input.gradients = options.table;
  auto& rows = scan.input.gradients.rows;
  if (rows.empty()) {
    rows.resize(std::size_t(options.unweighted));
    for (const auto& g : fibers::evenDirections(options.directions)) rows.push_back({options.b, g});
  }
  auto dwi = std::make_shared<Series<float>>(grid, int(rows.size()));
  scan.truth = Series<float>(grid, 6, std::nanf(""));
  for (std::int64_t voxel = 0; voxel < grid.voxels(); ++voxel) {
    const bool isSingle = voxel < options.single;
    const Vec3<double> first = anywhere(), across = normalized(cross(first, anywhere()));
    const double angle =
        (options.smallest + (options.largest - options.smallest) * uniform()) * std::numbers::pi / 180;
    const Vec3<double> fibers[2] = {first, std::cos(angle) * first + std::sin(angle) * across};
    const double share = isSingle ? 1 : 0.5 + (options.largestShare - 0.5) * uniform();
    const double shares[2] = {share, 1 - share};
    for (int f = 0; f < (isSingle ? 1 : 2); ++f)
      for (int i = 0; i < 3; ++i) scan.truth.at(voxel, 3 * f + i) = float(shares[f] * fibers[f][i]);
    for (int v = 0; v < dwi->count; ++v) {
      const Gradient& row = scan.input.gradients.rows[std::size_t(v)];
      double signal = 0;
      for (int f = 0; f < 2; ++f) {
        const double cosine = dot(row.directionWorld, fibers[f]);
        signal += shares[f] *
                  std::exp(-row.b * (options.radial + (options.axial - options.radial) * cosine * cosine));
      }
      if (options.snr > 0) signal = std::hypot(signal + normal() / options.snr, normal() / options.snr);
      dwi->at(voxel, v) = float(1000 * signal);
    }
  }
  scan.input.dwi = std::move(dwi);
  scan.input.mask = std::make_shared<const Mask>(grid, std::uint8_t(1));
  return scan;
}

}  // namespace sulcus::test
