#include "core/fibers/gradient_check.h"

#include "core/base/error.h"
#include "core/base/parallel_for.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include <Eigen/Dense>

namespace sulcus {
namespace {

// Below this anisotropy a main direction is noise.
constexpr double kLeastAnisotropy = 0.15;
// Below this mean diffusivity (10⁻³ mm²/s) there is only rounding; water in tissue has 0.7.
constexpr double kLeastDiffusivity = 1e-3;
// Another choice of axes must be this much more continuous before it is recommended.
constexpr double kClearly = 1.03;
constexpr int kLongestStep = 3;

/// Main direction of diffusion (image axes, unit) and fractional anisotropy; 0 where there is none.
struct Main {
  Vec3<double> direction;
  double anisotropy = 0;
};

/// Orthonormal axes of the image in the world: columns.
Eigen::Matrix3d imageAxes(const Grid& grid) {
  Eigen::Matrix3d axes;
  for (int j = 0; j < 3; ++j) {
    const Vec3<double> column = normalized(grid.worldFromVoxel.column(j));
    axes.col(j) << column.x, column.y, column.z;
  }
  const Eigen::JacobiSVD<Eigen::Matrix3d> svd(axes, Eigen::ComputeFullU | Eigen::ComputeFullV);
  return svd.matrixU() * svd.matrixV().transpose();
}

Eigen::Vector3d toEigen(const Vec3<double>& v) { return {v.x, v.y, v.z}; }

/// ln S = ln S0 − b gᵀDg, least squares: rows give ln S0 and the six entries of D from the logarithms.
Eigen::MatrixXd tensorFit(const GradientTable& gradients, const Eigen::Matrix3d& axes) {
  Eigen::MatrixXd design(gradients.rows.size(), 7);
  for (std::size_t v = 0; v < gradients.rows.size(); ++v) {
    const Eigen::Vector3d g = axes.transpose() * toEigen(gradients.rows[v].directionWorld);
    const double b = gradients.rows[v].b / 1000;
    design.row(Eigen::Index(v)) << 1, -b * g.x() * g.x(), -b * g.y() * g.y(), -b * g.z() * g.z(),
        -2 * b * g.x() * g.y(), -2 * b * g.x() * g.z(), -2 * b * g.y() * g.z();
  }
  const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(design);
  if (qr.rank() < 7)
    throw Error("The gradients cannot be checked", "six different directions and two b-values are needed",
                "use a series with more directions");
  return qr.solve(Eigen::MatrixXd::Identity(design.rows(), design.rows()));
}

Main mainDirection(const Series<float>& dwi, std::int64_t voxel, const Eigen::MatrixXd& fit,
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
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> eigen(tensor);
  const Eigen::Vector3d l = eigen.eigenvalues().cwiseMax(0.0);
  const double mean = l.mean(), square = l.squaredNorm();
  if (!(mean > kLeastDiffusivity)) return {};
  const Eigen::Vector3d e = eigen.eigenvectors().col(2);
  return {{e.x(), e.y(), e.z()}, std::sqrt(1.5 * (l.array() - mean).square().sum() / square)};
}

Vec3<double> changed(const AxisChange& change, const Vec3<double>& v) {
  return {change.sign[0] * v[change.source[0]], change.sign[1] * v[change.source[1]],
          change.sign[2] * v[change.source[2]]};
}

/// Mean squared cosine between the directions of a voxel and of those ahead and behind, weighted by
/// anisotropy. A change of axes turns all directions alike, so only where "ahead" is depends on it.
double continuity(const Grid& grid, const std::vector<Main>& mains, const std::vector<std::int64_t>& voxels,
                  const AxisChange& change) {
  const Vec3<double> spacing = grid.spacing();
  double sum = 0, weights = 0;
  for (const std::int64_t voxel : voxels) {
    const Main& here = mains[std::size_t(voxel)];
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
      const Main& there = mains[std::size_t(grid.index(x, y, z))];
      const double cosine = dot(here.direction, there.direction);
      sum += here.anisotropy * there.anisotropy * cosine * cosine;
      weights += here.anisotropy;
    }
  }
  return weights > 0 ? sum / weights : 0;
}

std::string describeChange(const AxisChange& change) {
  const char names[] = "xyz";
  std::string text;
  int moved = 0;
  for (int i = 0; i < 3; ++i) moved += change.source[i] != i;
  if (moved == 2) {
    std::string pair;
    for (int i = 0; i < 3; ++i)
      if (change.source[i] != i) pair += (pair.empty() ? "" : " and ") + std::string(1, names[i]);
    text = pair + " exchanged";
  } else if (moved == 3) {
    text = std::string("x, y, z taken from ") + names[change.source[0]] + ", " + names[change.source[1]] +
           ", " + names[change.source[2]];
  }
  for (int i = 0; i < 3; ++i)
    if (change.sign[i] < 0) text += std::string(text.empty() ? "" : ", ") + names[i] + " flipped";
  return text.empty() ? "as given" : text;
}

/// Every permutation with at most one flip: the other sign patterns give the same lines.
std::vector<AxisChange> allChanges() {
  std::vector<AxisChange> changes;
  std::array<int, 3> source{0, 1, 2};
  do {
    for (int flipped = -1; flipped < 3; ++flipped) {
      AxisChange change;
      change.source = source;
      if (flipped >= 0) change.sign[std::size_t(flipped)] = -1;
      change.description = describeChange(change);
      changes.push_back(change);
    }
  } while (std::next_permutation(source.begin(), source.end()));
  return changes;
}

}  // namespace

