#include "core/fibers/models/gradient_check.h"

#include "core/base/error.h"
#include "core/base/parallel/parallel_for.h"
#include "core/math/linear_algebra.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <map>
#include <span>

#include <Eigen/Dense>

namespace sulcus::fibers {
namespace {

// Below this fractional anisotropy the principal direction is noise.
constexpr double kLeastAnisotropy = 0.15;
// Below this mean diffusivity (10⁻³ mm²/s) there is only rounding; water in tissue has 0.7.
constexpr double kLeastDiffusivity = 1e-3;
// Paths under other axes must be longer by this factor, and by this many standard errors, before they are
// recommended: of 24 changes one may exceed the given one by two or three errors by chance.
constexpr double kClearImprovement = 1.1;
constexpr double kClearCertainty = 4;
constexpr double kStep = 0.5;                     // of a path, in units of the shortest edge of a voxel
constexpr int kMostSteps = 120;                   // in each direction
constexpr double kSharpestTurn = 0.866025403784;  // cosine of 30°
constexpr std::int64_t kMostSeeds = 4000;
constexpr int kBlockEdge = 6;                 // voxels
constexpr std::int64_t kSeedsPerCheck = 128;  // between two checks of Progress

/// Principal direction of diffusion (unit, image axes) and fractional anisotropy, 0 if there is none.
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

/// The directions of all voxels, for following paths.
struct PathField {
  Grid grid;
  std::vector<Principal> principals;

  /// Length in mm of the path from a voxel along its direction, with the sign `sign`, under a change of axes:
  /// until it enters a voxel without direction, turns sharply or leaves the grid.
  double length(std::int64_t seed, double sign, const AxisChange& change) const {
    const Vec3<double> spacing = grid.spacing();
    const double step = kStep * std::min({spacing.x, spacing.y, spacing.z});
    const Vec3<int> at = grid.voxel(seed);
    Vec3<double> position{double(at.x), double(at.y), double(at.z)},
        direction = sign * changed(change, principals[seed].direction);
    double length = 0;
    for (int steps = 0; steps < kMostSteps; ++steps, length += step) {
      for (int i = 0; i < 3; ++i) position[i] += step * direction[i] / spacing[i];
      const int x = int(std::lround(position.x)), y = int(std::lround(position.y)),
                z = int(std::lround(position.z));
      if (!grid.contains(x, y, z)) break;
      const Principal& there = principals[grid.index(x, y, z)];
      if (!(there.anisotropy > kLeastAnisotropy)) break;
      const Vec3<double> next = changed(change, there.direction);
      const double cosine = dot(direction, next);
      if (std::abs(cosine) < kSharpestTurn) break;
      direction = cosine < 0 ? -next : next;
    }
    return length;
  }
};

/// By how many standard errors the mean length under the first of two changes of axes exceeds that under the
/// second. Paths from one block of voxels count as one observation, since they follow the same bundle.
double certainty(std::span<const float> first, std::span<const float> second, std::span<const int> blockOf,
                 int blocks) {
  double mean = 0;
  for (std::size_t i = 0; i < first.size(); ++i) mean += double(first[i] - second[i]) / double(first.size());
  std::vector<double> sums(blocks, 0.0);
  for (std::size_t i = 0; i < first.size(); ++i) sums[blockOf[i]] += double(first[i] - second[i]) - mean;
  double square = 0;
  for (const double sum : sums) square += sum * sum;
  return mean / std::max(std::sqrt(square) / double(first.size()), 1e-12);
}

/// Numbers the cubes of kBlockEdge voxels that contain seeds.
std::vector<int> blocksOf(const Grid& grid, std::span<const std::int64_t> seeds, int& blocks) {
  std::map<std::array<int, 3>, int> known;
  std::vector<int> blockOf;
  for (const std::int64_t seed : seeds) {
    const Vec3<int> v = grid.voxel(seed);
    blockOf.push_back(
        known.try_emplace({v.x / kBlockEdge, v.y / kBlockEdge, v.z / kBlockEdge}, int(known.size()))
            .first->second);
  }
  blocks = int(known.size());
  return blockOf;
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
      if (flipped >= 0) change.sign[flipped] = -1;
      changes.push_back({change, 0, describeChange(change)});
    }
  } while (std::next_permutation(source.begin(), source.end()));
  return changes;
}

