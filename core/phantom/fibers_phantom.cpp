#include "core/phantom/fibers_phantom.h"

#include "core/base/error.h"
#include "core/base/parallel/parallel_for.h"
#include "core/base/sentence.h"
#include "core/fibers/peaks/starts.h"
#include "core/image/grids/interpolate.h"
#include "core/preparation/diffusion/eddy_currents.h"
#include "core/registration/preparation/cubic_spline.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numbers>
#include <vector>

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

/// The content of a voxel: shares of the signal of fibers with these unit directions, and of isotropic
/// diffusion.
struct Content {
  std::vector<Vec3<double>> fibers;
  std::vector<double> shares;
  double even = 0, evenDiffusivity = 0;
  double unweighted = kUnweightedSignal;
};

double signalOf(const Content& content, const Gradient& row) {
  double signal = content.even * std::exp(-row.b * content.evenDiffusivity);
  for (std::size_t f = 0; f < content.fibers.size(); ++f) {
    const double cosine = dot(row.directionWorld, content.fibers[f]);
    signal +=
        content.shares[f] *
        std::exp(-row.b * (kRadialDiffusivity + (kAxialDiffusivity - kRadialDiffusivity) * cosine * cosine));
  }
  return content.unweighted * signal;
}

GradientTable phantomGradients(int b) {
  GradientTable gradients;
  gradients.source = "crossing-fibers phantom, world axes";
  gradients.rows.resize(kUnweighted);
  for (const auto& g : fibers::evenDirections(kWeighted)) gradients.rows.push_back({double(b), g});
  return gradients;
}

/// A signal with Rician noise.
double noisy(double signal, const FibersPhantomOptions& options, std::int64_t voxel, int volume) {
  if (!(options.snr > 0)) return signal;
  const double sigma = kUnweightedSignal / options.snr;
  const auto noise =
      normals(uniforms(options.seed, FiberDraw::noise, std::uint32_t(voxel), std::uint32_t(volume)));
  return std::hypot(signal + sigma * noise[0], sigma * noise[1]);
}

/// Adds the signals of a voxel in all volumes: with noise, unless they will be displaced.
void addSignals(const Content& content, const FibersPhantomOptions& options, const GradientTable& gradients,
                std::int64_t voxel, Series<float>& dwi) {
  for (int v = 0; v < dwi.count; ++v) {
    const double signal = signalOf(content, gradients.rows[v]);
    dwi.at(voxel, v) = float(options.eddy > 0 ? signal : noisy(signal, options, voxel, v));
  }
}

/// Displaces the signals of all volumes by eddy currents, and adds noise.
void displaceSignals(const FibersPhantomOptions& options, const GradientTable& gradients,
                     Series<float>& dwi) {
  if (!(options.eddy > 0)) return;
  const Grid& grid = dwi.grid;
  const preparation::EddyFrame frame(grid, 1);
  const Affine voxelFromWorld = grid.worldFromVoxel.inverse();
  parallelFor(dwi.count, 1, {}, [&](std::int64_t v) {
    const auto image = dwi.volume(int(v));
    const Vec3<double>& g = gradients.rows[v].directionWorld;
    const double e = gradients.rows[v].b > 0 ? options.eddy : 0;
    const preparation::EddyTerms terms{e * g.x, e * g.y, e * g.z, e / 3 * g.y, 0, 0, 0, 0, e / 3 * g.x};
    const registration::SplineImage signals({image.data, image.data + image.voxels()}, grid.size, {});
    for (std::int64_t i = 0; i < grid.voxels(); ++i) {
      const Vec3<double> seen = grid.positionOf(i);
      Vec3<double> from = seen;
      for (int step = 0; step < 10; ++step) from = seen - frame.shift(terms, from) * frame.along;
      const Vec3<double> at = voxelFromWorld.point(from);
      const Vec3<float> p{float(at.x), float(at.y), float(at.z)};
      const double signal =
          isInImage(grid.size, p) ? std::max(0.f, registration::interpolatedAt<int>(signals.view(), p)) : 0.f;
      image.data[i] = float(noisy(signal / frame.width(terms, from), options, i, int(v)));
    }
  });
}

void addTruth(const Content& content, std::int64_t voxel, Series<float>& truth) {
  for (std::size_t f = 0; f < content.fibers.size() && int(f) < truth.count / 3; ++f)
    for (int i = 0; i < 3; ++i)
      truth.at(voxel, int(3 * f) + i) = float(content.shares[f] * content.fibers[f][i]);
}

double bell(double x, double width) { return std::exp(-0.5 * x * x / (width * width)); }

