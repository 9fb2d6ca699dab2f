#include "core/preparation/diffusion/volume_prediction.h"

#include "core/base/parallel/parallel_for.h"
#include "core/math/linear_algebra.h"
#include "core/preparation/mean_of_seen.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace sulcus::preparation {
namespace {

constexpr double kAlong = 1.7e-3, kAcross = 0.2e-3;  // diffusivity along and across a fiber, mm²/s
constexpr int kFibers = 500;
constexpr double kNoise = 1;  // its variance, relative to that between directions
constexpr std::int64_t kVoxelsAtOnce = 256;

/// Replaces the values of a column that are not finite by the mean of the others, or all by NaN.
void fillColumn(Eigen::Ref<Eigen::VectorXf> values) {
  MeanOfSeen finite;
  for (const float value : values)
    if (std::isfinite(value)) finite.add(value);
  const float mean = finite.mean();
  for (float& value : values)
    if (!std::isfinite(value)) value = mean;
}

/// The covariance of the signals of volumes, over fibers in all directions.
Eigen::MatrixXd covarianceOf(std::span<const Vec3<double>> directions, double b) {
  Eigen::MatrixXd signals(std::ssize(directions), kFibers);
  for (int k = 0; k < kFibers; ++k) {
    const double z = (k + 0.5) / kFibers, r = std::sqrt(1 - z * z),
                 turn = k * std::numbers::pi * (3 - std::sqrt(5.0));
    const Vec3<double> fiber{r * std::cos(turn), r * std::sin(turn), z};
    for (std::size_t i = 0; i < directions.size(); ++i) {
      const double along = dot(fiber, directions[i]);
      signals(Eigen::Index(i), k) = std::exp(-b * (kAcross + (kAlong - kAcross) * along * along));
    }
  }
  signals.colwise() -= Eigen::VectorXd(signals.rowwise().mean());
  return signals * signals.transpose() / kFibers;
}

}  // namespace

Eigen::MatrixXf predictionByOthers(std::span<const Vec3<double>> directions, double b) {
  const auto n = std::ssize(directions);
  Eigen::MatrixXd covariance = covarianceOf(directions, b);
  const double variance = covariance.trace() / double(n);
  covariance.diagonal().array() += variance > 0 ? kNoise * variance : 1;
  // The part of the inverse that no common mean explains: a row, divided by its diagonal entry, gives the
  // difference of a volume from its prediction by the others.
  Eigen::MatrixXd precision = inverse(covariance);
  const Eigen::VectorXd sums = precision.rowwise().sum();
  precision -= sums * sums.transpose() / sums.sum();
  Eigen::MatrixXd others = -precision;
  for (Eigen::Index i = 0; i < n; ++i) {
    others.row(i) /= precision(i, i);
    others(i, i) = 0;
  }
  return others.cast<float>();
}

Series<float> predictVolumes(const Series<float>& series, std::span<const std::vector<int>> groups,
                             std::span<const Eigen::MatrixXf> matrices, const Progress& progress) {
  Series<float> predicted(series.grid, series.count);
  parallelForBlocks(series.grid.voxels(), kVoxelsAtOnce, progress, [&](std::int64_t begin, std::int64_t end) {
    for (std::size_t g = 0; g < groups.size(); ++g) {
      const std::vector<int>& group = groups[g];
      Eigen::MatrixXf values(std::ssize(group), end - begin);
      for (std::size_t i = 0; i < group.size(); ++i)
        for (std::int64_t voxel = begin; voxel < end; ++voxel)
          values(Eigen::Index(i), voxel - begin) = series.at(voxel, group[i]);
      for (Eigen::Index k = 0; k < values.cols(); ++k) fillColumn(values.col(k));
      const Eigen::MatrixXf result = matrices[g] * values;
      for (std::size_t i = 0; i < group.size(); ++i)
        for (std::int64_t voxel = begin; voxel < end; ++voxel)
          predicted.at(voxel, group[i]) = result(Eigen::Index(i), voxel - begin);
    }
  });
  return predicted;
}

}  // namespace sulcus::preparation