bool AxisChange::asGiven() const {
  return source == std::array<int, 3>{0, 1, 2} && sign == std::array<int, 3>{1, 1, 1};
}

GradientCheck checkGradients(const Series<float>& dwi, const GradientTable& gradients,
                             const Progress& progress) {
  if (int(gradients.rows.size()) != dwi.count)
    throw Error("The gradients cannot be checked",
                "there are " + std::to_string(gradients.rows.size()) + " for " + std::to_string(dwi.count) +
                    " volumes",
                "use the gradients that belong to this scan");
  const Eigen::MatrixXd fit = tensorFit(gradients, imageAxes(dwi.grid));
  std::vector<Main> mains(std::size_t(dwi.grid.voxels()));
  parallelForBlocks(dwi.grid.voxels(), 512, progress.part(0, 0.8, "fitting tensors"),
                    [&](std::int64_t begin, std::int64_t end) {
                      Eigen::VectorXd logs(dwi.count);
                      for (std::int64_t i = begin; i < end; ++i)
                        mains[std::size_t(i)] = mainDirection(dwi, i, fit, logs);
                    });
  std::vector<std::int64_t> voxels;
  for (std::int64_t i = 0; i < dwi.grid.voxels(); ++i)
    if (mains[std::size_t(i)].anisotropy > kLeastAnisotropy) voxels.push_back(i);

  GradientCheck check;
  check.ranked = allChanges();
  parallelFor(
      std::int64_t(check.ranked.size()), progress.part(0.8, 1, "trying axes"),
      [&](std::int64_t i) {
        auto& change = check.ranked[std::size_t(i)];
        change.continuity = continuity(dwi.grid, mains, voxels, change);
      },
      1);
  const double given = check.ranked.front().continuity;  // the first of allChanges() is the identity
  std::stable_sort(check.ranked.begin(), check.ranked.end(),
                   [](const AxisChange& a, const AxisChange& b) { return a.continuity > b.continuity; });
  const AxisChange& best = check.ranked.front();
  check.agrees = best.asGiven() || best.continuity < kClearly * given;
  if (!(best.continuity > 0))
    check.recommendation = "No voxel is anisotropic enough to check the gradient directions.";
  else if (best.asGiven())
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

GradientTable withAxisChange(const GradientTable& gradients, const Grid& grid, const AxisChange& change) {
  const Eigen::Matrix3d axes = imageAxes(grid);
  GradientTable table = gradients;
  for (auto& row : table.rows) {
    const Eigen::Vector3d image = axes.transpose() * toEigen(row.directionWorld);
    const Vec3<double> turned = changed(change, {image.x(), image.y(), image.z()});
    const Eigen::Vector3d world = axes * toEigen(turned);
    row.directionWorld = {world.x(), world.y(), world.z()};
  }
  if (!change.asGiven()) table.source += "; " + change.description + " (image axes)";
  return table;
}

}  // namespace sulcus
