#include "core/fibers/models/models.h"

#include "core/image/diffusion/spherical_harmonics.h"
#include "core/math/linear_algebra.h"

#include <cassert>
#include <cmath>
#include <numbers>
#include <vector>

namespace sulcus::fibers {
namespace {

constexpr double kLaplaceBeltrami = 0.006;                 // weight of the regularization
constexpr double kSameDirectionCosine = 0.99984769515639;  // of 1°
constexpr double kWorstCondition =
    1e4;  // largest condition of the matrix of harmonics; it is 4 for 64 evenly spaced directions at order 8

}  // namespace

LinearModel linearModel(FiberModel model, int order, std::span<const Vec3<double>> directions) {
  assert(model == FiberModel::adc || model == FiberModel::qball || model == FiberModel::csa);
  constexpr double pi = std::numbers::pi;
  const double smoothing = model == FiberModel::adc ? 0 : kLaplaceBeltrami;

  LinearModel result;
  result.predict = shMatrix(order, directions);
  Eigen::MatrixXd normal = result.predict.transpose() * result.predict;
  normal.diagonal() +=
      smoothing * perDegree(order, [](int l) { return double(l * (l + 1)) * (l * (l + 1)); });
  result.fit = solvePositiveDefinite(normal, Eigen::MatrixXd(result.predict.transpose()));
  result.tensorFromCoefficients = tensorFromSh(order);
  result.offset = Eigen::VectorXd::Zero(tensorEntries(order));

  if (model == FiberModel::adc) {
    result.transform = SignalTransform::adc;
  } else if (model == FiberModel::qball) {  // Funk–Radon transform of the signal
    result.tensorFromCoefficients *=
        perDegree(order, [](int l) { return 2 * pi * legendreAtZero(l); }).asDiagonal();
  } else {  // 1/4π + 1/16π² · Funk–Radon transform of the Laplacian of ln(−ln E)
    result.transform = SignalTransform::csa;
    result.offset = result.tensorFromCoefficients.col(0) / (2 * std::sqrt(pi));
    result.tensorFromCoefficients *=
        perDegree(order, [](int l) { return -l * (l + 1) * legendreAtZero(l) / (8 * pi); }).asDiagonal();
  }
  return result;
}

int distinctDirections(std::span<const Vec3<double>> directions) {
  std::vector<Vec3<double>> distinct;
  for (const auto& g : directions) {
    bool isNew = true;
    for (const auto& other : distinct) isNew = isNew && std::abs(dot(g, other)) < kSameDirectionCosine;
    if (isNew) distinct.push_back(g);
  }
  return int(distinct.size());
}

bool determinesOrder(int order, std::span<const Vec3<double>> directions) {
  if (distinctDirections(directions) < tensorEntries(order)) return false;
  const Eigen::VectorXd singular = singularValues(shMatrix(order, directions));
  return singular[0] < kWorstCondition * singular[singular.size() - 1];
}

Eigen::MatrixXf signalRatios(const Series<float>& dwi, std::span<const int> unweighted,
                             std::span<const int> weighted, std::span<const std::int64_t> voxels) {
  using RowMajor = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const auto gather = [&](int volume, Eigen::Ref<Eigen::RowVectorXf> row) {
    const float* values = dwi.volume(volume).data;
    for (std::size_t i = 0; i < voxels.size(); ++i) row[Eigen::Index(i)] = values[voxels[i]];
  };
  Eigen::RowVectorXf sum = Eigen::RowVectorXf::Zero(std::ssize(voxels)), one = sum;
  for (const int volume : unweighted) gather(volume, one), sum += one;
  const Eigen::RowVectorXf inverse = float(unweighted.size()) * sum.cwiseInverse();
  RowMajor ratios(weighted.size(), voxels.size());
  for (std::size_t i = 0; i < weighted.size(); ++i) {
    gather(weighted[i], one);
    ratios.row(Eigen::Index(i)) = one.cwiseProduct(inverse);
  }
  return ratios;
}

}  // namespace sulcus::fibers
