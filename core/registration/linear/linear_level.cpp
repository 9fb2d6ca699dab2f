#include "core/registration/linear/linear_level.h"

#include "core/base/error.h"
#include "core/base/parallel/parallel_for.h"
#include "core/base/sentence.h"
#include "core/math/linear_algebra.h"
#include "core/math/statistics.h"
#include "core/registration/deformation/gaussian.h"
#include "core/registration/deformation/pyramid.h"
#include "core/registration/similarity/mutual_information.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <utility>

namespace sulcus::registration {
namespace {

constexpr double kDarkest = 0.001, kBrightest = 0.999;  // quantiles, see alignContent()
constexpr std::int64_t kQuantileValues = 1 << 18;       // at most this many values are sorted for them

/// Steps of a sequence that fills a four-dimensional cube evenly: the powers of 1/g, where g⁵ = g + 1
/// (M. Roberts, The unreasonable effectiveness of quasirandom sequences, 2018).
constexpr double kEvenSteps[4] = {0.8566748838545029, 0.733891856627126, 0.6287067210378087,
                                  0.5385972572236101};

/// Coordinate `axis` of point `i` of the sequence, 0…1.
double evenly(std::int64_t i, int axis) {
  const double x = 0.5 + double(i + 1) * kEvenSteps[axis];
  return x - std::floor(x);
}

/// A sample of compared values spread over the image: one value from each of equal blocks, at varying
/// positions, since every 512th voxel of 512 × 512 × 512 lies in one plane of the image.
std::vector<float> someValues(const Series<float>& image, const Mask* mask) {
  const std::int64_t n = image.grid.voxels(),
                     compared = mask ? n - std::count(mask->values.begin(), mask->values.end(), 0) : n,
                     length = std::max<std::int64_t>(1, compared / kQuantileValues);
  const auto taken = [&](std::size_t block) {
    return std::int64_t(block) * length + std::int64_t(evenly(std::int64_t(block), 0) * double(length));
  };
  std::vector<float> values;
  values.reserve(compared / length + 1);
  if (!mask) {
    for (std::int64_t i = taken(0); i < n; i = taken(values.size())) values.push_back(image.values[i]);
    return values;
  }
  std::int64_t k = 0;
  for (std::int64_t i = 0; i < n; ++i)
    if (mask->values[i] && k++ == taken(values.size())) values.push_back(image.values[i]);
  return values;
}

/// Positions in voxels, evenly spread over the voxels that are compared.
std::vector<Vec3<double>> placesInMask(const AlignLevel& level, std::int64_t count) {
  std::vector<std::int64_t> voxels;
  for (std::int64_t i = 0; i < level.grid.voxels(); ++i)
    if (level.compared[i]) voxels.push_back(i);
  std::vector<Vec3<double>> places;
  if (voxels.empty()) return places;
  for (std::int64_t i = 0; i < count; ++i) {
    const Vec3<int> v = level.grid.voxel(voxels[i * std::int64_t(voxels.size()) / count]);
    Vec3<double> p;
    for (int axis = 0; axis < 3; ++axis)
      p[axis] = v[axis] + (level.grid.size[axis] > 1 ? evenly(i, axis) - 0.5 : 0);
    places.push_back(p);
  }
  return places;
}

/// Positions in voxels, normally distributed with the object's covariance (Box and Muller 1958).
std::vector<Vec3<double>> placesInObject(const AlignLevel& level, const ObjectFrame& frame,
                                         std::int64_t count) {
  const Matrix3 shape = frame.shape();
  const Eigen::Matrix3d spread = choleskyFactor(Eigen::Map<const Eigen::Matrix3d>(shape[0].data()));
  const Affine voxelFromFrame = level.frameFromVoxel.inverse();
  std::vector<Vec3<double>> places;
  for (std::int64_t i = 0; i < count; ++i) {
    const auto radius = [&](int axis) { return std::sqrt(-2 * std::log(1 - evenly(i, axis))); };
    const auto angle = [&](int axis) { return 2 * std::numbers::pi * evenly(i, axis); };
    const Eigen::Vector3d p =
        spread * Eigen::Vector3d(radius(0) * std::cos(angle(1)), radius(0) * std::sin(angle(1)),
                                 frame.dimensions == 2 ? 0 : radius(2) * std::cos(angle(3)));
    const Vec3<double> place = voxelFromFrame.point({p[0], p[1], p[2]});
    if (isInImage(level.grid.size, place)) places.push_back(place);
  }
  return places;
}

/// The samples of a level, in the order of their voxels. None lies at the center of a voxel: where the
/// centers of two grids coincide, interpolation would blur one of the images less than elsewhere, which would
/// attract the map.
std::vector<AlignSample> samplesOf(const AlignLevel& level, const ObjectFrame& frame, std::int64_t count) {
  const Vec3<int>& size = level.grid.size;
  const auto places =
      level.compared.empty() ? placesInObject(level, frame, count) : placesInMask(level, count);
  std::vector<std::pair<std::int64_t, std::size_t>> order;
  for (std::size_t i = 0; i < places.size(); ++i)
    order.emplace_back(cellAt(size, places[i].x, places[i].y, places[i].z).corner, i);
  std::sort(order.begin(), order.end());
  std::vector<AlignSample> samples;
  std::vector<float> values;
  for (const auto& [corner, i] : order) {
    const AlignSample s{float(places[i].x), float(places[i].y), float(places[i].z), 0};
    samples.push_back(s);
    values.push_back(interpolated(level.values.data(), cellAt(size, s.x, s.y, s.z)));
  }
  const auto bins = referenceBins(values);
  for (std::size_t i = 0; i < samples.size(); ++i) samples[i].bin = bins[i];
  return samples;
}

/// The level with voxels twice as wide.
AlignLevel halved(const AlignLevel& fine, const Grid& grid, Coarsen& coarsen, const Progress& progress) {
  const std::vector<std::uint8_t> all;
  AlignLevel coarse;
  coarse.grid = grid;
  coarse.values = coarsen(fine.values, all, fine.grid, grid, progress);
  if (!fine.compared.empty()) coarse.compared = coarsened(fine.compared, fine.grid, grid);
  return coarse;
}

/// Smooths a level as much as if its voxels were `edge` wide, so that the capture range of a maximum does not
/// depend on how often the voxels could be halved. An image that was repeatedly halved to a width w has been
/// smoothed by a Gaussian of w/√3.
void soften(AlignLevel& level, double edge, const Progress& progress) {
  Vec3<double> sigma;
  for (const int axis : longAxes(level.grid.size)) {
    const double width = level.grid.spacing()[axis];
    sigma[axis] = std::sqrt(std::max(0.0, edge * edge - width * width) / 3) / width;
  }
  level.values = smoothed(level.values, level.grid.size, sigma, progress);
}

}  // namespace

AlignLevel alignContent(const Series<float>& image, const Mask* mask, const char* name,
                        const Progress& progress) {
  std::vector<float> some = someValues(image, mask);
  double low = 0, high = 0;
  if (!some.empty()) {
    low = interpolatedQuantile(some, kDarkest);
    const double mean = std::accumulate(some.begin(), some.end(), 0.0) / double(some.size());
    const auto bright = std::partition(some.begin(), some.end(), [&](float v) { return v <= mean; });
    if (bright != some.end()) high = interpolatedQuantile({bright, some.end()}, kBrightest);
  }
  if (!(low < high))
    throw Error(text("The ", name, " is constant where the images are compared"),
                "nothing in it can be aligned", "check the image and the mask");
  AlignLevel content;
  content.grid = image.grid;
  content.values.resize(image.values.size());
  const auto scale = float(1 / (high - low));
  parallelFor(image.grid.voxels(), 65536, progress, [&](std::int64_t i) {
    content.values[i] = std::clamp((image.values[i] - float(low)) * scale, 0.0f, 1.0f);
  });
  if (mask) content.compared = mask->values;
  return content;
}

std::vector<AlignLevel> alignLevels(AlignLevel content, const ObjectFrame& frame,
                                    const std::vector<LevelSize>& sizes, const Progress& progress,
                                    Coarsen& coarsen) {
  const Affine frameFromWorld = frame.worldFromFrame().inverse();
  std::vector<AlignLevel> levels(sizes.size());
  for (std::size_t l = sizes.size(); l-- > 0;) {
    const double edge = sizes[l].edge * frame.unit;
    for (;;) {
      const Grid next = coarser(content.grid);
      if (next.size == content.grid.size || finestEdge(next) > edge) break;
      content = halved(content, next, coarsen, progress);
    }
    AlignLevel& level = levels[l] = content;
    if (l + 1 < sizes.size()) soften(level, edge, progress);
    level.range = templateRange(level.values);
    level.frameFromVoxel = frameFromWorld * level.grid.worldFromVoxel;
    level.samples = samplesOf(level, frame, sizes[l].samples);
  }
  return levels;
}

}  // namespace sulcus::registration
