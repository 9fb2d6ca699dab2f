#include "ui/scene/glyphs/glyphs.h"

#include "core/math/statistics.h"
#include "core/math/strided_sample.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace sulcus::ui::scene {

std::array<std::uint8_t, 3> directionColor(const Vec3<float>& direction) {
  const auto byte = [](float c) { return std::uint8_t(std::lround(255 * std::min(1.0f, std::abs(c)))); };
  return {byte(direction.x), byte(direction.y), byte(direction.z)};
}

std::vector<std::int64_t> voxelsOnPlane(const Grid& grid, const Vec3<double>& point,
                                        const Vec3<double>& normal) {
  // Distance of voxel (i, j, k) from the plane: offset + step·(i, j, k).
  const Affine& affine = grid.worldFromVoxel;
  const double offset = dot(affine.t - point, normal);
  const Vec3<double> step{dot(affine.column(0), normal), dot(affine.column(1), normal),
                          dot(affine.column(2), normal)};
  int along = 0;
  for (int axis = 1; axis < 3; ++axis)
    if (std::abs(step[axis]) > std::abs(step[along])) along = axis;
  const int u = (along + 1) % 3, v = (along + 2) % 3;
  std::vector<std::int64_t> voxels;
  Vec3<int> p;
  for (p[v] = 0; p[v] < grid.size[v]; ++p[v])
    for (p[u] = 0; p[u] < grid.size[u]; ++p[u]) {
      const double position = -(offset + step[u] * p[u] + step[v] * p[v]) / step[along];
      // A plane halfway between two layers of voxels belongs to the upper one: never to both or none.
      const double nearest = std::floor(position + 0.5);
      if (!(nearest >= 0 && nearest < grid.size[along])) continue;
      p[along] = int(nearest);
      voxels.push_back(grid.index(p.x, p.y, p.z));
    }
  std::sort(voxels.begin(), voxels.end());
  return voxels;
}

namespace {

/// The integer nearest to `step` that is coprime with `oneIn`: otherwise some planes would keep all voxels
/// and others none.
std::int64_t stepNear(double step, int oneIn) {
  const auto nearest = std::int64_t(std::lround(step));
  for (std::int64_t away = 0;; ++away)
    for (const std::int64_t near : {nearest + away, nearest - away})
      if (near > 0 && std::gcd(near, std::int64_t(oneIn)) == 1) return near;
}

/// The voxels that are kept when 1 in `oneIn` is shown: those for which x + p y + q z is a multiple of it.
/// The steps p and q are the fractional powers of the plastic number, which spread evenly in any plane.
class Lattice {
 public:
  explicit Lattice(int oneIn)
      : oneIn_(oneIn), p_(stepNear(0.7548776662 * oneIn, oneIn)), q_(stepNear(0.5698402910 * oneIn, oneIn)) {}

  /// The first x of a row.
  int first(int y, int z) const { return int((oneIn_ - (p_ * y + q_ * z) % oneIn_) % oneIn_); }
  bool has(const Vec3<int>& v) const { return (v.x + p_ * v.y + q_ * v.z) % oneIn_ == 0; }

 private:
  int oneIn_;
  std::int64_t p_, q_;
};

}  // namespace

std::vector<std::int64_t> allVoxels(const Grid& grid, int oneIn) {
  oneIn = std::max(1, oneIn);
  const Lattice lattice(oneIn);
  std::vector<std::int64_t> voxels;
  voxels.reserve(std::size_t(grid.voxels() / oneIn) + 1);
  for (int z = 0; z < grid.size.z; ++z)
    for (int y = 0; y < grid.size.y; ++y)
      for (int x = lattice.first(y, z); x < grid.size.x; x += oneIn) voxels.push_back(grid.index(x, y, z));
  return voxels;
}

std::vector<std::int64_t> thinned(const Grid& grid, std::vector<std::int64_t> voxels, int oneIn) {
  if (oneIn > 1)
    std::erase_if(voxels,
                  [&, lattice = Lattice(oneIn)](std::int64_t i) { return !lattice.has(grid.voxel(i)); });
  return voxels;
}

double referenceAmplitude(const Series<float>& peaks) {
  std::vector<float> largest;
  forStridedSample(peaks.grid.voxels(), 5000, [&](std::int64_t i) {
    float amplitude = 0;
    for (int k = 0; k + 2 < peaks.count; k += 3) {
      const float a = norm(Vec3<float>{peaks.at(i, k), peaks.at(i, k + 1), peaks.at(i, k + 2)});
      if (a > amplitude && std::isfinite(a)) amplitude = a;
    }
    if (amplitude > 0) largest.push_back(amplitude);
  });
  if (largest.empty()) return 0;
  return lowerQuantile(std::span(largest), 0.9);
}

void appendSticks(const Series<float>& peaks, const std::vector<std::int64_t>& voxels,
                  double referenceAmplitude, double scale, Sticks& sticks) {
  if (!(referenceAmplitude > 0)) return;
  const Vec3<double> spacing = peaks.grid.spacing();
  const double voxelSize = std::min({spacing.x, spacing.y, spacing.z});
  sticks.points.reserve(sticks.points.size() + 6 * voxels.size());
  sticks.colors.reserve(sticks.colors.size() + 6 * voxels.size());
  for (const std::int64_t i : voxels) {
    const Vec3<double> center = peaks.grid.positionOf(i);
    for (int k = 0; k + 2 < peaks.count; k += 3) {
      const Vec3<float> peak{peaks.at(i, k), peaks.at(i, k + 1), peaks.at(i, k + 2)};
      const float amplitude = norm(peak);
      if (!(amplitude > 0) || !std::isfinite(amplitude)) continue;
      const Vec3<float> direction = (1 / amplitude) * peak;
      const auto half = float(0.5 * scale * voxelSize * std::min(1.0, amplitude / referenceAmplitude));
      const auto color = directionColor(direction);
      for (const float sign : {-half, half}) {
        for (int c = 0; c < 3; ++c) sticks.points.push_back(float(center[c]) + sign * direction[c]);
        sticks.colors.insert(sticks.colors.end(), color.begin(), color.end());
      }
    }
  }
}

}  // namespace sulcus::ui::scene
