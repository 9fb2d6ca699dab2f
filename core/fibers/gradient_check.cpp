#include "core/fibers/gradient_check.h"

#include "core/base/error.h"
#include "core/base/parallel_for.h"
#include "core/math/linear_algebra.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <span>

#include <Eigen/Dense>

namespace sulcus::fibers {
namespace {

// Below this fractional anisotropy the principal direction is noise.
constexpr double kLeastAnisotropy = 0.15;
// Below this mean diffusivity (10⁻³ mm²/s) there is only rounding; water in tissue has 0.7.
constexpr double kLeastDiffusivity = 1e-3;
// The continuity of another choice of axes must be larger by this factor before it is recommended.
constexpr double kClearImprovement = 1.03;
constexpr int kLongestStep = 3;                // voxels along the principal direction, ahead and behind
constexpr std::int64_t kVoxelsPerCheck = 256;  // voxels between two looks at Progress

/// Principal direction of diffusion (unit, image axes) and fractional anisotropy, 0 where there is none.
struct Principal {
  Vec3<double> direction;
  double anisotropy = 0;
};

Eigen::Matrix3d axesOf(const Grid& grid) {
  const Affine axes = imageAxes(grid);
  Eigen::Matrix3d columns;
  for (int j = 0; j < 3; ++j) columns.col(j) << axes.column(j).x, axes.column(j).y, axes.column(j).z;
  return columns;
}

Eigen::Vector3d toEigen(const Vec3<double>& v) { return {v.x, v.y, v.z}; }

/// The matrix (7 × n) that fits ln S = ln S0 − b gᵀDg to the n logarithms of a voxel by least squares. Its
/// rows give ln S0 and D as xx, yy, zz, xy, xz, yz in 10⁻³ mm²/s.
///
/// @param axes  columns are the image axes in world axes
Eigen::MatrixXd tensorFit(const GradientTable& gradients, const Eigen::Matrix3d& axes) {
  Eigen::MatrixXd design(gradients.rows.size(), 7);
  for (std::size_t v = 0; v < gradients.rows.size(); ++v) {
    const Eigen::Vector3d g = axes.transpose() * toEigen(gradients.rows[v].directionWorld);
    const double b = gradients.rows[v].b / 1000;
    design.row(Eigen::Index(v)) << 1, -b * g.x() * g.x(), -b * g.y() * g.y(), -b * g.z() * g.z(),
        -2 * b * g.x() * g.y(), -2 * b * g.x() * g.z(), -2 * b * g.y() * g.z();
  }
  const auto fit = solveLeastSquares(design, Eigen::MatrixXd::Identity(design.rows(), design.rows()));
  if (fit.rank < 7)
    throw Error("The gradients cannot be checked", "six different directions and two b-values are needed",
                "use a series with more directions");
  return fit.solution;
}

/// Fits the tensor of one voxel. `logs` is working memory of dwi.count numbers.
Principal principalDirection(const Series<float>& dwi, std::int64_t voxel, const Eigen::MatrixXd& fit,
                             Eigen::VectorXd& logs) {
  float largest = 0;
  for (int v = 0; v < dwi.count; ++v) {
    if (!std::isfinite(dwi.at(voxel, v))) return {};
    largest = std::max(largest, dwi.at(voxel, v));
  }
  if (!(largest > 0)) return {};
  for (int v = 0; v < dwi.count; ++v) logs[v] = std::log(std::max(dwi.at(voxel, v), 1e-3f * largest));
  const Eigen::VectorXd x = fit * logs;
  Eigen::Matrix3d tensor;
  tensor << x[1], x[4], x[5], x[4], x[2], x[6], x[5], x[6], x[3];
  const SymmetricEigen3 eigen = symmetricEigen3(tensor);
  const Eigen::Vector3d l = eigen.values.cwiseMax(0.0);
  const double mean = l.mean(), square = l.squaredNorm();
  if (!(mean > kLeastDiffusivity)) return {};
  const Eigen::Vector3d e = eigen.vectors.col(2);
  return {{e.x(), e.y(), e.z()}, std::sqrt(1.5 * (l.array() - mean).square().sum() / square)};
}

/// Weighted sum of the squared cosines between the direction of a voxel and those of the voxels ahead of it
/// and behind it, and the sum of the weights.
struct Continuity {
  double sum = 0, weights = 0;
};

/// The continuity of some voxels. A change of axes rotates all directions alike, so their cosines stay the
/// same and only the choice of the voxels ahead depends on it.
Continuity continuity(const Grid& grid, const std::vector<Principal>& principals,
                      std::span<const std::int64_t> voxels, const AxisChange& change) {
  const Vec3<double> spacing = grid.spacing();
  Continuity total;
  for (const std::int64_t voxel : voxels) {
    const Principal& here = principals[std::size_t(voxel)];
    Vec3<double> step = changed(change, here.direction);
    for (int i = 0; i < 3; ++i) step[i] /= spacing[i];
    const double longest = std::max({std::abs(step.x), std::abs(step.y), std::abs(step.z)});
    const Vec3<int> at = grid.voxel(voxel);
    for (int length = -kLongestStep; length <= kLongestStep; ++length) {
      if (length == 0) continue;
      const double scale = length / longest;
      const int x = at.x + int(std::lround(scale * step.x)), y = at.y + int(std::lround(scale * step.y)),
                z = at.z + int(std::lround(scale * step.z));
      if (!grid.contains(x, y, z)) continue;
      const Principal& there = principals[std::size_t(grid.index(x, y, z))];
      const double cosine = dot(here.direction, there.direction);
      total.sum += here.anisotropy * there.anisotropy * cosine * cosine;
      total.weights += here.anisotropy;
    }
  }
  return total;
}

/// Every permutation of the axes with at most one flip; other sign patterns give the same lines. The first is
/// the identity.
std::vector<TriedAxes> allChanges() {
  std::vector<TriedAxes> changes;
  std::array<int, 3> source{0, 1, 2};
  do {
    for (int flipped = -1; flipped < 3; ++flipped) {
      AxisChange change;
      change.source = source;
      if (flipped >= 0) change.sign[std::size_t(flipped)] = -1;
      changes.push_back({change, 0, describeChange(change)});
    }
  } while (std::next_permutation(source.begin(), source.end()));
  return changes;
}

}  // namespace

GradientCheck checkGradients(const Series<float>& dwi, const GradientTable& gradients,
                             const Progress& progress) {
  if (int(gradients.rows.size()) != dwi.count)
    throw Error("The gradients cannot be checked",
                "there are " + std::to_string(gradients.rows.size()) + " for " + std::to_string(dwi.count) +
                    " volumes",
                "use the gradients that belong to this scan");
  const Eigen::MatrixXd fit = tensorFit(gradients, axesOf(dwi.grid));
  std::vector<Principal> principals(std::size_t(dwi.grid.voxels()));
  parallelForBlocks(dwi.grid.voxels(), 512, progress.part(0, 0.8, "fitting tensors"),
                    [&](std::int64_t begin, std::int64_t end) {
                      Eigen::VectorXd logs(dwi.count);
                      for (std::int64_t i = begin; i < end; ++i)
                        principals[std::size_t(i)] = principalDirection(dwi, i, fit, logs);
                    });
  std::vector<std::int64_t> voxels;
  for (std::int64_t i = 0; i < dwi.grid.voxels(); ++i)
    if (principals[std::size_t(i)].anisotropy > kLeastAnisotropy) voxels.push_back(i);

  GradientCheck check;
  check.ranked = allChanges();
  // The blocks of a change are summed in order, so that the result does not depend on the number of threads.
  const auto count = std::int64_t(voxels.size()), blocks = (count + kVoxelsPerCheck - 1) / kVoxelsPerCheck;
  std::vector<Continuity> sums(check.ranked.size() * std::size_t(blocks));
  parallelFor(
      std::int64_t(sums.size()), progress.part(0.8, 1, "trying axes"),
      [&](std::int64_t i) {
        const std::int64_t begin = i % blocks * kVoxelsPerCheck,
                           size = std::min(kVoxelsPerCheck, count - begin);
        sums[std::size_t(i)] =
            continuity(dwi.grid, principals, std::span(voxels).subspan(std::size_t(begin), std::size_t(size)),
                       check.ranked[std::size_t(i / blocks)].change);
      },
      1);
  for (std::size_t i = 0; i < check.ranked.size(); ++i) {
    Continuity all;
    for (std::size_t p = 0; p < std::size_t(blocks); ++p) {
      all.sum += sums[i * std::size_t(blocks) + p].sum;
      all.weights += sums[i * std::size_t(blocks) + p].weights;
    }
    check.ranked[i].continuity = all.weights > 0 ? all.sum / all.weights : 0;
  }
  const double given = check.ranked.front().continuity;  // the first of allChanges() is the identity
  std::stable_sort(check.ranked.begin(), check.ranked.end(),
                   [](const TriedAxes& a, const TriedAxes& b) { return a.continuity > b.continuity; });
  const TriedAxes& best = check.ranked.front();
  check.agrees = best.change.asGiven() || best.continuity < kClearImprovement * given;
  if (!(best.continuity > 0))
    check.recommendation = "No voxel is anisotropic enough to check the gradient directions.";
  else if (best.change.asGiven())
    check.recommendation =
        "The gradient directions fit the image: no flip or exchange of axes makes fibers more continuous.";
  else if (check.agrees)
    check.recommendation =
        "The gradient directions seem to fit the image; '" + best.description + "' would be as good.";
  else {
    char percent[32];
    std::snprintf(percent, sizeof percent, "%.0f %%", 100 * (best.continuity / std::max(given, 1e-9) - 1));
    check.recommendation = "The gradient directions do not fit the image: with '" + best.description +
                           "' (image axes) fibers are " + percent + " more continuous.";
  }
  return check;
}

}  // namespace sulcus::fibers
