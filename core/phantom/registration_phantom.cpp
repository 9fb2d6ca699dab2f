#include "core/phantom/registration_phantom.h"

#include "core/base/parallel_for.h"
#include "core/math/philox.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

namespace sulcus::phantom {
namespace {

constexpr double kVoxel = 2, kBright = 1000;  // mm; intensity of white matter
constexpr int kBumps = 24;

enum class Draw : std::uint32_t { warp, templateNoise, referenceNoise };

/// Two uniform numbers in (0, 1) that depend on seed, kind and index only.
std::array<double, 2> uniforms(int seed, Draw kind, std::uint64_t index) {
  std::uint32_t c[4] = {std::uint32_t(index), std::uint32_t(index >> 32), std::uint32_t(kind), 0x726567u};
  philox(c, PhiloxKey(std::uint64_t(seed)));
  const auto uniform = [](std::uint32_t high, std::uint32_t low) {
    return (double(std::uint64_t(high) << 20 | low >> 12) + 0.5) * 0x1p-52;
  };
  return {uniform(c[0], c[1]), uniform(c[2], c[3])};
}

double normal(int seed, Draw kind, std::uint64_t index) {
  const auto u = uniforms(seed, kind, index);
  return std::sqrt(-2 * std::log(u[0])) * std::cos(2 * std::numbers::pi * u[1]);
}

/// The share of a voxel that lies inside a surface: 0…1 over about two voxels, for its centre's depth in
/// voxels.
double partialVolume(double depth) { return 1 / (1 + std::exp(-depth / 0.45)); }
double blend(double a, double b, double share) { return a + share * (b - a); }

/// The approximate depth of p below the surface of an ellipsoid with these half axes, all in voxels.
double depthIn(const Vec3<double>& p, const Vec3<double>& centre, const Vec3<double>& axes) {
  const Vec3<double> q{(p.x - centre.x) / axes.x, (p.y - centre.y) / axes.y, (p.z - centre.z) / axes.z};
  const double r = norm(q);
  if (r < 1e-9) return std::min({axes.x, axes.y, axes.z});
  const Vec3<double> slope{q.x / axes.x, q.y / axes.y, q.z / axes.z};
  return (1 - r) * r / norm(slope);
}

/// The intensity of the head at p, in voxels from the middle of a cube of `size` voxels.
double headAt(const Vec3<double>& p, int size) {
  const double unit = size / 64.0;
  const Vec3<double> head = unit * Vec3<double>{22.5, 27, 24};
  const auto shell = [&](double inwards) {
    return depthIn(p, {}, {head.x - unit * inwards, head.y - unit * inwards, head.z - unit * inwards});
  };
  double value = blend(0, 0.75 * kBright, partialVolume(shell(0)));  // scalp
  value = blend(value, 0.08 * kBright, partialVolume(shell(2)));     // skull
  value = blend(value, 0.2 * kBright, partialVolume(shell(4)));      // fluid
  const double brain = shell(5.5);

  // Sulci: sheets where a sum of products of waves vanishes, down to half the way to the middle.
  const double k = 2 * std::numbers::pi / (14 * unit);
  const auto wave = [](double x, double y, double z) {
    return std::sin(x) * std::cos(y) + std::sin(y) * std::cos(z) + std::sin(z) * std::cos(x);
  };
  const double sheet =
      std::abs(wave(k * p.x, k * p.y, k * p.z)) / (1.2 * k);  // about the distance to one, voxels
  const double sulcus = sheet + std::max(0.0, 0.7 * (brain - 8 * unit));
  const double cortex = std::min(brain, sulcus);  // depth below the cortex' surface
  // White matter is not quite even: bundles.
  const double q = 0.8 * k;
  double tissue = kBright * (0.93 + 0.05 * wave(q * p.y + 1, q * p.z + 2, q * p.x + 3));
  tissue = blend(0.62 * kBright, tissue, partialVolume(cortex - 2.2 * unit));
  tissue = blend(tissue, 0.2 * kBright, partialVolume(0.7 * unit - sulcus));
  const auto pair = [&](const Vec3<double>& centre, const Vec3<double>& axes) {
    const Vec3<double> mirrored{std::abs(p.x), p.y, p.z};
    return depthIn(mirrored, unit * centre, unit * axes);
  };
  tissue = blend(tissue, 0.72 * kBright, partialVolume(pair({6.5, 2, -1}, {3, 5, 3.5})));   // nuclei
  tissue = blend(tissue, 0.66 * kBright, partialVolume(pair({2.5, -4, -3}, {2.5, 3, 3})));  // thalami
  tissue = blend(tissue, 0.2 * kBright, partialVolume(pair({2.5, -1, 3.5}, {2, 8, 3})));    // ventricles
  return blend(value, tissue, partialVolume(brain));
}

/// The intensity at p (voxels from the middle) of a disk, or of the C that remains of it without its middle
/// and a slot to the right.
double diskAt(const Vec3<double>& p, int size, bool isC) {
  const double unit = size / 64.0, r = std::hypot(p.x, p.y);
  double depth = std::min(20 * unit - r, 8 * unit - std::abs(p.z));
  if (isC) {
    const double slot = std::min(6 * unit - std::abs(p.y), p.x);
    depth = std::min(depth, -std::max(9 * unit - r, slot));
  }
  return kBright * partialVolume(depth);
}

/// A smooth displacement in voxels: a sum of Gaussian bumps inside the head, scaled to the given largest
/// length.
class Warp {
 public:
  Warp(int seed, int size, double largest) : size_(size) {
    for (int b = 0; b < kBumps; ++b) {
      const auto draw = [&](int i) {
        return uniforms(seed, Draw::warp, 8 * std::uint64_t(b) + std::uint64_t(i))[0] - 0.5;
      };
      bumps_.push_back(
          {(0.55 * size) * Vec3<double>{draw(0), draw(1), draw(2)}, {draw(3), draw(4), draw(5)}});
    }
    double longest = 0;
    const int n = 33;
    for (int i = 0; i < n * n * n; ++i) {
      const int y = i / n % n, z = i / (n * n);
      const Vec3<double> p{double(i % n), double(y), double(z)};
      longest =
          std::max(longest, norm((*this)((double(size) / (n - 1)) * p - 0.5 * size * Vec3<double>{1, 1, 1})));
    }
    scale_ = longest > 0 ? largest / longest : 0;
  }
  /// The displacement at p, both in voxels; p from the middle of the image.
  Vec3<double> operator()(const Vec3<double>& p) const {
    Vec3<double> sum{};
    const double width = 0.13 * size_;
    for (const auto& bump : bumps_) {
      const Vec3<double> d = p - bump.centre;
      sum = sum + std::exp(-0.5 * dot(d, d) / (width * width)) * bump.direction;
    }
    double window = scale_;  // 0 at the faces of the image
    for (int i = 0; i < 3; ++i) window *= std::clamp(4 * (0.5 - std::abs(p[i]) / size_), 0.0, 1.0);
    return window * sum;
  }

