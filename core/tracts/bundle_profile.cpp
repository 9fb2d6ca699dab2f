#include "core/tracts/bundle_profile.h"

#include "core/base/parallel/parallel_for.h"
#include "core/image/grids/interpolate.h"
#include "core/math/sym_mat3.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace sulcus::tracts {
namespace {

using Places = std::array<Vec3<double>, kProfilePlaces>;

Vec3<double> inDouble(const Vec3<float>& p) { return {p.x, p.y, p.z}; }
double squareOf(const Vec3<double>& p) { return dot(p, p); }

/// A line at kProfilePlaces equally spaced positions.
bool placesOf(std::span<const Vec3<float>> points, Places& places) {
  double length = 0;
  for (std::size_t n = 1; n < points.size(); ++n)
    length += norm(inDouble(points[n]) - inDouble(points[n - 1]));
  if (!(length > 0 && std::isfinite(length))) return false;
  std::size_t segment = 1;
  double before = 0, along = norm(inDouble(points[1]) - inDouble(points[0]));
  for (int n = 0; n < kProfilePlaces; ++n) {
    const double wanted = length * n / (kProfilePlaces - 1);
    while (segment + 1 < points.size() && before + along < wanted) {
      before += along, ++segment;
      along = norm(inDouble(points[segment]) - inDouble(points[segment - 1]));
    }
    const double share = along > 0 ? std::min(1.0, (wanted - before) / along) : 0;
    const Vec3<double> from = inDouble(points[segment - 1]);
    places[n] = from + share * (inDouble(points[segment]) - from);
  }
  return true;
}

/// Reverses the line if its start is nearer to the end of `core`.
void turnAlong(const Places& core, Places& places) {
  double same = 0, turned = 0;
  for (std::size_t n = 0; n < places.size(); ++n) {
    same += squareOf(places[n] - core[n]);
    turned += squareOf(places[places.size() - 1 - n] - core[n]);
  }
  if (turned < same) std::reverse(places.begin(), places.end());
}

/// Sums over all lines, block by block in order, so that the result does not depend on the number of threads.
template <class Sums, class Add>
Sums summed(const Tracts& tracts, const Progress& progress, const Add& add) {
  constexpr std::int64_t kBlock = 256;
  std::vector<Sums> blocks((tracts.lines() + kBlock - 1) / kBlock);
  parallelForBlocks(std::int64_t(tracts.lines()), kBlock, progress,
                    [&](std::int64_t begin, std::int64_t end) {
                      Places places;
                      for (std::int64_t i = begin; i < end; ++i)
                        if (placesOf(tracts.line(i), places)) add(places, blocks[begin / kBlock]);
                    });
  Sums all;
  for (const Sums& block : blocks) all += block;
  return all;
}

struct CoreSums {
  double lines = 0;
  Places places{};
  std::array<SymMat3<double>, kProfilePlaces> squares{};

  void operator+=(const CoreSums& other) {
    lines += other.lines;
    for (std::size_t n = 0; n < places.size(); ++n) {
      places[n] = places[n] + other.places[n];
      const SymMat3<double>& o = other.squares[n];
      squares[n] = {squares[n].xx + o.xx, squares[n].xy + o.xy, squares[n].xz + o.xz,
                    squares[n].yy + o.yy, squares[n].yz + o.yz, squares[n].zz + o.zz};
    }
  }
};

/// Positions of lines in the direction of `core`, minus `core`.
CoreSums aroundCore(const Tracts& tracts, const Places& core, const Progress& progress) {
  return summed<CoreSums>(tracts, progress, [&](Places& places, CoreSums& sums) {
    turnAlong(core, places);
    sums.lines += 1;
    for (std::size_t n = 0; n < places.size(); ++n) {
      const Vec3<double> p = places[n] - core[n];
      sums.places[n] = sums.places[n] + p;
      const SymMat3<double>& s = sums.squares[n];
      sums.squares[n] = {s.xx + p.x * p.x, s.xy + p.x * p.y, s.xz + p.x * p.z,
                         s.yy + p.y * p.y, s.yz + p.y * p.z, s.zz + p.z * p.z};
    }
  });
}

struct ValueSums {
  std::array<double, kProfilePlaces> weight{}, value{}, square{};

  void operator+=(const ValueSums& other) {
    for (std::size_t n = 0; n < weight.size(); ++n) {
      weight[n] += other.weight[n];
      value[n] += other.value[n];
      square[n] += other.square[n];
    }
  }
};

/// The inverse of a covariance, to which a hundredth of a mm² is added along each axis.
SymMat3<double> inverseOf(SymMat3<double> m) {
  constexpr double kLeast = 0.01;
  m.xx += kLeast;
  m.yy += kLeast;
  m.zz += kLeast;
  const SymMat3<double> a = adjugate(m);
  const double scale = 1 / (m.xx * a.xx + m.xy * a.xy + m.xz * a.xz);
  return {scale * a.xx, scale * a.xy, scale * a.xz, scale * a.yy, scale * a.yz, scale * a.zz};
}

}  // namespace

BundleProfile profileAlong(const Tracts& tracts, const Volume<float>& image, const Progress& progress) {
  BundleProfile profile;
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  profile.mean.assign(kProfilePlaces, kNone), profile.deviation.assign(kProfilePlaces, kNone);
  Places core{};
  std::size_t begin = 0;
  while (begin < tracts.lines() && !placesOf(tracts.line(begin), core)) ++begin;
  if (begin == tracts.lines()) return profile;
  CoreSums sums;
  for (int pass = 0; pass < 3;
       ++pass) {  // after the first, the core is the mean of lines that run the same way
    sums = aroundCore(tracts, core, progress);
    for (std::size_t n = 0; n < core.size(); ++n) core[n] = core[n] + (1 / sums.lines) * sums.places[n];
  }
  std::array<SymMat3<double>, kProfilePlaces> inverse;
  for (std::size_t n = 0; n < core.size(); ++n) {
    const double share = 1 / sums.lines;
    const Vec3<double> m = share * sums.places[n];
    const SymMat3<double>& s = sums.squares[n];
    inverse[n] = inverseOf({share * s.xx - m.x * m.x, share * s.xy - m.x * m.y, share * s.xz - m.x * m.z,
                            share * s.yy - m.y * m.y, share * s.yz - m.y * m.z, share * s.zz - m.z * m.z});
  }
  const Affine voxelFromWorld = image.grid.worldFromVoxel.inverse();
  const auto values = summed<ValueSums>(tracts, progress, [&](Places& places, ValueSums& found) {
    turnAlong(core, places);
    for (std::size_t n = 0; n < places.size(); ++n) {
      const Vec3<double> at = voxelFromWorld.point(places[n]);
      if (!isInImage(image.grid.size, at)) continue;
      const double value = interpolated(image.values.data(), cellAt(image.grid.size, at.x, at.y, at.z));
      if (!std::isfinite(value)) continue;
      const Vec3<double> off = places[n] - core[n];
      const double weight = std::exp(-0.5 * dot(off, inverse[n] * off));
      found.weight[n] += weight;
      found.value[n] += weight * value;
      found.square[n] += weight * value * value;
    }
  });
  profile.core.assign(core.begin(), core.end());
  for (std::size_t n = 0; n < core.size(); ++n) {
    if (!(values.weight[n] > 0)) continue;
    const double mean = values.value[n] / values.weight[n];
    profile.mean[n] = mean;
    profile.deviation[n] = std::sqrt(std::max(0.0, values.square[n] / values.weight[n] - mean * mean));
  }
  return profile;
}

}  // namespace sulcus::tracts
