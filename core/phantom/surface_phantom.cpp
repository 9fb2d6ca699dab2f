#include "core/phantom/surface_phantom.h"

#include "core/base/parallel/parallel_for.h"
#include "core/math/distributions.h"
#include "core/math/philox.h"
#include "core/phantom/centered_grid.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

namespace sulcus::phantom {
namespace {

constexpr double kSpeckled = 3;  // largest distance of speckles from the surface, mm
constexpr int kSegments = 400;   // of the polyline along the middle of the fold

/// A rectangle perpendicular to one axis, mm.
struct Rectangle {
  Vec3<double> low, high;
  double squaredDistance(const Vec3<double>& p) const {
    double sum = 0;
    for (int i = 0; i < 3; ++i) {
      const double d = p[i] - std::clamp(p[i], low[i], high[i]);
      sum += d * d;
    }
    return sum;
  }
};

/// The signed distance (mm, negative inside) to two blocks around the z axis, the smaller one on the larger
/// one. Positions are in mm from the center of the grid.
class Blocks {
 public:
  /// Every face lies half-way between voxels, where the boundary of a mask can be.
  explicit Blocks(int size)
      : wide_(between(0.28, size)),
        narrow_(between(0.155, size)),
        bottom_(-wide_),
        middle_(between(0, size)),
        top_(wide_) {
    face({-wide_, -wide_, bottom_}, {wide_, wide_, bottom_});
    sides(wide_, bottom_, middle_);
    // The part of the lower block's top that the upper block does not cover.
    for (const double side : {-1.0, 1.0}) {
      const double a = std::min(side * narrow_, side * wide_), b = std::max(side * narrow_, side * wide_);
      face({a, -wide_, middle_}, {b, wide_, middle_});
      face({-narrow_, a, middle_}, {narrow_, b, middle_});
    }
    sides(narrow_, middle_, top_);
    face({-narrow_, -narrow_, top_}, {narrow_, narrow_, top_});
  }
  double operator()(const Vec3<double>& p) const {
    double nearest = std::numeric_limits<double>::infinity();
    for (const auto& f : faces_) nearest = std::min(nearest, f.squaredDistance(p));
    const double across = std::max(std::abs(p.x), std::abs(p.y));
    const bool inside = (across < wide_ && p.z > bottom_ && p.z <= middle_) ||
                        (across < narrow_ && p.z > middle_ && p.z < top_);
    return (inside ? -1 : 1) * std::sqrt(nearest);
  }

 private:
  static double between(double share, int size) {
    const double half = size % 2 == 0 ? 0 : 0.5;  // from the center of the grid to the nearest position
                                                  // half-way between voxels
    return std::round(share * size - half) + half;
  }
  void face(const Vec3<double>& low, const Vec3<double>& high) { faces_.push_back({low, high}); }
  void sides(double r, double low, double high) {
    for (const double at : {-r, r}) {
      face({at, -r, low}, {at, r, high});
      face({-r, at, low}, {r, at, high});
    }
  }
  double wide_, narrow_, bottom_, middle_, top_;
  std::vector<Rectangle> faces_;
};

/// The signed distance (mm, negative inside) to a thick sheet that is a wave in x and z and constant along y.
class Fold {
 public:
  explicit Fold(double size) : half_(0.05 * size), depth_(0.3 * size) {
    for (int i = 0; i <= kSegments; ++i) {
      const double s = 2.0 * i / kSegments - 1;  // two and a half waves
      line_.push_back({0.36 * size * s, 0.24 * size * std::cos(2.5 * std::numbers::pi * s)});
    }
  }
  double operator()(const Vec3<double>& p) const {
    double nearest = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i + 1 < line_.size(); ++i) {
      const double ax = line_[i].x, az = line_[i].z, dx = line_[i + 1].x - ax, dz = line_[i + 1].z - az;
      const double along = std::clamp(((p.x - ax) * dx + (p.z - az) * dz) / (dx * dx + dz * dz), 0.0, 1.0);
      const double x = p.x - ax - along * dx, z = p.z - az - along * dz;
      nearest = std::min(nearest, x * x + z * z);
    }
    const double past = std::max(0.0, std::abs(p.y) - depth_);
    return std::sqrt(nearest + past * past) - half_;
  }

 private:
  struct Point {
    double x, z;
  };
  double half_, depth_;
  std::vector<Point> line_;
};

/// A uniform number in (0, 1) and a standard normal one that depend on seed and voxel only.
struct Draws {
  double uniform, normal;
};
Draws drawsAt(int seed, std::int64_t voxel) {
  std::uint32_t c[4] = {std::uint32_t(voxel), std::uint32_t(voxel >> 32), 0, 0x73757266u};
  philox(c, PhiloxKey(std::uint64_t(seed)));
  float normal, other;
  normalPair(c[1], c[2], normal, other);
  return {(c[0] + 0.5) * 0x1p-32, normal};
}

/// The signed distance to a shape at every voxel, mm.
template <class Shape>
Volume<float> distancesTo(const Shape& shape, const Grid& grid) {
  Volume<float> distances(grid);
  const Vec3<double> center = grid.center();
  parallelFor(grid.voxels(), {},
              [&](std::int64_t i) { distances.values[i] = float(shape(grid.positionOf(i) - center)); });
  return distances;
}

}  // namespace

SurfacePhantom makeSurfacePhantom(const SurfacePhantomOptions& options) {
  const Grid grid = centeredCube(options.size, 1);
  const Volume<float> truth = options.kind == SurfacePhantomKind::blocks
                                  ? distancesTo(Blocks(options.size), grid)
                                  : distancesTo(Fold(options.size), grid);
  Mask noisy(grid);
  parallelFor(grid.voxels(), 1 << 14, {}, [&](std::int64_t i) {
    const Draws draws = drawsAt(options.seed, i);
    const double distance = truth.values[i];
    bool inside = distance < 0;
    if (options.noise == SurfaceNoise::rough)
      inside = distance + options.level * draws.normal < 0;
    else if (std::abs(distance) <= kSpeckled && draws.uniform < options.level / 10)
      inside = !inside;
    noisy.values[i] = inside;
  });
  return {std::make_shared<const Mask>(std::move(noisy)), std::make_shared<const Volume<float>>(truth)};
}

}  // namespace sulcus::phantom