 private:
  struct Bump {
    Vec3<double> centre, direction;
  };
  int size_;
  double scale_ = 1;
  std::vector<Bump> bumps_;
};

}  // namespace

RegistrationPhantom makeRegistrationPhantom(const RegistrationPhantomOptions& options) {
  const bool brain = options.kind == RegistrationPhantomKind::brain;
  const int n = options.size;
  Grid grid;
  grid.size = {n, n, brain ? n : n / 2};
  for (int i = 0; i < 3; ++i) {
    grid.worldFromVoxel.m[i][i] = kVoxel;
    grid.worldFromVoxel.t[i] = -0.5 * kVoxel * (grid.size[i] - 1);
  }
  const Warp warp(options.seed, n, brain ? options.displacement * n / 64.0 : 0);
  const double sigma = options.noise / 100 * kBright;

  auto moving = std::make_shared<Series<float>>(grid, 1), reference = moving;
  reference = std::make_shared<Series<float>>(grid, 1);
  auto truth = std::make_shared<Series<float>>(grid, 3);
  auto object = std::make_shared<Mask>(grid);
  parallelFor(
      grid.voxels(), {},
      [&](std::int64_t i) {
        const Vec3<double> p = (1 / kVoxel) * grid.worldFromVoxel.point([&] {
          const Vec3<int> v = grid.voxel(i);
          return Vec3<double>{double(v.x), double(v.y), double(v.z)};
        }());
        const Vec3<double> d = warp(p);
        for (int c = 0; c < 3; ++c) truth->at(i, c) = float(kVoxel * d[c]);
        const double before = brain ? headAt(p, n) : diskAt(p, n, true);
        const double after = brain ? headAt(p + d, n) : diskAt(p, n, false);
        moving->at(i, 0) =
            float(before + sigma * normal(options.seed, Draw::templateNoise, std::uint64_t(i)));
        reference->at(i, 0) =
            float(after + sigma * normal(options.seed, Draw::referenceNoise, std::uint64_t(i)));
        const double unit = n / 64.0;
        object->values[std::size_t(i)] =
            brain ? depthIn(p + d, {}, unit * Vec3<double>{17, 21.5, 18.5}) > 0 : after > 0.5 * kBright;
      },
      4096);
  RegistrationPhantom phantom;
  phantom.templateImage = std::move(moving), phantom.reference = std::move(reference);
  phantom.object = std::move(object);
  if (brain) phantom.truth = std::move(truth);
  return phantom;
}

}  // namespace sulcus::phantom
