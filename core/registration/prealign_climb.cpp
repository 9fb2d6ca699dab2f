#include "core/registration/prealign_climb.h"

#include "core/math/linear_algebra.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace sulcus::registration {
namespace {

constexpr double kEnoughGain = 1e-4;         // share of the gain that the slope promises (Armijo's rule)
constexpr int kHalvings = 6;                 // of a step, at most
constexpr double kSmallestCurvature = 1e-2;  // share of the largest

Matrix34 along(const std::vector<Matrix34>& motions, const Eigen::VectorXd& lengths) {
  Matrix34 sum = Matrix34::Zero();
  for (std::size_t k = 0; k < motions.size(); ++k) sum += lengths[Eigen::Index(k)] * motions[k];
  return sum;
}

Eigen::VectorXd slopesAlong(const std::vector<Matrix34>& motions, const Matrix34& slope) {
  Eigen::VectorXd slopes(Eigen::Index(motions.size()));
  for (std::size_t k = 0; k < motions.size(); ++k)
    slopes[Eigen::Index(k)] = motions[k].cwiseProduct(slope).sum();
  return slopes;
}

/// The inverse of the curvature along the motions, none of its directions flatter than kSmallestCurvature.
Eigen::MatrixXd inverseCurvature(const PairInformation& information, const std::vector<Matrix34>& motions) {
  Eigen::MatrixXd basis(12, Eigen::Index(motions.size()));
  for (std::size_t k = 0; k < motions.size(); ++k)
    for (int i = 0; i < 12; ++i) basis(i, Eigen::Index(k)) = motions[k](i / 4, i % 4);
  auto [values, vectors] = symmetricEigen(basis.transpose() * information.curvature() * basis);
  const double smallest = std::max(kSmallestCurvature * values.maxCoeff(), 1e-12);
  for (double& value : values) value = 1 / std::max(value, smallest);
  return vectors * values.asDiagonal() * vectors.transpose();
}

/// Takes into an inverse of the second derivatives that over `step` the first ones changed by `change`.
void updateInverse(Eigen::MatrixXd& inverse, const Eigen::VectorXd& step, const Eigen::VectorXd& change) {
  const double product = step.dot(change);
  if (!(product > 1e-10 * step.norm() * change.norm())) return;
  const Eigen::VectorXd moved = inverse * change;
  inverse += (1 + change.dot(moved) / product) / product * step * step.transpose() -
             (moved * step.transpose() + step * moved.transpose()) / product;
}

}  // namespace

std::vector<Matrix34> motionsOf(Motions motions, int dimensions) {
  std::vector<Matrix34> basis;
  const auto add = [&]() -> Matrix34& { return basis.emplace_back(Matrix34::Zero()); };
  for (int i = 0; i < dimensions; ++i) add()(i, 3) = 1;
  for (int i = 0; i < dimensions; ++i)
    for (int j = 0; j < dimensions; ++j) {
      if (motions == Motions::affine) {
        add()(i, j) = 1;
      } else if (i < j) {
        Matrix34& turn = add();
        turn(i, j) = -std::numbers::sqrt2 / 2, turn(j, i) = std::numbers::sqrt2 / 2;
      }
    }
  return basis;
}

Affine exponential(const Matrix34& motion) {
  int squarings = 0;
  for (double size = motion.norm(); size > 0.1; size /= 2) ++squarings;
  Eigen::Matrix4d x = Eigen::Matrix4d::Zero();
  x.topRows<3>() = std::ldexp(1.0, -squarings) * motion;
  Eigen::Matrix4d sum = Eigen::Matrix4d::Identity(), term = sum;
  for (int k = 1; k <= 10; ++k) term = term * x / k, sum += term;
  for (int k = 0; k < squarings; ++k) sum = (sum * sum).eval();
  Affine map;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) map.m[std::size_t(i)][std::size_t(j)] = sum(i, j);
    map.t[i] = sum(i, 3);
  }
  return map;
}

Affine nearestRotation(const Affine& map) {
  Eigen::Matrix3d matrix;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) matrix(i, j) = map.m[std::size_t(i)][std::size_t(j)];
  const Eigen::Matrix3d nearest = nearestOrthogonal(matrix);
  Affine result = map;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) result.m[std::size_t(i)][std::size_t(j)] = nearest(i, j);
  return result;
}

Place climb(PairInformation& information, const std::vector<Matrix34>& motions, const Affine& from,
            const ClimbOptions& options, const Progress& progress) {
  Place place{from, information(from)};
  if (options.iterations == 0) return place;
  Eigen::MatrixXd inverse = inverseCurvature(information, motions);
  Eigen::VectorXd slopes = slopesAlong(motions, place.at.slope);
  for (int i = 0; i < options.iterations; ++i) {
    progress.update(double(i) / options.iterations);
    Eigen::VectorXd step = inverse * slopes;
    if (const double length = step.norm(); length > options.longest) step *= options.longest / length;
    Place next;
    bool gained = false;
    for (int halving = 0; !gained && halving <= kHalvings; ++halving) {
      if (halving > 0) step /= 2;
      next.map = exponential(along(motions, step)) * place.map;
      next.at = information(next.map);
      gained = next.at.value > place.at.value + kEnoughGain * step.dot(slopes);
    }
    if (!gained) break;
    const Eigen::VectorXd before = slopes;
    slopes = slopesAlong(motions, next.at.slope);
    updateInverse(inverse, step, before - slopes);
    place = next;
    if (step.norm() < options.tolerance) break;
  }
  return place;
}

}  // namespace sulcus::registration
