#include "core/activation/least_squares.h"

#include "core/base/error.h"
#include "core/base/parallel_for.h"
#include "core/base/sentence.h"
#include "core/image/value_check.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <Eigen/Dense>

namespace sulcus {
namespace {

constexpr std::int64_t kBlock = 256;  // voxels; their series in double stay in the second cache
constexpr double kConstant = 1e-6;    // of the mean: what a constant series in float32 varies by, with room
constexpr double kSmallest = 1e-15;   // of a raw response: its squares still are float32
constexpr double kExact = 1e-12;      // of the sum of squares: a design that explains everything

using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// Mean, Σ(y − ȳ)² and largest magnitude of one column.
struct Moments {
  double mean, squares, largest;
};

/// How the series with these moments is turned into a response; why not in `drop`.
ResponseScale scaleOf(const Moments& moments, double scans, Response response, Drop& drop) {
  const double sd = std::sqrt(moments.squares / (scans - 1));
  // A mean that is rounding, of a series without its mean, is none that percentages can be taken of.
  const bool hasMean = moments.mean > kConstant * sd;
  drop = !std::isfinite(moments.squares) || !(moments.largest <= kLargestValue) ? Drop::notSound
         : !(sd > kConstant * std::abs(moments.mean))                           ? Drop::constant
         : response == Response::raw && !(sd > kSmallest)                       ? Drop::tiny
         : response == Response::percent && !hasMean                            ? Drop::noMean
                                                                                : Drop::none;
  if (drop != Drop::none) return {moments.mean, 0};
  if (response == Response::raw) return {};
  return {moments.mean, response == Response::percent ? 100 / moments.mean : 1 / sd};
}

/// Turns series (a column is a voxel) into responses, 0 where that cannot be done; total: Σ(y − ȳ)² of them.
void respond(Rows& y, Response response, Drop* drop, double* total) {
  const auto n = double(y.rows());
  const Eigen::RowVectorXd mean = y.colwise().sum() / n;
  const Eigen::RowVectorXd squares = (y.rowwise() - mean).colwise().squaredNorm();
  const Eigen::RowVectorXd largest = y.cwiseAbs().colwise().maxCoeff();
  Eigen::RowVectorXd offset(y.cols()), scale(y.cols());
  for (Eigen::Index i = 0; i < y.cols(); ++i) {
    const ResponseScale s = scaleOf({mean(i), squares(i), largest(i)}, n, response, drop[i]);
    offset(i) = s.offset, scale(i) = s.scale;
    if (drop[i] != Drop::none) y.col(i).setZero(), offset(i) = 0;  // NaN times 0 is NaN
    total[i] = squares(i) * s.scale * s.scale;
  }
  y = (y.rowwise() - offset).array().rowwise() * scale.array();
}

}  // namespace

VoxelFits fitVoxels(const ActivationInput& input, Response response, const Eigen::MatrixXd& q,
                    const std::vector<std::int64_t>& voxels, const Progress& progress) {
  const Series<float>& bold = *input.bold;
  const auto count = std::int64_t(voxels.size());
  const std::int64_t perVolume = bold.grid.voxels();
  const Eigen::Index k = q.cols(), n = q.rows();
  VoxelFits fit;
  fit.estimate.resize(std::size_t(k * count));
  fit.residual.resize(std::size_t(count));
  fit.total.resize(std::size_t(count));
  fit.drop.resize(std::size_t(count));
  parallelForBlocks(count, kBlock, progress, [&](std::int64_t begin, std::int64_t end) {
    const Eigen::Index size = end - begin;
    Rows y(n, size);
    for (Eigen::Index v = 0; v < n; ++v) {
      const float* volume = bold.values.data() + v * perVolume;
      for (Eigen::Index i = 0; i < size; ++i) y(v, i) = volume[voxels[std::size_t(begin + i)]];
    }
    std::array<double, kBlock> total;
    Drop* drop = fit.drop.data() + begin;
    respond(y, response, drop, total.data());
    const Rows gamma = q.transpose() * y;
    y.noalias() -= q * gamma;
    const Eigen::RowVectorXd residual = y.colwise().squaredNorm();
    for (Eigen::Index i = 0; i < size; ++i) {
      const auto at = std::size_t(begin + i);
      for (Eigen::Index j = 0; j < k; ++j) fit.estimate[std::size_t(j * count) + at] = float(gamma(j, i));
      fit.residual[at] = float(residual(i));
      fit.total[at] = float(total[std::size_t(i)]);
      if (drop[i] == Drop::none && !(residual(i) > kExact * total[std::size_t(i)])) drop[i] = Drop::exact;
      for (int t = 0; input.tissue && drop[i] == Drop::none && t < input.tissue->count; ++t)
        if (!isSound(input.tissue->at(voxels[at], t))) drop[i] = Drop::tissue;
    }
  });
  return fit;
}

std::string droppedNote(const VoxelFits& fits) {
  static constexpr std::array why{
      "",
      "their series is not finite or goes beyond ±1e+15",
      "their series is constant",
      "their series varies by less than 1e-15, which response raw keeps",
      "the mean of their series is not positive and no percentage can be taken of it (a series without its "
      "mean needs response standardized or raw)",
      "the design explains their series without a residual",
      "a tissue map is not finite or beyond ±1e+15 there"};
  std::string reasons;
  std::int64_t dropped = 0;
  for (std::size_t reason = 1; reason < why.size(); ++reason) {
    const auto voxels = std::count(fits.drop.begin(), fits.drop.end(), Drop(reason));
    if (voxels == 0) continue;
    dropped += voxels;
    reasons += text(reasons.empty() ? "" : "; ", voxels, ": ", why[reason]);
  }
  if (dropped == std::int64_t(fits.drop.size()))
    throw Error(text("None of the ", dropped, " voxels of the mask can be analyzed"), reasons,
                "check that series and mask belong together");
  return dropped > 0 ? text(dropped, " voxels of the mask are left out (", reasons, ").") : "";
}

std::optional<ResponseScale> responseScaleAt(const Series<float>& bold, Response response,
                                             std::int64_t voxel) {
  Eigen::VectorXd y(bold.count);
  for (int v = 0; v < bold.count; ++v) y(v) = bold.at(voxel, v);
  const double mean = y.mean();
  Drop drop;
  const auto scale =
      scaleOf({mean, (y.array() - mean).square().sum(), y.cwiseAbs().maxCoeff()}, bold.count, response, drop);
  return drop == Drop::none ? std::optional(scale) : std::nullopt;
}

}  // namespace sulcus
