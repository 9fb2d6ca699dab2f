#pragma once

#include "core/fibers/fibers.h"
#include "core/fibers/peaks/starts.h"
#include "core/image/diffusion/spherical_harmonics.h"

#include <array>
#include <cmath>
#include <memory>
#include <numbers>
#include <random>
#include <vector>

// A scan with three shells of white matter, gray matter, CSF and their mixtures, with its composition.

namespace sulcus::test {

inline constexpr double kWhiteSignal = 1000, kGraySignal = 1300, kCsfSignal = 3000;  // unweighted
inline constexpr double kAxial = 1.7e-3, kRadial = 0.2e-3, kGrayDiffusivity = 0.8e-3, kCsfDiffusivity = 3e-3;
inline constexpr std::array kTissueShells{0.0, 1000.0, 2000.0, 3000.0};

struct TissuePhantom {
  fibers::FiberInput input;
  std::vector<std::array<double, 3>> volumes;         ///< of white matter, gray matter, CSF in each voxel
  std::vector<std::vector<Vec3<double>>> directions;  ///< of its fibers, which have equal shares
};

/// Of every 12 voxels 3 have one fiber, 2 have two at 60° to 90°, 1 has three at right angles, 3 are gray
/// matter, 1 is CSF and 2 are mixtures of equal parts. The noise is Rician. Each of the three shells has this
/// many directions.
inline TissuePhantom tissuePhantom(Grid grid, double snr, unsigned seed,
                                   std::array<int, 3> directions = {24, 30, 60}) {
  TissuePhantom phantom;
  phantom.input.gradients.rows.resize(6);
  for (std::size_t shell = 0; shell < directions.size(); ++shell)
    for (const auto& g : fibers::evenDirections(directions[shell]))
      phantom.input.gradients.rows.push_back({kTissueShells[1 + shell], g});
  const auto& rows = phantom.input.gradients.rows;
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform(0, 1);
  const auto direction = [&] {
    return normalized(Vec3<double>{normal(random), normal(random), normal(random)});
  };
  auto dwi = std::make_shared<Series<float>>(grid, int(rows.size()));
  for (std::int64_t voxel = 0; voxel < grid.voxels(); ++voxel) {
    constexpr int kFibers[] = {1, 1, 1, 2, 2, 3, 0, 0, 0, 0, 1, 0};
    constexpr std::array<double, 3> kVolumes[] = {{1, 0, 0}, {1, 0, 0}, {1, 0, 0},   {1, 0, 0},
                                                  {1, 0, 0}, {1, 0, 0}, {0, 1, 0},   {0, 1, 0},
                                                  {0, 1, 0}, {0, 0, 1}, {.5, .5, 0}, {0, .5, .5}};
    const auto& volumes = phantom.volumes.emplace_back(kVolumes[voxel % 12]);
    auto& axes = phantom.directions.emplace_back();
    const Vec3<double> first = direction(), across = normalized(cross(first, direction()));
    const double angle = (60 + 30 * uniform(random)) * std::numbers::pi / 180;
    const int count = kFibers[voxel % 12];
    if (count > 0) axes.push_back(first);
    if (count == 2) axes.push_back(std::cos(angle) * first + std::sin(angle) * across);
    if (count == 3) axes.push_back(across), axes.push_back(cross(first, across));
    for (std::size_t v = 0; v < rows.size(); ++v) {
      const double b = rows[v].b;
      double signal = volumes[1] * kGraySignal * std::exp(-b * kGrayDiffusivity) +
                      volumes[2] * kCsfSignal * std::exp(-b * kCsfDiffusivity);
      for (const auto& axis : axes) {
        const double cosine = dot(axis, rows[v].directionWorld);
        signal += volumes[0] * kWhiteSignal / double(axes.size()) *
                  std::exp(-b * (kRadial + (kAxial - kRadial) * cosine * cosine));
      }
      const double sigma = snr > 0 ? kWhiteSignal / snr : 0;
      dwi->at(voxel, int(v)) = float(std::hypot(signal + sigma * normal(random), sigma * normal(random)));
    }
  }
  phantom.input.dwi = dwi;
  phantom.input.mask = std::make_shared<const Mask>(grid, std::uint8_t(1));
  return phantom;
}

/// Gives the true responses, up to degree 8.
inline void giveTrueResponses(fibers::FiberInput& input) {
  const double unit = std::sqrt(4 * std::numbers::pi);
  for (const double b : kTissueShells) {
    std::vector<double> zonal;
    for (int l = 0; l <= 8; l += 2) {
      double sum = 0;  // 2π ∫ S(z) Y_l0(z) dz
      constexpr int kSteps = 2000;
      for (int i = 0; i < kSteps; ++i) {
        const double z = -1 + 2 * (i + 0.5) / kSteps;
        sum += 2 * std::numbers::pi * std::exp(-b * (kRadial + (kAxial - kRadial) * z * z)) *
               zonalHarmonic(l, z) * 2 / kSteps;
      }
      zonal.push_back(kWhiteSignal * sum);
    }
    input.response.push_back(zonal);
    input.responseGm.push_back({unit * kGraySignal * std::exp(-b * kGrayDiffusivity)});
    input.responseCsf.push_back({unit * kCsfSignal * std::exp(-b * kCsfDiffusivity)});
  }
}

}  // namespace sulcus::test
