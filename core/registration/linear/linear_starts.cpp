#include "core/registration/linear/linear_starts.h"

#include "core/math/linear_algebra.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

namespace sulcus::registration {
namespace {

constexpr double kTurn = std::numbers::pi / 6;
constexpr double kShift = 0.7;              // radii
constexpr double kSmallestVariance = 1e-3;  // radii², for a flat object

std::vector<Affine> turnsOf(int dimensions) {
  std::vector<Affine> turns;
  const int tilts = dimensions == 2 ? 0 : 1;
  for (int x = -tilts; x <= tilts; ++x)
    for (int y = -tilts; y <= tilts; ++y)
      for (int z = -1; z <= 1; ++z) {
        Matrix34 turn = Matrix34::Zero();
        turn(2, 1) = x * kTurn;
        turn(0, 2) = y * kTurn;
        turn(1, 0) = z * kTurn;
        turn(1, 2) = -turn(2, 1);
        turn(2, 0) = -turn(0, 2);
        turn(0, 1) = -turn(1, 0);
        turns.push_back(exponential(turn));
      }
  return turns;
}

/// The power of an object's covariance matrix in its frame.
Affine powerOfShape(const ObjectFrame& frame, double exponent) {
  const Matrix3 shape = frame.shape();
  auto [values, vectors] = symmetricEigen3(Eigen::Map<const Eigen::Matrix3d>(shape[0].data()));
  for (double& value : values) value = std::pow(std::max(value, kSmallestVariance), exponent);
  const Eigen::Matrix3d power = vectors * values.asDiagonal() * vectors.transpose();
  Affine map;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) map.m[i][j] = power(i, j);
  return map;
}

double distance(const Affine& a, const Affine& b) {
  double sum = dot(a.t - b.t, a.t - b.t);
  for (int j = 0; j < 3; ++j) sum += dot(a.column(j) - b.column(j), a.column(j) - b.column(j));
  return std::sqrt(sum);
}

}  // namespace

Affine frameMapOf(const Affine& templateFromReference, const ObjectFrame& templateFrame,
                  const ObjectFrame& referenceFrame) {
  Affine result =
      templateFrame.worldFromFrame().inverse() * templateFromReference * referenceFrame.worldFromFrame();
  if (referenceFrame.dimensions == 2) {
    for (std::size_t i = 0; i < 2; ++i) result.m[i][2] = result.m[2][i] = 0;
    result.m[2][2] = 1;
    result.t.z = 0;
  }
  return result;
}

std::vector<Affine> turnsAndShifts(int dimensions) {
  std::vector<Affine> maps = turnsOf(dimensions);
  for (const Affine& turn : turnsOf(dimensions))
    for (int axis = 0; axis < dimensions; ++axis)
      for (const double shift : {-kShift, kShift}) {
        maps.push_back(turn);
        maps.back().t[axis] = shift;
      }
  return maps;
}

std::vector<Affine> mapsOfShape(const ObjectFrame& templateFrame, const ObjectFrame& referenceFrame) {
  const Affine left = powerOfShape(templateFrame, 0.5), right = powerOfShape(referenceFrame, -0.5);
  std::vector<Affine> maps = turnsOf(referenceFrame.dimensions);
  for (Affine& map : maps) map = left * map * right;
  return maps;
}

std::vector<MeasuredMap> bestOf(const std::vector<MeasuredMap>& maps, std::size_t count,
                                double leastDistance) {
  // Pointers, since memory from std::stable_sort is not aligned as Eigen requires.
  std::vector<const MeasuredMap*> ranked;
  for (const MeasuredMap& map : maps) ranked.push_back(&map);
  std::ranges::stable_sort(ranked, std::greater(), [](const MeasuredMap* map) { return map->at.value; });
  std::vector<MeasuredMap> best;
  for (const MeasuredMap* const map : ranked) {
    if (best.size() == count) break;
    if (std::none_of(best.begin(), best.end(),
                     [&](const MeasuredMap& one) { return distance(one.map, map->map) < leastDistance; }))
      best.push_back(*map);
  }
  return best;
}

}  // namespace sulcus::registration
