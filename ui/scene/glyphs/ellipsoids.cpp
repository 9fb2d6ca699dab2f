#include "ui/scene/glyphs/ellipsoids.h"

#include "core/base/parallel/parallel_for.h"
#include "core/math/linear_algebra.h"
#include "ui/scene/glyphs/glyphs.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace sulcus::ui::scene {
namespace {

constexpr double kLeastShare = 0.01;  ///< fraction of the largest eigenvalue
constexpr double kIsotropicGray = 170;

void appendEllipsoid(const Series<float>& tensor, std::int64_t voxel, const Sphere& sphere, double reach,
                     Surfaces& surfaces) {
  Eigen::Matrix3d d;
  const auto at = [&](int entry) { return double(tensor.at(voxel, entry)); };
  d << at(0), at(1), at(2), at(1), at(3), at(4), at(2), at(4), at(5);
  if (!d.allFinite()) return;
  const SymmetricEigen3 eigen = symmetricEigen3(d);
  const double largest = eigen.values[2];
  if (!(largest > 0)) return;
  const Eigen::Vector3d l = eigen.values.cwiseMax(kLeastShare * largest);
  const Eigen::Vector3d axes = reach * (l / largest).cwiseSqrt();
  const Eigen::Matrix3d& e = eigen.vectors;
  const Eigen::Matrix3d stretch = e * axes.asDiagonal() * e.transpose(),
                        normal = e * axes.cwiseInverse().asDiagonal() * e.transpose();
  const double anisotropy = std::sqrt(1.5 * (l.array() - l.mean()).square().sum() / l.squaredNorm());
  const auto direction = directionColor({float(e(0, 2)), float(e(1, 2)), float(e(2, 2))});
  std::array<std::uint8_t, 3> color{};
  for (int c = 0; c < 3; ++c)
    color[c] = std::uint8_t(std::lround((1 - anisotropy) * kIsotropicGray + anisotropy * direction[c]));
  const Vec3<double> center = tensor.grid.positionOf(voxel);
  const auto first = std::int32_t(surfaces.points.size() / 3);
  for (const Vec3<float>& p : sphere.points) {
    const Eigen::Vector3d s(p.x, p.y, p.z), q = stretch * s, n = (normal * s).normalized();
    for (int c = 0; c < 3; ++c) {
      surfaces.points.push_back(float(center[c] + q[c]));
      surfaces.normals.push_back(float(n[c]));
    }
    surfaces.colors.insert(surfaces.colors.end(), color.begin(), color.end());
  }
  for (const std::int32_t corner : sphere.triangles) surfaces.triangles.push_back(first + corner);
}

}  // namespace

void appendEllipsoids(const Series<float>& tensor, const std::vector<std::int64_t>& voxels, int level,
                      double scale, Surfaces& surfaces) {
  if (tensor.count != 6) return;
  const Vec3<double> spacing = tensor.grid.spacing();
  const double reach = 0.5 * scale * std::min({spacing.x, spacing.y, spacing.z});
  const Sphere& sphere = icosphere(level);
  appendInBlocks(voxels, surfaces, [&](std::span<const std::int64_t> some, Surfaces& part) {
    for (const std::int64_t voxel : some) appendEllipsoid(tensor, voxel, sphere, reach, part);
  });
}

}  // namespace sulcus::ui::scene
