#include "core/phantom/fibers_phantom.h"

#include "core/fibers/peaks/starts.h"

#include <array>
#include <cmath>
#include <numbers>

#include <Random123/philox.h>

namespace sulcus::phantom {
namespace {

constexpr int kWidth = 32, kSingleFiberColumns = 8;
constexpr int kUnweighted = 6, kWeighted = 64;
constexpr double kAxialDiffusivity = 1.7e-3, kRadialDiffusivity = 0.2e-3;  // mm²/s
constexpr double kUnweightedSignal = 1000;
constexpr double kDegree = std::numbers::pi / 180;

enum class FiberDraw : std::uint32_t { share, noise };

/// Two uniform numbers in (0, 1) that depend on seed, kind, voxel and volume only.
std::array<double, 2> uniforms(int seed, FiberDraw kind, std::uint32_t voxel, std::uint32_t volume) {
  const auto bits =
      r123::Philox4x32()({{voxel, volume, std::uint32_t(kind), 0}}, {{std::uint32_t(seed), 0x666962u}});
  const auto uniform = [](std::uint32_t high, std::uint32_t low) {
    return (double(std::uint64_t(high) << 20 | low >> 12) + 0.5) * 0x1p-52;
  };
  return {uniform(bits[0], bits[1]), uniform(bits[2], bits[3])};
}

/// Two independent standard normal numbers from two uniform ones (Box and Muller).
std::array<double, 2> normals(std::array<double, 2> u) {
  const double radius = std::sqrt(-2 * std::log(u[0])), angle = 2 * std::numbers::pi * u[1];
  return {radius * std::cos(angle), radius * std::sin(angle)};
}

/// `v` rotated by `angle` (radians) about the unit vector `axis` (Rodrigues' formula).
Vec3<double> rotated(const Vec3<double>& v, const Vec3<double>& axis, double angle) {
  return std::cos(angle) * v + std::sin(angle) * cross(axis, v) +
         ((1 - std::cos(angle)) * dot(axis, v)) * axis;
}

}  // namespace

double fibersPhantomAngle(int x) {
  return x < kSingleFiberColumns ? 0
                                 : 45 + 45 * (x - kSingleFiberColumns + 0.5) / (kWidth - kSingleFiberColumns);
}

FibersPhantom makeFibersPhantom(const FibersPhantomOptions& options) {
  Grid grid;
  grid.size = {kWidth, kWidth, 1};
  for (int i = 0; i < 3; ++i) grid.worldFromVoxel.m[i][i] = 2;

  FibersPhantom phantom;
  phantom.gradients.source = "crossing-fibers phantom, world axes";
  phantom.gradients.rows.resize(kUnweighted);
  for (const auto& g : fibers::evenDirections(kWeighted))
    phantom.gradients.rows.push_back({double(options.b), g});

  auto dwi = std::make_shared<Series<float>>(grid, kUnweighted + kWeighted);
  auto truth = std::make_shared<Series<float>>(grid, 6, std::nanf(""));
  for (int y = 0; y < kWidth; ++y)
    for (int x = 0; x < kWidth; ++x) {
      const auto voxel = grid.index(x, y, 0);
      const double azimuth = std::numbers::pi * (y + 0.5) / kWidth,
                   elevation = 30 * kDegree * std::sin(2 * azimuth);
      const Vec3<double> first{std::cos(elevation) * std::cos(azimuth),
                               std::cos(elevation) * std::sin(azimuth), std::sin(elevation)};
      const Vec3<double> normal{-std::sin(elevation) * std::cos(azimuth),
                                -std::sin(elevation) * std::sin(azimuth), std::cos(elevation)};
      const double angle = fibersPhantomAngle(x) * kDegree;
      const double share =
          angle == 0 ? 1 : 0.5 + 0.2 * uniforms(options.seed, FiberDraw::share, std::uint32_t(voxel), 0)[0];
      const std::array<Vec3<double>, 2> fibers{first, rotated(first, normal, angle)};
      const std::array<double, 2> shares{share, 1 - share};

      for (int f = 0; f < (angle == 0 ? 1 : 2); ++f)
        for (int i = 0; i < 3; ++i) truth->at(voxel, 3 * f + i) = float(shares[f] * fibers[f][i]);
      for (int v = 0; v < dwi->count; ++v) {
        const auto& row = phantom.gradients.rows[std::size_t(v)];
        double signal = 0;
        for (int f = 0; f < 2; ++f) {
          const double cosine = dot(row.directionWorld, fibers[f]);
          signal += kUnweightedSignal * shares[f] *
                    std::exp(-row.b * (kRadialDiffusivity +
                                       (kAxialDiffusivity - kRadialDiffusivity) * cosine * cosine));
        }
        if (options.snr > 0) {
          const double sigma = kUnweightedSignal / options.snr;
          const auto noise =
              normals(uniforms(options.seed, FiberDraw::noise, std::uint32_t(voxel), std::uint32_t(v)));
          signal = std::hypot(signal + sigma * noise[0], sigma * noise[1]);
        }
        dwi->at(voxel, v) = float(signal);
      }
    }
  phantom.dwi = std::move(dwi);
  phantom.truth = std::move(truth);
  phantom.mask = std::make_shared<Mask>(grid, std::uint8_t(1));
  return phantom;
}

}  // namespace sulcus::phantom
