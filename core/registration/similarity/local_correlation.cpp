#include "core/registration/similarity/local_correlation.h"

#include "core/base/parallel/parallel_for.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace sulcus::registration {
namespace {

/// out[x] = Σ a[x + k stride] for k = −r…r, from the lowest neighbor to the highest.
template <int Radius, class Real>
void boxSumOf(const Real* a, std::int64_t stride, Real* __restrict__ out, int n) {
  const Real* const first = a - Radius * stride;
  for (int x = 0; x < n; ++x) {
    Real sum = first[x];
    SULCUS_UNROLL
    for (int k = 1; k <= 2 * Radius; ++k) sum += first[x + k * stride];
    out[x] = sum;
  }
}
template <class Real>
void boxSum(const Real* a, std::int64_t stride, int radius, Real* out, int n) {
  switch (radius) {
    case 1:
      return boxSumOf<1>(a, stride, out, n);
    case 2:
      return boxSumOf<2>(a, stride, out, n);
    case 3:
      return boxSumOf<3>(a, stride, out, n);
    case 4:
      return boxSumOf<4>(a, stride, out, n);
  }
  std::copy_n(a - radius * stride, n, out);
  for (int k = 1 - radius; k <= radius; ++k)
    for (int x = 0; x < n; ++x) out[x] += a[x + k * stride];
}

/// The window sums of three quantities, kept for a few neighboring planes.
template <class Real>
class PlaneSums {
 public:
  PlaneSums(const Vec3<int>& size, int radius)
      : size_(size),
        radius_(radius),
        row_(std::size_t(size.x + 2 * radius), Real(0)),
        alongX_(std::size_t(size.x) * std::size_t(size.y + 2 * radius), Real(0)) {
    for (auto& quantity : planes_) quantity.assign(std::size_t(size.x) * size.y * (2 * radius + 1), Real(0));
  }

  /// Sums plane z along x and y; `fill(y, rows)` writes the three quantities of a row.
  template <class Fill>
  void add(int z, const Fill& fill) {
    const int nx = size_.x, ny = size_.y;
    const std::int64_t at = std::int64_t((z + radius_) % (2 * radius_ + 1)) * nx * ny;
    if (z < 0 || z >= size_.z) {
      for (auto& quantity : planes_) std::fill_n(quantity.data() + at, std::size_t(nx) * ny, Real(0));
      return;
    }
    for (int i = 0; i < 3; ++i) {
      for (int y = 0; y < ny; ++y) {
        fill(i, y, row_.data() + radius_);
        boxSum(row_.data() + radius_, 1, radius_, alongX_.data() + std::int64_t(y + radius_) * nx, nx);
      }
      for (int y = 0; y < ny; ++y)
        boxSum(alongX_.data() + std::int64_t(y + radius_) * nx, nx, radius_,
               planes_[i].data() + at + std::int64_t(y) * nx, nx);
    }
  }

  /// The sums of quantity i over the windows of row (y, z), from the added planes z − r…z + r.
  void sumDepth(int i, int y, int z, Real* __restrict__ out) const {
    const int count = 2 * radius_ + 1;
    const auto from = [&](int k) {
      return planes_[i].data() + (std::int64_t((z + k + radius_) % count) * size_.y + y) * size_.x;
    };
    std::copy_n(from(-radius_), size_.x, out);
    for (int k = 1 - radius_; k <= radius_; ++k) {
      const Real* const next = from(k);
      for (int x = 0; x < size_.x; ++x) out[x] += next[x];
    }
  }