/// The bundles of a brain at p (mm, MNI) by weight, heaviest first; at most two.
Content bundlesAt(const Vec3<double>& p) {
  const double side = p.x < 0 ? -1 : 1, x = std::abs(p.x);
  struct Bundle {
    Vec3<double> direction;
    double weight;
  };
  std::vector<Bundle> bundles{
      // The callosum: parabolas that are lowest in the middle.
      {{1, 0, 2 * p.x / 110}, p.z - p.x * p.x / 110 > 12 && p.z - p.x * p.x / 110 < 44 ? 1.0 : 0.02},
      // The corona radiata: straight out of the brain stem.
      {{p.x - side * 8, 0.4 * (p.y + 22), p.z + 45}, 0.35 + 0.6 * bell(x - 25, 9)},
      {{0.15 * side, 1, 0}, 1.4 * bell(x - 38, 5) * bell(p.z - 26, 9)},  // superior longitudinal
      {{0, 1, 0}, 1.6 * bell(x - 8, 3) * bell(p.z - 34, 6)},             // cingulum
      {{0.1 * side, 1, 0.1}, p.z < 2 ? 0.9 * bell(x - 40, 9) : 0.0}};    // inferior longitudinal
  std::sort(bundles.begin(), bundles.end(), [](const auto& a, const auto& b) { return a.weight > b.weight; });
  Content content;
  content.fibers = {(1 / norm(bundles[0].direction)) * bundles[0].direction};
  content.shares = {1};
  const Vec3<double> second = (1 / norm(bundles[1].direction)) * bundles[1].direction;
  const bool crosses = bundles[1].weight > 0.4 * bundles[0].weight &&
                       std::abs(dot(second, content.fibers[0])) < std::cos(40 * kDegree);
  if (!crosses) return content;
  content.fibers.push_back(second);
  const double share = bundles[0].weight / (bundles[0].weight + bundles[1].weight);
  content.shares = {share, 1 - share};
  return content;
}

Content contentAt(const Vec3<double>& p, double csf, double gm, double wm) {
  const double sum = csf + gm + wm;
  Content content = wm > 0.25 ? bundlesAt(p) : Content{};
  if (content.fibers.empty()) wm = 0;
  for (double& share : content.shares) share *= wm / sum;
  content.even = 1 - wm / sum;
  content.evenDiffusivity = (0.8e-3 * gm + 3e-3 * csf) / std::max(gm + csf, 1e-9);
  content.unweighted = kUnweightedSignal * (csf * 1.8 + gm + wm * 0.75);
  return content;
}

/// Two fibers that cross at an angle that grows along x, in a direction that turns along y.
Content crossingAt(const FibersPhantomOptions& options, const Grid& grid, std::int64_t voxel) {
  const auto [x, y, z] = grid.voxel(voxel);
  const double azimuth = std::numbers::pi * (y + 0.5) / kWidth,
               elevation = 30 * kDegree * std::sin(2 * azimuth);
  const Vec3<double> first{std::cos(elevation) * std::cos(azimuth), std::cos(elevation) * std::sin(azimuth),
                           std::sin(elevation)};
  const double angle = fibersPhantomAngle(x) * kDegree;
  if (angle == 0) return {{first}, {1}};
  const Vec3<double> normal{-std::sin(elevation) * std::cos(azimuth),
                            -std::sin(elevation) * std::sin(azimuth), std::cos(elevation)};
  const double share = 0.5 + 0.2 * uniforms(options.seed, FiberDraw::share, std::uint32_t(voxel), 0)[0];
  return {{first, rotated(first, normal, angle)}, {share, 1 - share}};
}

/// @param contentOf  the content of each voxel; outside of the head its unweighted signal is 0
FibersPhantom phantomOf(const FibersPhantomOptions& options, const Grid& grid,
                        const std::function<Content(std::int64_t)>& contentOf) {
  FibersPhantom phantom;
  phantom.gradients = phantomGradients(options.b);
  auto dwi = std::make_shared<Series<float>>(grid, kUnweighted + kWeighted);
  auto truth = std::make_shared<Series<float>>(grid, 6, std::nanf(""));
  auto mask = std::make_shared<Mask>(grid);
  for (std::int64_t voxel = 0; voxel < grid.voxels(); ++voxel) {
    const Content content = contentOf(voxel);
    mask->values[voxel] = content.unweighted > 0;
    addTruth(content, voxel, *truth);
    addSignals(content, options, phantom.gradients, voxel, *dwi);
  }
  displaceSignals(options, phantom.gradients, *dwi);
  phantom.dwi = std::move(dwi);
  phantom.truth = std::move(truth);
  phantom.mask = std::move(mask);
  return phantom;
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
  return phantomOf(options, grid, [&](std::int64_t voxel) { return crossingAt(options, grid, voxel); });
}

FibersPhantom makeFibersPhantom(const FibersPhantomOptions& options, const Series<float>& tissue) {
  if (tissue.count != 3)
    throw Error(text("The tissue has ", tissue.count, " volumes"), "csf, gm and wm are one each",
                "give three maps", ErrorKind::usage);
  return phantomOf(options, tissue.grid, [&](std::int64_t voxel) {
    const double csf = tissue.at(voxel, 0), gm = tissue.at(voxel, 1), wm = tissue.at(voxel, 2);
    if (!(csf + gm + wm >= 0.5)) return Content{{}, {}, 0, 0, 0};
    return contentAt(tissue.grid.positionOf(voxel), csf, gm, wm);
  });
}

}  // namespace sulcus::phantom
