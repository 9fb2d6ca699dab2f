#include "core/phantom/tracts_phantom.h"

#include "core/image/diffusion/tensor_index.h"
#include "core/phantom/centered_grid.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace sulcus::phantom {
namespace {

constexpr int kOrder = 8;
constexpr double kExtent = 72;   // mm along each axis
constexpr double kEndDepth = 6;  // length of the end of a bundle, mm

/// The direction of the arch at a position, if that lies in it.
std::optional<Vec3<double>> archAt(const Vec3<double>& p) {
  const double up = p.z - kArchBase, radius = up > 0 ? std::hypot(p.x, up) : std::abs(p.x);
  if (std::hypot(radius - kArchRadius, p.y) > kTubeRadius) return {};
  if (up <= 0) return Vec3<double>{0, 0, 1};
  return Vec3<double>{up / radius, 0, -p.x / radius};
}

std::optional<Vec3<double>> straightAt(const Vec3<double>& p) {
  if (std::hypot(p.x, p.z - (kArchBase + kArchRadius)) > kTubeRadius) return {};
  return Vec3<double>{0, 1, 0};
}

void addFunction(const Vec3<double>& t, std::int64_t voxel, Series<float>& functions) {
  constexpr auto classes = indexClasses<kOrder>();
  for (std::size_t u = 0; u < classes.size(); ++u)
    functions.at(voxel, int(u)) +=
        float(std::pow(t.x, classes[u].i) * std::pow(t.y, classes[u].j) * std::pow(t.z, classes[u].k));
}

}  // namespace

TractsPhantom makeTractsPhantom(const TractsPhantomOptions& options) {
  const Grid grid = centeredCube(int(std::lround(kExtent / options.spacing)), options.spacing);
  Series<float> functions(grid, tensorEntries(kOrder)),
      peaks(grid, 6, std::numeric_limits<float>::quiet_NaN());
  Mask bundles(grid);
  Volume<Label> ends(grid);
  const double border = -grid.worldFromVoxel.t.x + 0.5 * options.spacing - kEndDepth;
  for (std::int64_t v = 0; v < grid.voxels(); ++v) {
    const Vec3<double> p = grid.positionOf(v);
    int found = 0;
    const auto add = [&](const std::optional<Vec3<double>>& t) {
      if (!t) return;
      addFunction(*t, v, functions);
      for (int c = 0; c < 3; ++c) peaks.at(v, 3 * found + c) = float((*t)[c]);
      bundles.values[v] = 1;
      ++found;
    };
    add(archAt(p));
    if (found && p.z < -border) ends.values[v] = p.x < 0 ? 1 : 2;
    const auto straight = straightAt(p);
    add(straight);
    if (straight && std::abs(p.y) > border) ends.values[v] = p.y < 0 ? 3 : 4;
  }
  return {std::make_shared<const Series<float>>(std::move(functions)),
          std::make_shared<const Series<float>>(std::move(peaks)),
          std::make_shared<const Mask>(std::move(bundles)),
          std::make_shared<const Volume<Label>>(std::move(ends))};
}

}  // namespace sulcus::phantom
