#include "core/registration/linear/linear_frame.h"

#include "core/base/error.h"
#include "core/base/parallel/block_sums.h"
#include "core/base/sentence.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace sulcus::registration {
namespace {

constexpr double kSmallestRadius = 0.5;  // voxels; smaller objects have no shape to be aligned by
constexpr double kSmallestCosine = 0.5 * std::numbers::sqrt2;  // between the normals of two planes
constexpr std::int64_t kVoxelsPerSum = 65536;

double meanOf(const Series<float>& image, const Progress& progress) {
  const auto sums = blockSums<1>(image.grid.voxels(), kVoxelsPerSum, progress,
                                 [&](std::int64_t begin, std::int64_t end, auto& sum) {
                                   for (auto i = std::size_t(begin); i < std::size_t(end); ++i)
                                     sum[0] += image.values[i];
                                 });
  return sums[0] / double(image.grid.voxels());
}

}  // namespace

Affine ObjectFrame::worldFromFrame() const {
  Affine map;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) map.m[i][j] = unit * axes[j][i];
  map.t = center;
  return map;
}

Matrix3 ObjectFrame::shape() const {
  Matrix3 result{};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) {
      Vec3<double> along;  // covariance · axis j
      for (int k = 0; k < 3; ++k) {
        const auto& row = covariance[k];
        along[k] = dot(Vec3<double>{row[0], row[1], row[2]}, axes[j]);
      }
      result[i][j] =
          dimensions == 2 && std::max(i, j) == 2 ? double(i == j) : dot(axes[i], along) / (unit * unit);
    }
  return result;
}

std::vector<int> longAxes(const Vec3<int>& size) {
  std::vector<int> axes;
  for (int i = 0; i < 3; ++i)
    if (size[i] > 1) axes.push_back(i);
  return axes;
}

double finestEdge(const Grid& grid) {
  double finest = std::numeric_limits<double>::infinity();
  for (const int axis : longAxes(grid.size)) finest = std::min(finest, grid.spacing()[axis]);
  return finest;
}

ObjectFrame frameOf(const Series<float>& image, const char* name, const Progress& progress) {
  const Vec3<int>& size = image.grid.size;
  const double threshold = meanOf(image, progress);
  const Vec3<double> middle{0.5 * (size.x - 1), 0.5 * (size.y - 1), 0.5 * (size.z - 1)};
  // Σ w, then Σ w v and Σ w v v' over the positions v of the voxels relative to the center of the grid.
  const std::int64_t rows = std::int64_t(size.y) * size.z, block = kVoxelsPerSum / size.x + 1;
  const auto sums =
      blockSums<10>(rows, block, progress, [&](std::int64_t begin, std::int64_t end, auto& sum) {
        for (std::int64_t row = begin; row < end; ++row) {
          const float* const values = image.values.data() + row * size.x;
          double w = 0, wx = 0, wxx = 0;
          for (int x = 0; x < size.x; ++x) {
            const double weight = std::max(0.0, values[x] - threshold), place = x - middle.x;
            w += weight;
            wx += weight * place;
            wxx += weight * place * place;
          }
          const double y = double(row % size.y) - middle.y, z = double(row / size.y) - middle.z;
          const double terms[10] = {w,      wx,     w * y,     w * z,     wxx,
                                    wx * y, wx * z, w * y * y, w * y * z, w * z * z};
          for (std::size_t k = 0; k < 10; ++k) sum[k] += terms[k];
        }
      });
  const Vec3<double> mean = (1 / sums[0]) * Vec3<double>{sums[1], sums[2], sums[3]};
  ObjectFrame frame;
  frame.center = image.grid.worldFromVoxel.point(middle + mean);
  constexpr int index[3][3] = {{4, 5, 6}, {5, 7, 8}, {6, 8, 9}};
  const auto& m = image.grid.worldFromVoxel.m;
  frame.covariance = {};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      const double ofPlaces = sums[index[i][j]] / sums[0] - mean[i] * mean[j];
      for (std::size_t r = 0; r < 3; ++r)
        for (std::size_t c = 0; c < 3; ++c) frame.covariance[r][c] += m[r][i] * ofPlaces * m[c][j];
    }
  const double variance = frame.covariance[0][0] + frame.covariance[1][1] + frame.covariance[2][2];
  frame.dimensions = int(longAxes(size).size());
  frame.unit = std::sqrt(std::max(0.0, variance) / frame.dimensions);
  if (!(frame.unit > kSmallestRadius * finestEdge(image.grid)))
    throw Error(text("The ", name, " is brighter than its mean in one voxel only"),
                "it has no shape to align", "check that voxel, or use {affine} none"_message);
  return frame;
}

ObjectFrame carried(ObjectFrame frame, const Affine& map) {
  const Vec3<double> first = map.vector(frame.axes[0]), normal = cross(first, map.vector(frame.axes[1]));
  frame.axes[0] = normalized(first);
  frame.axes[2] = normalized(normal);
  frame.axes[1] = cross(frame.axes[2], frame.axes[0]);
  return frame;
}

void alignToPlane(ObjectFrame& frame, const Grid& plane, const ObjectFrame* like) {
  const auto in = longAxes(plane.size);
  const Affine own = imageAxes(plane);
  // Right-handed also for a coronal plane, like axes carried by a map.
  frame.axes = {own.column(in[0]), own.column(in[1]), cross(own.column(in[0]), own.column(in[1]))};
  if (!like) return;
  const Vec3<double> from = like->axes[2],
                     to = dot(from, frame.axes[2]) < 0 ? -1.0 * frame.axes[2] : frame.axes[2];
  if (dot(from, to) < kSmallestCosine)
    throw Error("The planes of template and reference stand at more than 45° to each other",
                "which of their directions belong together is unknown",
                "correct the positions in the headers, or use {affine} none"_message);
  const Vec3<double> turn = cross(from, to);  // Rodrigues' formula
  for (std::size_t i = 0; i < 3; ++i) {
    const Vec3<double> a = like->axes[i], b = cross(turn, a);
    frame.axes[i] = a + b + (1 / (1 + dot(from, to))) * cross(turn, b);
  }
}

}  // namespace sulcus::registration
