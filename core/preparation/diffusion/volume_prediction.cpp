#include "core/preparation/diffusion/volume_prediction.h"

#include "core/base/parallel/parallel_for.h"
#include "core/image/diffusion/spherical_harmonics.h"
#include "core/math/linear_algebra.h"
#include "core/preparation/mean_of_seen.h"

#include <algorithm>
#include <cmath>

namespace sulcus::preparation {
namespace {

constexpr double kRoughness = 0.006;  // weight of the Laplace–Beltrami operator
constexpr std::int64_t kVoxelsAtOnce = 256;

/// Replaces what is not finite in a column by the mean of the others, or all by NaN.
void fillColumn(Eigen::Ref<Eigen::VectorXf> values) {
  MeanOfSeen finite;
  for (const float value : values)
    if (std::isfinite(value)) finite.add(value);
  const float mean = finite.mean();
  for (float& value : values)
    if (!std::isfinite(value)) value = mean;
}

}  // namespace

Eigen::MatrixXf predictionByOthers(std::span<const Vec3<double>> directions, int mostOrder) {
  const auto n = Eigen::Index(directions.size());
  int order = mostOrder;
  while (order > 0 && 4 * tensorEntries(order) > 3 * int(n)) order -= 2;
  const Eigen::MatrixXd harmonics = shMatrix(order, directions);
  Eigen::MatrixXd normal = harmonics.transpose() * harmonics;
  for (int l = 0; l <= order; l += 2)
    for (int m = -l; m <= l; ++m)
      normal(shIndex(l, m), shIndex(l, m)) += kRoughness * double(l * (l + 1)) * (l * (l + 1));
  Eigen::MatrixXd fit = harmonics * solvePositiveDefinite(normal, Eigen::MatrixXd(harmonics.transpose()));
  // Left out of its own fit, a volume is predicted as the fit to all is, without its part in that.
  for (Eigen::Index i = 0; i < n; ++i) {
    const double own = fit(i, i);
    fit(i, i) = 0;
    fit.row(i) /= std::max(1 - own, 1e-3);
  }
  return fit.cast<float>();
}

Series<float> predictVolumes(const Series<float>& series, std::span<const std::vector<int>> groups,
                             std::span<const Eigen::MatrixXf> matrices, const Progress& progress) {
  Series<float> predicted(series.grid, series.count);
  parallelForBlocks(series.grid.voxels(), kVoxelsAtOnce, progress, [&](std::int64_t begin, std::int64_t end) {
    for (std::size_t g = 0; g < groups.size(); ++g) {
      const std::vector<int>& group = groups[g];
      Eigen::MatrixXf values(Eigen::Index(group.size()), end - begin);
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
