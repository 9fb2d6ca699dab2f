#include "core/registration/deformation/fold_guard.h"

#include "core/base/parallel/parallel_for.h"
#include "core/registration/deformation/registration_kernel.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace sulcus::registration {
namespace {

/// A voxel of a plane.
struct PlaneVoxel {
  int x, y;
};

/// The smallest J of the corners of each voxel of row (y, z). `inverse` is 1/spacing.
template <class Real>
void findSmallest(const VectorField<Real>& u, int y, int z, Vec3<Real> inverse, Real* __restrict__ smallest) {
  const Real *ux = u.at(0, 0, y, z), *uy = u.at(1, 0, y, z), *uz = u.at(2, 0, y, z);
  const std::int64_t row = u.row, plane = u.plane;
#pragma GCC ivdep
  for (int x = 0; x < u.size.x; ++x)
    smallest[x] = smallestCornerJ(ux + x, uy + x, uz + x, row, plane, inverse);
}

/// The voxels of plane z with a corner whose volume vanishes. `inverse` is 1/spacing.
template <class Real>
std::vector<PlaneVoxel> vanishingVoxels(const VectorField<Real>& u, int z, Vec3<Real> inverse) {
  std::vector<PlaneVoxel> found;
  std::vector<Real> smallest(u.size.x);
  for (int y = 0; y < u.size.y; ++y) {
    findSmallest(u, y, z, inverse, smallest.data());
    int vanishing = 0;
    for (const Real j : smallest) vanishing += !keepsVolume(j - 1);
    for (int x = 0; vanishing > 0 && x < u.size.x; ++x)
      if (!keepsVolume(smallest[x] - 1)) found.push_back({x, y}), --vanishing;
  }
  return found;
}

/// Raises the fractions of velocity that a plane loses around a vanishing voxel of the plane `dz` away.
template <class Real>
void raiseShares(const PlaneVoxel& p, int dz, const Vec3<int>& size, std::vector<Real>& shares) {
  for (int y = std::max(0, p.y - kHoldRadius); y <= std::min(size.y - 1, p.y + kHoldRadius); ++y)
    for (int x = std::max(0, p.x - kHoldRadius); x <= std::min(size.x - 1, p.x + kHoldRadius); ++x) {
      Real& share = shares[std::size_t(y) * size.x + x];
      const int dx = x - p.x, dy = y - p.y;
      share = std::max(share, heldShare<Real>(dx * dx + dy * dy + dz * dz));
    }
}

}  // namespace

template <class Real>
double foldedShare(const VectorField<Real>& u, const Vec3<double>& spacing, const Progress& progress) {
  const Vec3<Real> inverse = inverseOf<Real>(spacing);
  std::vector<std::size_t> counts(u.size.z);
  parallelForBlocks(u.size.z, 1, progress, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t z = begin; z < end; ++z) counts[z] = vanishingVoxels(u, int(z), inverse).size();
  });
  const auto vanishing = std::accumulate(counts.begin(), counts.end(), std::size_t(0));
  return double(vanishing) / (double(u.size.x) * u.size.y * u.size.z);
}

template <class Real>
void guardAgainstFolds(const VectorField<Real>& moved, const Vec3<double>& spacing,
                       VectorField<Real>& velocity, const Progress& progress) {
  const Vec3<int> n = moved.size;
  const Vec3<Real> inverse = inverseOf<Real>(spacing);
  std::vector<std::vector<PlaneVoxel>> found(n.z);
  const auto forEachPlane = [&](const auto& body) {
    parallelFor(n.z, 1, progress, [&](std::int64_t z) { body(int(z)); });
  };
  forEachPlane([&](int z) { found[z] = vanishingVoxels(moved, z, inverse); });
  forEachPlane([&](int z) {
    std::vector<Real> shares;
    for (int from = std::max(0, z - kHoldRadius); from <= std::min(n.z - 1, z + kHoldRadius); ++from)
      for (const PlaneVoxel& p : found[from]) {
        shares.resize(std::size_t(n.x) * n.y, Real(0));
        raiseShares(p, z - from, n, shares);
      }
    if (shares.empty()) return;
    for (int i = 0; i < 3; ++i)
      for (int y = 0; y < n.y; ++y) {
        const Real* const share = shares.data() + std::size_t(y) * n.x;
        Real* const v = velocity.at(i, 0, y, z);
        for (int x = 0; x < n.x; ++x) v[x] *= 1 - share[x];
      }
  });
}

template double foldedShare(const VectorField<float>&, const Vec3<double>&, const Progress&);
template double foldedShare(const VectorField<double>&, const Vec3<double>&, const Progress&);
template void guardAgainstFolds(const VectorField<float>&, const Vec3<double>&, VectorField<float>&,
                                const Progress&);
template void guardAgainstFolds(const VectorField<double>&, const Vec3<double>&, VectorField<double>&,
                                const Progress&);

}  // namespace sulcus::registration
