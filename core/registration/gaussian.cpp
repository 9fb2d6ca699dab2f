#include "core/registration/gaussian.h"

#include "core/base/parallel_for.h"

#include <algorithm>
#include <cmath>

namespace sulcus {
namespace {

/// Where index i lies in 0…n−1 when values are continued oddly about 0 and n − 1, and with which sign.
struct Odd {
  int index, sign;
};
Odd oddly(int i, int n) {
  const int period = 2 * (n - 1);
  i = ((i % period) + period) % period;
  return i < n ? Odd{i, 1} : Odd{period - i, -1};
}

/// out[x] = Σ weights[k] · rows[k][x]; three pairs at a time, so that the sums stay in registers.
template <class Real>
void weightedSum(const Real* const* rows, const Real* weights, int count, Real* out, int n) {
  int k = 0;
  for (int x = 0; x < n; ++x) out[x] = weights[0] * rows[0][x];
  for (k = 1; k + 5 < count; k += 6) {
    const Real *a = rows[k], *b = rows[k + 1], *c = rows[k + 2], *d = rows[k + 3], *e = rows[k + 4],
               *f = rows[k + 5];
    const Real wa = weights[k], wb = weights[k + 1], wc = weights[k + 2], wd = weights[k + 3],
               we = weights[k + 4], wf = weights[k + 5];
    for (int x = 0; x < n; ++x)
      out[x] += (wa * a[x] + wb * b[x] + wc * c[x]) + (wd * d[x] + we * e[x] + wf * f[x]);
  }
  for (; k < count; ++k) {
    const Real* const a = rows[k];
    const Real w = weights[k];
    for (int x = 0; x < n; ++x) out[x] += w * a[x];
  }
}

/// The rows that make up row i of the result, with their weights.
template <class Real>
struct Taps {
  std::vector<const Real*> rows;
  std::vector<Real> weights;
  void sum(Real* out, int n) const { weightedSum(rows.data(), weights.data(), int(rows.size()), out, n); }
};
template <class Real>
void tapsOf(Taps<Real>& taps, int i, int size, const std::vector<double>& weights, const Real* first,
            std::int64_t stride) {
  const int radius = int(weights.size() / 2);
  taps.rows.clear(), taps.weights.clear();
  for (int k = -radius; k <= radius; ++k) {
    const Odd source = oddly(i + k, size);
    taps.rows.push_back(first + source.index * stride);
    taps.weights.push_back(Real(source.sign * weights[std::size_t(k + radius)]));
  }
}

}  // namespace

std::vector<double> gaussianWeights(double sigma) {
  const int radius = int(std::ceil(3 * sigma));
  std::vector<double> weights(std::size_t(2 * radius + 1), 1.0);
  double sum = 0;
  for (int k = -radius; k <= radius; ++k)
    sum += weights[std::size_t(k + radius)] = sigma > 0 ? std::exp(-0.5 * k * k / (sigma * sigma)) : 1;
  for (auto& w : weights) w /= sum;
  return weights;
}

template <class Real>
void smoothPlaneOddly(const VectorField<Real>& from, VectorField<Real>& to, int z,
                      const std::vector<double>& weights, std::vector<Real>& scratch) {
  const int nx = from.size.x, ny = from.size.y, radius = int(weights.size() / 2);
  scratch.resize(std::size_t(nx) * ny + nx + 2 * radius);
  Real* const extended = scratch.data() + std::int64_t(nx) * ny;
  Taps<Real> taps;
  for (int i = 0; i < 3; ++i) {
    for (int y = 0; y < ny; ++y) {
      const Real* const row = from.at(i, 0, y, z);
      Real* const out = scratch.data() + std::int64_t(y) * nx;
      if (nx == 1) {
        *out = *row;
        continue;
      }
      std::copy_n(row, nx, extended + radius);
      for (int k = 1; k <= radius; ++k) {
        const Odd below = oddly(-k, nx), above = oddly(nx - 1 + k, nx);
        extended[radius - k] = Real(below.sign) * row[below.index];
        extended[radius + nx - 1 + k] = Real(above.sign) * row[above.index];
      }
      taps.rows.clear(), taps.weights.clear();
      for (int k = 0; k <= 2 * radius; ++k)
        taps.rows.push_back(extended + k), taps.weights.push_back(Real(weights[std::size_t(k)]));
      taps.sum(out, nx);
    }
    for (int y = 0; y < ny; ++y) {
      if (ny == 1) {
        std::copy_n(scratch.data(), nx, to.at(i, 0, y, z));
        continue;
      }
      tapsOf(taps, y, ny, weights, static_cast<const Real*>(scratch.data()), std::int64_t(nx));
      taps.sum(to.at(i, 0, y, z), nx);
    }
  }
}

template <class Real>
double smoothDepthOddly(const VectorField<Real>& from, VectorField<Real>& to, double momentum,
                        const std::vector<double>& weights, const Vec3<Real>& inverseSpacing,
                        const Progress& progress) {
  const int nx = from.size.x, ny = from.size.y, nz = from.size.z;
  const auto keep = Real(momentum);
  std::vector<Real> largest(std::size_t(ny), Real(0));
  parallelForBlocks(ny, 1, progress, [&](std::int64_t begin, std::int64_t end) {
    std::vector<Real> copy(std::size_t(nx) * nz), squares(std::size_t(nx) * nz),
        sum(static_cast<std::size_t>(nx));
    Taps<Real> taps;
    for (int y = int(begin); y < int(end); ++y) {
      std::fill(squares.begin(), squares.end(), Real(0));
      for (int i = 0; i < 3; ++i) {
        for (int z = 0; z < nz; ++z) std::copy_n(from.at(i, 0, y, z), nx, copy.data() + std::int64_t(z) * nx);
        for (int z = 0; z < nz; ++z) {
          if (nz > 1)
            tapsOf(taps, z, nz, weights, static_cast<const Real*>(copy.data()), std::int64_t(nx));
          else
            taps = {{copy.data()}, {Real(1)}};
          taps.sum(sum.data(), nx);
          Real* const out = to.at(i, 0, y, z);
          Real* const square = squares.data() + std::int64_t(z) * nx;
          for (int x = 0; x < nx; ++x) {
            out[x] = keep * out[x] + sum[std::size_t(x)];
            const Real voxels = inverseSpacing[i] * out[x];
            square[x] += voxels * voxels;
          }
        }
      }
      largest[std::size_t(y)] = *std::max_element(squares.begin(), squares.end());
    }
  });
  return std::sqrt(double(*std::max_element(largest.begin(), largest.end())));
}

template void smoothPlaneOddly(const VectorField<float>&, VectorField<float>&, int,
                               const std::vector<double>&, std::vector<float>&);
template void smoothPlaneOddly(const VectorField<double>&, VectorField<double>&, int,
                               const std::vector<double>&, std::vector<double>&);
template double smoothDepthOddly(const VectorField<float>&, VectorField<float>&, double,
                                 const std::vector<double>&, const Vec3<float>&, const Progress&);
template double smoothDepthOddly(const VectorField<double>&, VectorField<double>&, double,
                                 const std::vector<double>&, const Vec3<double>&, const Progress&);

std::vector<float> smoothed(std::vector<float> image, const Vec3<int>& size, const Vec3<double>& sigma,
                            const Progress& progress) {
  std::vector<float> other(image.size());
  const std::int64_t strides[3] = {1, size.x, std::int64_t(size.x) * size.y};
  for (int axis = 0; axis < 3; ++axis) {
    const int n = size[axis];
    if (n == 1 || sigma[axis] <= 0) continue;
    const auto weights = gaussianWeights(sigma[axis]);
    const int radius = int(weights.size() / 2);
    parallelForBlocks(std::int64_t(size.y) * size.z, 64, progress, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t r = begin; r < end; ++r) {
        const int y = int(r % size.y), z = int(r / size.y);
        const float* const row = image.data() + r * size.x;
        float* const out = other.data() + r * size.x;
        std::fill_n(out, size.x, 0.f);
        for (int k = -radius; k <= radius; ++k) {
          const auto w = float(weights[std::size_t(k + radius)]);
          if (axis == 0) {
            for (int x = 0; x < size.x; ++x) out[x] += w * row[std::clamp(x + k, 0, n - 1)];
          } else {
            const int at = axis == 1 ? y : z, source = std::clamp(at + k, 0, n - 1);
            const float* const from = row + (source - at) * strides[axis];
            for (int x = 0; x < size.x; ++x) out[x] += w * from[x];
          }
        }
      }
    });
    image.swap(other);
  }
  return image;
}

}  // namespace sulcus
