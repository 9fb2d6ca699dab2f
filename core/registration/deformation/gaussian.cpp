#include "core/registration/deformation/gaussian.h"

#include "core/base/parallel/parallel_for.h"
#include "core/registration/deformation/registration_kernel.h"

#include <algorithm>
#include <cmath>

namespace sulcus::registration {
namespace {

/// Fills `radius` rows before and after `count` consecutive rows of `width` values by odd reflection.
template <class Real>
void reflectOddly(Real* first, int count, int width, int radius) {
  for (int k = 1; k <= radius; ++k)
    for (const int i : {-k, count - 1 + k}) {
      const OddReflection source = oddReflection(i, count);
      const Real* const from = first + std::int64_t(source.index) * width;
      Real* const to = first + std::int64_t(i) * width;
      for (int x = 0; x < width; ++x) to[x] = Real(source.sign) * from[x];
    }
}

/// The weights at 0…r, given those at −r…r.
template <class Real>
std::vector<Real> halfOf(const std::vector<double>& weights) {
  return {weights.begin() + std::ptrdiff_t(weights.size() / 2), weights.end()};
}

/// out[x] = Σ weights[|k|] a[x + k stride] for x = 0…n − 1, summed in the order given in
/// registration_kernel.h. Three pairs are added at a time, so that the sums stay in registers.
template <class Real>
void weightedSum(const Real* a, std::int64_t stride, const std::vector<Real>& weights, Real* __restrict__ out,
                 int n) {
  const int radius = int(weights.size()) - 1;
  const Real w0 = weights[0];
  for (int x = 0; x < n; ++x) out[x] = w0 * a[x];
  int k = 1;
  for (; k + 2 <= radius; k += 3) {
    const Real *low = a - k * stride, *high = a + k * stride;
    const Real u = weights[k], v = weights[k + 1], w = weights[k + 2];
    for (int x = 0; x < n; ++x) {
      const Real one = fusedMultiplyAdd(u, low[x] + high[x], out[x]);
      const Real two = fusedMultiplyAdd(v, low[x - stride] + high[x + stride], one);
      out[x] = fusedMultiplyAdd(w, low[x - 2 * stride] + high[x + 2 * stride], two);
    }
  }
  for (; k <= radius; ++k) {
    const Real *low = a - k * stride, *high = a + k * stride;
    const Real w = weights[k];
    for (int x = 0; x < n; ++x) out[x] = fusedMultiplyAdd(w, low[x] + high[x], out[x]);
  }
}

/// out = sum + momentum · out for the values of a component in a row, whose squares are added to `squares`.
template <class Real>
void addMomentum(const std::vector<Real>& sum, Real momentum, Real inverseSpacing, Real* out, Real* squares) {
  for (std::size_t x = 0; x < sum.size(); ++x) {
    out[x] = withMomentum(sum[x], out[x], momentum);
    squares[x] = plusSquaredComponent(squares[x], out[x], inverseSpacing);
  }
}

}  // namespace

std::vector<double> gaussianWeights(double sigma) {
  const int radius = int(std::ceil(3 * sigma));
  std::vector<double> weights(2 * std::size_t(radius) + 1, 1.0);
  double sum = 0;
  for (std::ptrdiff_t k = -radius; k <= radius; ++k)
    sum += weights[k + radius] = sigma > 0 ? std::exp(-0.5 * double(k * k) / (sigma * sigma)) : 1;
  for (auto& w : weights) w /= sum;
  return weights;
}

template <class Real>
void smoothPlane(const VectorField<Real>& from, VectorField<Real>& to, int z,
                 const std::vector<double>& weights, std::vector<Real>& scratch) {
  const int nx = from.size.x, ny = from.size.y;
  const auto half = halfOf<Real>(weights);
  const int radius = int(half.size()) - 1;
  scratch.resize(std::size_t(nx) * std::size_t(ny + 2 * radius) + std::size_t(nx + 2 * radius));
  Real* const rows = scratch.data() + std::int64_t(nx) * radius;
  Real* const row = rows + std::int64_t(nx) * (ny + radius) + radius;
  for (int i = 0; i < 3; ++i) {
    for (int y = 0; y < ny; ++y) {
      Real* const out = rows + std::int64_t(y) * nx;
      std::copy_n(from.at(i, 0, y, z), nx, nx > 1 ? row : out);
      if (nx == 1) continue;
      reflectOddly(row, nx, 1, radius);
      weightedSum(row, 1, half, out, nx);
    }
    if (ny > 1) reflectOddly(rows, ny, nx, radius);
    for (int y = 0; y < ny; ++y) {
      const Real* const at = rows + std::int64_t(y) * nx;
      if (ny > 1)
        weightedSum(at, nx, half, to.at(i, 0, y, z), nx);
      else
        std::copy_n(at, nx, to.at(i, 0, y, z));
    }
  }
}

template <class Real>
double smoothDepth(const VectorField<Real>& from, VectorField<Real>& to, double momentum,
                   const std::vector<double>& weights, const Vec3<Real>& inverseSpacing,
                   const Progress& progress) {
  const int nx = from.size.x, ny = from.size.y, nz = from.size.z;
  const auto keep = Real(momentum);
  const auto half = nz > 1 ? halfOf<Real>(weights) : std::vector<Real>{1};
  const int radius = int(half.size()) - 1;
  std::vector<Real> largest(ny, Real(0));
  parallelForBlocks(ny, 1, progress, [&](std::int64_t begin, std::int64_t end) {
    const auto width = std::size_t(nx);
    std::vector<Real> copy(width * std::size_t(nz + 2 * radius)), squares(width * std::size_t(nz)),
        sum(width);
    Real* const rows = copy.data() + std::int64_t(nx) * radius;
    for (int y = int(begin); y < int(end); ++y) {
      std::fill(squares.begin(), squares.end(), Real(0));
      for (int i = 0; i < 3; ++i) {
        for (int z = 0; z < nz; ++z) std::copy_n(from.at(i, 0, y, z), nx, rows + std::int64_t(z) * nx);
        if (nz > 1) reflectOddly(rows, nz, nx, radius);
        for (int z = 0; z < nz; ++z) {
          weightedSum(rows + std::int64_t(z) * nx, nx, half, sum.data(), nx);
          addMomentum(sum, keep, inverseSpacing[i], to.at(i, 0, y, z), squares.data() + std::int64_t(z) * nx);
        }
      }
      largest[y] = *std::max_element(squares.begin(), squares.end());
    }
  });
  return std::sqrt(double(*std::max_element(largest.begin(), largest.end())));
}

template void smoothPlane(const VectorField<float>&, VectorField<float>&, int, const std::vector<double>&,
                          std::vector<float>&);
template void smoothPlane(const VectorField<double>&, VectorField<double>&, int, const std::vector<double>&,
                          std::vector<double>&);
template double smoothDepth(const VectorField<float>&, VectorField<float>&, double,
                            const std::vector<double>&, const Vec3<float>&, const Progress&);
template double smoothDepth(const VectorField<double>&, VectorField<double>&, double,
                            const std::vector<double>&, const Vec3<double>&, const Progress&);

namespace {

/// out[x] = Σ weights[k] · rows[k][x] in the order of k, for x = 0…n − 1. Three rows are added at a time, so
/// that the sums stay in registers.
void sumRows(const std::vector<const float*>& rows, const std::vector<float>& weights,
             float* __restrict__ out, int n) {
  std::fill_n(out, n, 0.f);
  std::size_t k = 0;
  for (; k + 3 <= weights.size(); k += 3) {
    const float *const a = rows[k], *const b = rows[k + 1], *const c = rows[k + 2];
    const float u = weights[k], v = weights[k + 1], w = weights[k + 2];
    for (int x = 0; x < n; ++x) out[x] = out[x] + u * a[x] + v * b[x] + w * c[x];
  }
  for (; k < weights.size(); ++k)
    for (int x = 0; x < n; ++x) out[x] += weights[k] * rows[k][x];
}

}  // namespace

std::vector<float> smoothingWeights(int size, double sigma) {
  if (size == 1 || sigma <= 0) return {1};
  const auto exact = gaussianWeights(sigma);
  return {exact.begin(), exact.end()};
}

std::vector<float> smoothed(const std::vector<float>& image, const Vec3<int>& size, const Vec3<double>& sigma,
                            const Progress& progress) {
  using Floats = std::vector<float>;
  const Floats alongX = smoothingWeights(size.x, sigma.x), alongY = smoothingWeights(size.y, sigma.y),
               alongZ = smoothingWeights(size.z, sigma.z);
  const int width = size.x, radius = int(alongX.size() / 2);
  const std::int64_t plane = std::int64_t(width) * size.y;
  // Row i of n rows from its neighbors; the first and the last one are repeated beyond the ends.
  const auto sumAround = [width](const float* rows, int i, int n, std::int64_t stride, const Floats& weights,
                                 float* out) {
    std::vector<const float*> around;
    for (int k = 0; k < int(weights.size()); ++k)
      around.push_back(rows + std::clamp(i + k - int(weights.size() / 2), 0, n - 1) * stride);
    sumRows(around, weights, out, width);
  };

  Floats inPlanes(image.size());
  parallelForBlocks(size.z, 1, progress, [&](std::int64_t begin, std::int64_t end) {
    Floats padded(std::size_t(width) + alongX.size()), rows(image.size() / std::size_t(size.z));
    std::vector<const float*> shifted;
    for (std::size_t k = 0; k < alongX.size(); ++k) shifted.push_back(padded.data() + k);
    for (std::int64_t z = begin; z < end; ++z) {
      for (int y = 0; y < size.y; ++y) {
        const float* const row = image.data() + z * plane + std::int64_t(y) * width;
        std::fill_n(padded.data(), radius, row[0]);
        std::copy_n(row, width, padded.data() + radius);
        std::fill_n(padded.data() + radius + width, radius, row[width - 1]);
        sumRows(shifted, alongX, rows.data() + std::int64_t(y) * width, width);
      }
      for (int y = 0; y < size.y; ++y)
        sumAround(rows.data(), y, size.y, width, alongY,
                  inPlanes.data() + z * plane + std::int64_t(y) * width);
    }
  });
  if (alongZ.size() == 1) return inPlanes;
  Floats result(image.size());
  parallelForBlocks(std::int64_t(size.y) * size.z, 64, progress, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t r = begin; r < end; ++r)
      sumAround(inPlanes.data() + r % size.y * width, int(r / size.y), size.z, plane, alongZ,
                result.data() + r * width);
  });
  return result;
}

}  // namespace sulcus::registration