/// The voxels in which paths begin: those with a direction, or evenly chosen ones if they are many.
std::vector<std::int64_t> seedsIn(const PathField& field) {
  std::vector<std::int64_t> seeds;
  for (std::int64_t i = 0; i < field.grid.voxels(); ++i)
    if (field.principals[i].anisotropy > kLeastAnisotropy) seeds.push_back(i);
  const auto all = std::int64_t(seeds.size());
  if (all <= kMostSeeds) return seeds;
  for (std::int64_t i = 0; i < kMostSeeds; ++i) seeds[i] = seeds[i * all / kMostSeeds];
  seeds.resize(kMostSeeds);
  return seeds;
}

/// @param given  mean length of the paths along the given directions
std::string recommendationFor(const TriedAxes& best, bool agrees, double given) {
  if (!(best.pathLength > 0)) return "No voxel is anisotropic enough to check the gradient directions.";
  if (best.change.asGiven())
    return "The gradient directions fit the image: no flip or exchange of axes makes the paths of fibers "
           "longer.";
  if (agrees)
    return "The image cannot confirm the gradient directions: '" + best.description +
           "' would fit equally well.";
  char percent[32];
  std::snprintf(percent, sizeof percent, "%.0f %%", 100 * (best.pathLength / std::max(given, 1e-9) - 1));
  return "The gradient directions do not fit the image: with '" + best.description +
         "' (image axes) the paths of fibers are " + percent + " longer.";
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
  PathField field{dwi.grid, std::vector<Principal>(std::size_t(dwi.grid.voxels()))};
  parallelForBlocks(dwi.grid.voxels(), 512, progress.part(0, 0.8, "fitting tensors"),
                    [&](std::int64_t begin, std::int64_t end) {
                      Eigen::VectorXd logs(dwi.count);
                      for (std::int64_t i = begin; i < end; ++i)
                        field.principals[i] = principalDirection(dwi, i, fit, logs);
                    });
  const std::vector<std::int64_t> seeds = seedsIn(field);
  GradientCheck check;
  check.ranked = allChanges();
  const auto count = std::int64_t(seeds.size()), parts = (count + kSeedsPerCheck - 1) / kSeedsPerCheck;
  std::vector<std::vector<float>> lengths(check.ranked.size(), std::vector<float>(seeds.size()));
  parallelFor(std::ssize(check.ranked) * parts, 1, progress.part(0.8, 1, "trying axes"),
              [&](std::int64_t job) {
                const auto change = std::size_t(job / parts);
                const std::int64_t begin = job % parts * kSeedsPerCheck,
                                   end = std::min(begin + kSeedsPerCheck, count);
                for (std::int64_t i = begin; i < end; ++i) {
                  const auto seed = seeds[i];
                  const AxisChange& axes = check.ranked[change].change;
                  lengths[change][i] = float(field.length(seed, 1, axes) + field.length(seed, -1, axes));
                }
              });
  int blocks = 0;
  const auto blockOf = blocksOf(dwi.grid, seeds, blocks);
  std::size_t longest = 0;
  for (std::size_t i = 0; i < check.ranked.size(); ++i) {
    double sum = 0;
    for (const float length : lengths[i]) sum += double(length);
    check.ranked[i].pathLength = count > 0 ? sum / double(count) : 0;
    if (check.ranked[i].pathLength > check.ranked[longest].pathLength) longest = i;
  }
  const bool isSure = certainty(lengths[longest], lengths[0], blockOf, blocks) > kClearCertainty;
  const double given = check.ranked.front().pathLength;  // the first of allChanges() is the identity
  std::stable_sort(check.ranked.begin(), check.ranked.end(),
                   [](const TriedAxes& a, const TriedAxes& b) { return a.pathLength > b.pathLength; });
  const TriedAxes& best = check.ranked.front();
  check.agrees = best.change.asGiven() || !isSure || best.pathLength < kClearImprovement * given;
  check.recommendation = recommendationFor(best, check.agrees, given);
  return check;
}

}  // namespace sulcus::fibers
