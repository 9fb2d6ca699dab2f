#include "core/activation/model/neighbor_means.h"

#include "core/base/parallel/parallel_for.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <numeric>

namespace sulcus::activation {
namespace {

constexpr int kReach = 6;              // voxels
constexpr float kSpread = 2;           // s.d. of the weights, voxels
constexpr float kLeastWeight = 1e-6f;  // of neighbors, for a mean to exist

/// Weights of the neighbors at distances 0 … kReach along an axis.
std::array<float, kReach + 1> kernel() {
  std::array<float, kReach + 1> weights;
  for (int i = 0; i <= kReach; ++i) weights[i] = std::exp(-float(i * i) / (2 * kSpread * kSpread));
  return weights;
}

/// Convolves a box of numbers with the kernel along an axis.
///
/// @param stride  between neighbors along the axis, which has `length` of them
void smoothAlong(std::vector<float>& box, std::int64_t stride, int length, const Progress& progress) {
  if (length == 1) return;
  const auto lines = std::int64_t(box.size()) / length;
  const auto weights = kernel();
  parallelFor(lines, 64, progress, [&](std::int64_t line) {
    float* const from = box.data() + line / stride * stride * length + line % stride;
    std::vector<float> out(length, 0.0f);
    for (int i = 0; i < length; ++i)
      for (int j = std::max(0, i - kReach); j <= std::min(length - 1, i + kReach); ++j)
        out[i] += weights[std::abs(i - j)] * from[j * stride];
    for (int i = 0; i < length; ++i) from[i * stride] = out[i];
  });
}

}  // namespace

NeighborMeans::NeighborMeans(const Grid& grid, std::span<const std::int64_t> voxels,
                             const Series<float>* tissue, const Progress& progress)
    : voxels_(voxels), tissue_(tissue), classes_(tissue ? std::size_t(tissue->count) + 1 : 1) {
  Vec3<int> last = first_ = grid.voxel(voxels.front());
  for (const auto index : voxels) {
    const Vec3<int> v = grid.voxel(index);
    first_ = {std::min(first_.x, v.x), std::min(first_.y, v.y), std::min(first_.z, v.z)};
    last = {std::max(last.x, v.x), std::max(last.y, v.y), std::max(last.z, v.z)};
  }
  size_ = {last.x - first_.x + 1, last.y - first_.y + 1, last.z - first_.z + 1};
  for (const auto index : voxels) {
    const Vec3<int> v = grid.voxel(index);
    places_.push_back((std::int64_t(v.z - first_.z) * size_.y + (v.y - first_.y)) * size_.x +
                      (v.x - first_.x));
  }
  std::vector<float> ones(voxels.size());
  for (std::size_t kind = 0; kind < classes_; ++kind) {
    for (std::size_t i = 0; i < ones.size(); ++i) ones[i] = classWeight(kind, i);
    const auto sums = smoothed(ones, progress);
    for (std::size_t i = 0; i < ones.size(); ++i) weights_.push_back(sums[i] - ones[i]);
  }
}

float NeighborMeans::classWeight(std::size_t kind, std::size_t voxel) const {
  if (!tissue_) return 1;
  float rest = 1;
  for (int t = 0; t < tissue_->count; ++t) {
    const float p = std::clamp(tissue_->at(voxels_[voxel], t), 0.0f, 1.0f);
    if (std::size_t(t) == kind) return p;
    rest -= p;
  }
  return std::max(rest, 0.0f);
}

std::vector<float> NeighborMeans::smoothed(std::span<const float> values, const Progress& progress) const {
  std::vector<float> box(std::size_t(size_.x) * size_.y * size_.z, 0.0f);
  for (std::size_t i = 0; i < values.size(); ++i) box[places_[i]] = values[i];
  smoothAlong(box, 1, size_.x, progress);
  smoothAlong(box, size_.x, size_.y, progress);
  smoothAlong(box, std::int64_t(size_.x) * size_.y, size_.z, progress);
  std::vector<float> sums(values.size());
  for (std::size_t i = 0; i < sums.size(); ++i) sums[i] = box[places_[i]];
  return sums;
}

std::vector<float> NeighborMeans::operator()(std::span<const float> values, const Progress& progress) const {
  const std::size_t m = values.size();
  std::vector<float> mean(m, 0.0f), weight(m, 0.0f), part(m);
  for (std::size_t kind = 0; kind < classes_; ++kind) {
    for (std::size_t i = 0; i < m; ++i) part[i] = classWeight(kind, i) * values[i];
    const auto sums = smoothed(part, progress);
    for (std::size_t i = 0; i < m; ++i) {
      const float near = weights_[kind * m + i], own = classWeight(kind, i);
      if (!(near > kLeastWeight)) continue;
      mean[i] += own * (sums[i] - part[i]) / near;
      weight[i] += own;
    }
  }
  const double all = std::accumulate(values.begin(), values.end(), 0.0) / double(m);
  for (std::size_t i = 0; i < m; ++i) mean[i] = weight[i] > kLeastWeight ? mean[i] / weight[i] : float(all);
  return mean;
}

}  // namespace sulcus::activation
