#include "core/registration/deformation/force.h"

#include "core/base/parallel/parallel_for.h"
#include "core/registration/deformation/registration_kernel.h"

#include <algorithm>
#include <array>

namespace sulcus::registration {
namespace {

/// regularizerStress() on one plane: nine arrays with a layer of zeros around the plane.
template <class Real>
struct StressPlane {
  std::int64_t row;
  std::array<std::vector<Real>, 9> values;

  explicit StressPlane(const VectorField<Real>& u) : row(u.row) {
    for (auto& v : values) v.assign(u.plane, Real(0));
  }
  Real* at(int i, int y) { return values[i].data() + row * (y + 1) + 1; }
  const Real* at(int i, int y) const { return values[i].data() + row * (y + 1) + 1; }
};

template <class Real>
void stressRow(const VectorField<Real>& u, int y, int z, Vec3<Real> half, Real membrane,
               StressPlane<Real>& plane) {
  const Real *ux = u.at(0, 0, y, z), *uy = u.at(1, 0, y, z), *uz = u.at(2, 0, y, z);
  const std::int64_t rowStride = u.row, planeStride = u.plane;
  Real* __restrict__ xx = plane.at(0, y), * __restrict__ xy = plane.at(1, y), * __restrict__ xz = plane.at(2, y);
  Real* __restrict__ yx = plane.at(3, y), * __restrict__ yy = plane.at(4, y), * __restrict__ yz = plane.at(5, y);
  Real* __restrict__ zx = plane.at(6, y), * __restrict__ zy = plane.at(7, y), * __restrict__ zz = plane.at(8, y);
  const int n = u.size.x;
#pragma GCC ivdep
  for (int x = 0; x < n; ++x) {
    const Mat3<Real> s =
        regularizerStress(centralGradient(ux + x, uy + x, uz + x, rowStride, planeStride, half), membrane);
    xx[x] = s.xx;
    xy[x] = s.xy;
    xz[x] = s.xz;
    yx[x] = s.yx;
    yy[x] = s.yy;
    yz[x] = s.yz;
    zx[x] = s.zx;
    zy[x] = s.zy;
    zz[x] = s.zz;
  }
}

template <class Real>
void stressPlane(const VectorField<Real>& u, int z, Vec3<Real> half, Real membrane,
                 StressPlane<Real>& plane) {
  if (z >= 0 && z < u.size.z) {
    for (int y = 0; y < u.size.y; ++y) stressRow(u, y, z, half, membrane, plane);
  } else {
    for (auto& values : plane.values) std::fill(values.begin(), values.end(), Real(0));
  }
}

/// How the force of the images becomes that of the energy.
template <class Real>
struct ForceRule {
  Vec3<Real> half;  ///< half the inverse spacing
  Real lambda;
  bool isDescent;
};

/// The stress of a plane and of its neighbors.
template <class Real>
struct StressPlanes {
  const StressPlane<Real>&below, &here, &above;
};

/// Converts the force of the images to that of the energy along a row, see addBiasForce().
template <class Real>
void forceRow(const VectorField<Real>& u, int y, int z, const ForceRule<Real>& rule,
              const StressPlanes<Real>& stress, VectorField<Real>& force) {
  const auto& [half, lambda, isDescent] = rule;
  const auto& [below, here, above] = stress;
  const Interior xs = interior(u.size.x);
  const Real *ux = u.at(0, 0, y, z), *uy = u.at(1, 0, y, z), *uz = u.at(2, 0, y, z);
  const std::int64_t row = u.row, plane = u.plane;
  for (int i = 0; i < 3; ++i) {
    Real* __restrict__ f = force.at(i, 0, y, z);
    const Real *alongX = here.at(3 * i, y), *alongY = here.at(3 * i + 1, y);
    const Real *low = below.at(3 * i + 2, y), *high = above.at(3 * i + 2, y);
    for (int x = xs.first; x <= xs.last; ++x)
      f[x] = withBiasForce(
          f[x], lambda,
          Vec3<Real>{alongX[x + 1] - alongX[x - 1], alongY[x + row] - alongY[x - row], high[x] - low[x]},
          half);
  }
  if (!isDescent) return;
  Real *__restrict__ fx = force.at(0, 0, y, z), *__restrict__ fy = force.at(1, 0, y, z),
                     *__restrict__ fz = force.at(2, 0, y, z);
#pragma GCC ivdep
  for (int x = xs.first; x <= xs.last; ++x) {
    const Mat3<Real> g = centralGradient(ux + x, uy + x, uz + x, row, plane, half);
    const Vec3<Real> pulled = pulledBack(g, Vec3<Real>{fx[x], fy[x], fz[x]});
    fx[x] = pulled.x;
    fy[x] = pulled.y;
    fz[x] = pulled.z;
  }
}

}  // namespace

template <class Real>
void addBiasForce(const VectorField<Real>& u, const Vec3<double>& spacing, const RegistrationOptions& options,
                  VectorField<Real>& force, const Progress& progress,
                  const std::type_identity_t<PlaneDone<Real>>& planeDone) {
  const Vec3<Real> half = Real(0.5) * inverseOf<Real>(spacing);
  const auto lambda = Real(options.lambda), membrane = Real(options.membrane);
  const bool descent = options.force == RegistrationForce::descent;
  const Interior ys = interior(u.size.y), zs = interior(u.size.z);
  // Each block computes the stress of one more plane at both ends. The values of a plane do not depend on its
  // block.
  const int planes = std::clamp(u.size.z / (4 * threadCount()), 4, 16);
  parallelForBlocks(u.size.z, planes, progress, [&](std::int64_t begin, std::int64_t end) {
    std::array<StressPlane<Real>, 3> ring{StressPlane<Real>(u), StressPlane<Real>(u), StressPlane<Real>(u)};
    const auto at = [&](int z) -> StressPlane<Real>& { return ring[(z + 3) % 3]; };
    std::vector<Real> scratch;
    stressPlane(u, int(begin) - 1, half, membrane, at(int(begin) - 1));
    stressPlane(u, int(begin), half, membrane, at(int(begin)));
    for (int z = int(begin); z < int(end); ++z) {
      progress.throwIfCancelled();
      stressPlane(u, z + 1, half, membrane, at(z + 1));
      if (z >= zs.first && z <= zs.last)
        for (int y = ys.first; y <= ys.last; ++y)
          forceRow(u, y, z, ForceRule<Real>{half, lambda, descent},
                   StressPlanes<Real>{at(z - 1), at(z), at(z + 1)}, force);
      planeDone(z, scratch);
    }
  });
}

template void addBiasForce(const VectorField<float>&, const Vec3<double>&, const RegistrationOptions&,
                           VectorField<float>&, const Progress&, const PlaneDone<float>&);
template void addBiasForce(const VectorField<double>&, const Vec3<double>&, const RegistrationOptions&,
                           VectorField<double>&, const Progress&, const PlaneDone<double>&);

}  // namespace sulcus::registration
