#include "core/registration/linear/linear_climb.h"

#include "core/math/linear_algebra.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace sulcus::registration {
namespace {

constexpr double kEnoughGain = 1e-4;         // fraction of the gain predicted by the slope (Armijo's rule)
constexpr int kHalvings = 6;                 // of a step, at most
constexpr double kSmallestCurvature = 1e-2;  // relative to the largest

Matrix34 along(const std::vector<Matrix34>& motions, const Eigen::VectorXd& lengths) {
  Matrix34 sum = Matrix34::Zero();
  for (std::size_t k = 0; k < motions.size(); ++k) sum += lengths[Eigen::Index(k)] * motions[k];
  return sum;
}

Eigen::VectorXd slopesAlong(const std::vector<Matrix34>& motions, const Matrix34& slope) {
  Eigen::VectorXd slopes(std::ssize(motions));
  for (std::size_t k = 0; k < motions.size(); ++k)
    slopes[Eigen::Index(k)] = motions[k].cwiseProduct(slope).sum();
  return slopes;
}

/// The inverse of the curvature along the motions, with all directions at least as curved as
/// kSmallestCurvature.
Eigen::MatrixXd inverseCurvature(const Matrix12& curvature, const std::vector<Matrix34>& motions) {
  Eigen::MatrixXd basis(12, std::ssize(motions));
  for (std::size_t k = 0; k < motions.size(); ++k)
    for (int i = 0; i < 12; ++i) basis(i, Eigen::Index(k)) = motions[k](i / 4, i % 4);
  auto [values, vectors] = symmetricEigen(basis.transpose() * curvature * basis);
  const double smallest = std::max(kSmallestCurvature * values.maxCoeff(), 1e-12);
  for (double& value : values) value = 1 / std::max(value, smallest);
  return vectors * values.asDiagonal() * vectors.transpose();
}

/// Updates an inverse of the second derivatives, given that the first ones changed by `change` over `step`.
void updateInverse(Eigen::MatrixXd& inverse, const Eigen::VectorXd& step, const Eigen::VectorXd& change) {
  const double product = step.dot(change);
  if (!(product > 1e-10 * step.norm() * change.norm())) return;
  const Eigen::VectorXd moved = inverse * change;
  inverse += (1 + change.dot(moved) / product) / product * step * step.transpose() -
             (moved * step.transpose() + step * moved.transpose()) / product;
}

/// A climb that waits for the measurement at the map that it tries next.
class Climb {
 public:
  Climb(const std::vector<Matrix34>& motions, const Affine& from, const ClimbOptions& options)
      : motions_(motions), options_(options), next_(from) {}

  bool ended() const { return ended_; }
  const Affine& next() const { return next_; }
  const MeasuredMap& reached() const { return reached_; }
  /// Its progress, 0…1.
  double share() const { return ended_ ? 1 : double(iteration_) / options_.iterations; }

  /// Continues from its start.
  ///
  /// @param at  information at next(), with its curvature
  void begin(const Information& at) {
    reached_ = {next_, at};
    inverse_ = inverseCurvature(at.curvature, motions_);
    slopes_ = slopesAlong(motions_, at.slope);
    trySlopes();
  }

  /// Accepts a step that improves the information, or tries a shorter one.
  ///
  /// @param at  information at next()
  void take(const Information& at) {
    if (!(at.value > reached_.at.value + kEnoughGain * step_.dot(slopes_))) {
      ended_ = ++halvings_ > kHalvings;
      step_ /= 2;
      tryStep();
      return;
    }
    const Eigen::VectorXd before = slopes_;
    slopes_ = slopesAlong(motions_, at.slope);
    updateInverse(inverse_, step_, before - slopes_);
    reached_ = {next_, at};
    ended_ = step_.norm() < options_.tolerance || ++iteration_ == options_.iterations;
    trySlopes();
  }

 private:
  void trySlopes() {
    halvings_ = 0;
    step_ = inverse_ * slopes_;
    if (const double length = step_.norm(); length > options_.longest) step_ *= options_.longest / length;
    tryStep();
  }
  void tryStep() { next_ = exponential(along(motions_, step_)) * reached_.map; }

  const std::vector<Matrix34>& motions_;
  ClimbOptions options_;
  MeasuredMap reached_;
  Affine next_;
  Eigen::MatrixXd inverse_;  ///< inverse of the second derivatives along the motions
  Eigen::VectorXd slopes_, step_;
  int iteration_ = 0, halvings_ = 0;
  bool ended_ = false;
};

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
        turn(i, j) = -std::numbers::sqrt2 / 2;
        turn(j, i) = std::numbers::sqrt2 / 2;
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
    for (int j = 0; j < 3; ++j) map.m[i][j] = sum(i, j);
    map.t[i] = sum(i, 3);
  }
  return map;
}

Affine nearestRotation(const Affine& map) {
  Eigen::Matrix3d matrix;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) matrix(i, j) = map.m[i][j];
  const Eigen::Matrix3d nearest = nearestOrthogonal(matrix);
  Affine result = map;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) result.m[i][j] = nearest(i, j);
  return result;
}

std::vector<MeasuredMap> climbed(const PairInformation& information, const std::vector<Matrix34>& motions,
                                 const std::vector<Affine>& from, const ClimbOptions& options,
                                 const Progress& progress) {
  std::vector<Climb> climbs;
  for (const Affine& map : from) climbs.emplace_back(motions, map, options);
  std::vector<Information> at = information(from, true);
  for (std::size_t i = 0; i < climbs.size(); ++i) climbs[i].begin(at[i]);
  for (;;) {
    std::vector<Climb*> going;
    std::vector<Affine> maps;
    double share = 0;
    for (Climb& climb : climbs) {
      share += climb.share() / double(climbs.size());
      if (climb.ended()) continue;
      going.push_back(&climb), maps.push_back(climb.next());
    }
    progress.update(share);
    if (going.empty()) break;
    at = information(maps);
    for (std::size_t i = 0; i < going.size(); ++i) going[i]->take(at[i]);
  }
  std::vector<MeasuredMap> maps;
  for (const Climb& climb : climbs) maps.push_back(climb.reached());
  return maps;
}

}  // namespace sulcus::registration