 private:
  Vec3<int> size_;
  int radius_;
  std::vector<Real> row_;                    ///< with zeros before and after
  std::vector<Real> alongX_;                 ///< a plane summed along x, with rows of zeros before and after
  std::array<std::vector<Real>, 3> planes_;  ///< a ring of 2 r + 1 planes summed along x and y
};

/// Calls use(first, sums) for every row of voxels, with the index of its first voxel and the sums over
/// windows of three quantities. `fill(i, first, row)` writes quantity i of a row.
template <class Real, class Fill, class Use>
void forEachRowOfWindowSums(const Vec3<int>& size, int radius, const Progress& progress, const Fill& fill,
                            const Use& use) {
  // Each block sums 2 r planes of its neighbors again. The values of a row do not depend on its block.
  const int planes = std::clamp(size.z / threadCount(), 8, 32);
  const auto firstOf = [&](int y, int z) { return (std::size_t(z) * size.y + y) * size.x; };
  parallelForBlocks(size.z, planes, progress, [&](std::int64_t begin, std::int64_t end) {
    PlaneSums<Real> sums(size, radius);
    std::array<std::vector<Real>, 3> rows;
    for (auto& row : rows) row.resize(size.x);
    for (int z = int(begin) - radius; z < int(end) + radius; ++z) {
      progress.throwIfCancelled();
      sums.add(z, [&](int i, int y, Real* row) { fill(i, firstOf(y, z), row); });
      const int done = z - radius;
      if (done < int(begin)) continue;
      for (int y = 0; y < size.y; ++y) {
        for (int i = 0; i < 3; ++i) sums.sumDepth(i, y, done, rows[i].data());
        use(firstOf(y, done), rows);
      }
    }
  });
}

/// Calls use(voxel, window) for the window of every voxel of the reference.
template <class Real, class Use>
void forEachReferenceWindow(const LevelImages<Real>& images, int radius, const Progress& progress,
                            const Use& use) {
  const auto nx = std::size_t(images.size.x);
  const auto fill = [&](int i, std::size_t first, Real* row) {
    const Real* const f = images.reference.data() + first;
    for (std::size_t x = 0; x < nx; ++x) {
      const bool compared = f[x] == f[x];
      const Real powers[] = {Real(1), f[x], f[x] * f[x]};
      row[x] = compared ? powers[i] : Real(0);
    }
  };
  forEachRowOfWindowSums<Real>(images.size, radius, progress, fill, [&](std::size_t first, const auto& sums) {
    for (std::size_t x = 0; x < nx; ++x) use(first + x, referenceWindow(sums[0][x], sums[1][x], sums[2][x]));
  });
}

template <class Real>
ReferenceWindows<Real> referenceWindows(const LevelImages<Real>& images, int radius,
                                        const Progress& progress) {
  const std::size_t voxels = images.reference.size();
  ReferenceWindows<Real> windows{std::vector<Real>(voxels), std::vector<Real>(voxels),
                                 std::vector<Real>(voxels)};
  forEachReferenceWindow(images, radius, progress, [&](std::size_t i, const ReferenceWindow<Real>& w) {
    windows.inverseCount[i] = w.inverseCount;
    windows.mean[i] = w.mean;
    windows.inverseVariance[i] = w.inverseVariance;
  });
  return windows;
}

}  // namespace

template <class Real>
LocalCorrelation<Real>::LocalCorrelation(const LevelImages<Real>& images, int radius,
                                         const Progress& progress, std::span<const Real> weights)
    : size_(images.size),
      radius_(radius),
      weights_(weights),
      p_(images.reference.size()),
      q_(images.reference.size()),
      r_(images.reference.size()) {
  takeReference(images, progress);
}

template <class Real>
void LocalCorrelation<Real>::takeReference(const LevelImages<Real>& images, const Progress& progress) {
  windows_ = referenceWindows(images, radius_, progress);
  reference_ = images.reference;
  for (Real& f : reference_)
    if (!(f == f)) f = 0;
}

template <class Real>
template <class Use>
void LocalCorrelation<Real>::forEachRowOfTerms(const std::vector<Real>& warped, const Progress& progress,
                                               const Use& use) const {
  const auto nx = std::size_t(size_.x);
  const auto fill = [&](int i, std::size_t first, Real* __restrict__ row) {
    const Real* const w = warped.data() + first;
    const Real* const by = i == 1 ? w : reference_.data() + first;
    if (i == 0)
      std::copy_n(w, nx, row);
    else
      for (std::size_t x = 0; x < nx; ++x) row[x] = by[x] * w[x];
  };
  forEachRowOfWindowSums<Real>(size_, radius_, progress, fill, [&](std::size_t first, const auto& sums) {
    use(first, sums[0].data(), sums[1].data(), sums[2].data());
  });
}

template <class Real>
double LocalCorrelation<Real>::replaceBySlope(std::vector<Real>& warped, const Progress& progress) {
  const auto nx = std::size_t(size_.x);
  std::vector<double> energies(std::size_t(size_.y) * size_.z);
  forEachRowOfTerms(
      warped, progress, [&](std::size_t first, const Real* sum, const Real* squares, const Real* products) {
        const Real *count = windows_.inverseCount.data() + first, *mean = windows_.mean.data() + first,
                   *variance = windows_.inverseVariance.data() + first;
        Real* __restrict__ p = p_.data() + first, * __restrict__ q = q_.data() + first, * __restrict__ r = r_.data() + first;
        std::vector<Real> energy(nx);
        for (std::size_t x = 0; x < nx; ++x) {
          const WindowTerms<Real> t = windowTerms(ReferenceWindow<Real>{count[x], mean[x], variance[x]},
                                                  sum[x], squares[x], products[x]);
          p[x] = t.p;
          q[x] = t.q;
          r[x] = t.r;
          energy[x] = t.energy;
        }
        for (std::size_t x = 0; x < nx && !weights_.empty(); ++x) {
          const WindowTerms<Real> t =
              weighted(WindowTerms<Real>{energy[x], p[x], q[x], r[x]}, weights_[first + x]);
          p[x] = t.p;
          q[x] = t.q;
          r[x] = t.r;
          energy[x] = t.energy;
        }
        energies[first / nx] = std::accumulate(energy.begin(), energy.end(), 0.0);
      });
  const auto fill = [&](int i, std::size_t first, Real* row) {
    const std::vector<Real>* const terms[] = {&p_, &q_, &r_};
    std::copy_n(terms[i]->data() + first, nx, row);
  };
  forEachRowOfWindowSums<Real>(size_, radius_, progress, fill, [&](std::size_t first, const auto& sums) {
    const Real *f = reference_.data() + first, *p = sums[0].data(), *q = sums[1].data(), *r = sums[2].data();
    Real* __restrict__ w = warped.data() + first;
    for (std::size_t x = 0; x < nx; ++x) w[x] = correlationSlope(f[x], w[x], p[x], q[x], r[x]);
  });
  return std::accumulate(energies.begin(), energies.end(), 0.0) / double(warped.size());
}

template <class Real>
std::vector<Real> LocalCorrelation<Real>::map(const std::vector<Real>& warped,
                                              const Progress& progress) const {
  std::vector<Real> result(warped.size());
  forEachRowOfTerms(
      warped, progress, [&](std::size_t first, const Real* sum, const Real* squares, const Real* products) {
        for (std::size_t x = 0; x < std::size_t(size_.x); ++x)
          result[first + x] = correlationOf(windows_[first + x], sum[x], squares[x], products[x]);
      });
  return result;
}

std::vector<float> localCorrelation(const LevelImages<float>& images, int radius, std::vector<float> warped,
                                    const Progress& progress) {
  for (std::size_t i = 0; i < warped.size(); ++i)
    if (!(images.reference[i] == images.reference[i])) warped[i] = 0;
  return LocalCorrelation<float>(images, radius, progress.part(0, 0.5, "Maps"))
      .map(warped, progress.part(0.5, 1, "Maps"));
}

double texturedShare(const LevelImages<float>& images, int radius, const std::vector<std::uint8_t>& region,
                     const Progress& progress) {
  const auto nx = std::size_t(images.size.x);
  struct RowCount {
    std::int64_t voxels = 0, textured = 0;
  };
  std::vector<RowCount> rows(region.size() / nx);
  forEachReferenceWindow(images, radius, progress, [&](std::size_t i, const ReferenceWindow<float>& w) {
    if (!region[i]) return;
    RowCount& row = rows[i / nx];
    ++row.voxels;
    row.textured += isTextured(w);
  });
  RowCount all;
  for (const RowCount& row : rows) all.voxels += row.voxels, all.textured += row.textured;
  return all.voxels > 0 ? double(all.textured) / double(all.voxels) : 0;
}

template class LocalCorrelation<float>;
template class LocalCorrelation<double>;

}  // namespace sulcus::registration
