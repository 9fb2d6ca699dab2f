#include "core/fibers/deconvolution/tissues.h"

#include "core/fibers/deconvolution/tissue_lanes.h"
#include "core/fibers/peaks/starts.h"
#include "core/image/diffusion/spherical_harmonics.h"
#include "core/math/linear_algebra.h"

#include <cassert>
#include <cmath>
#include <memory>
#include <numbers>

namespace sulcus::fibers {
namespace {

constexpr double kTissueMinimumNorm = 1e-10;  // ε² relative to the first element of AᵀA

bool isKnown(std::span<const TissueResponse> responses, int isotropic) {
  return !responses[isotropic + 1].empty();
}

/// The signals of the unknowns, harmonics and then volumes: a row for each weighted volume and, as the last
/// one, for the unweighted ones.
Eigen::MatrixXd signalsOf(int order, std::span<const TissueResponse> responses,
                          std::span<const Vec3<double>> directions, std::span<const int> shellOf) {
  const int entries = tensorEntries(order), n = int(directions.size());
  Eigen::MatrixXd signals = Eigen::MatrixXd::Zero(n + 1, tissueUnknowns(order));
  signals.topLeftCorner(n, entries) = shMatrix(order, directions);
  signals(n, 0) = zonalHarmonic(0, 1);
  for (int i = 0; i <= n; ++i) {
    const auto shell = std::size_t(i < n ? shellOf[i] : 0);
    const auto& zonal = responses[0][shell];
    for (int l = 0; l <= order; l += 2)
      signals.row(i).segment(shIndex(l, -l), 2 * l + 1) *=
          std::size_t(l / 2) < zonal.size() ? std::sqrt(4 * std::numbers::pi / (2 * l + 1)) * zonal[l / 2]
                                            : 0;
    for (int t = 0; t < kIsotropicTissues; ++t)
      if (isKnown(responses, t)) signals(i, entries + t) = meanSignal(responses[t + 1], shell);
  }
  return signals;
}

}  // namespace

double meanSignal(const TissueResponse& response, std::size_t shell) {
  return response[shell][0] * zonalHarmonic(0, 1);
}

TissuePlan planTissues(int order, std::span<const TissueResponse> responses,
                       std::span<const Vec3<double>> directions, std::span<const int> shellOf, int unweighted,
                       std::span<const Vec3<double>> nonNegative) {
  assert(responses.size() == kTissues && shellOf.size() == directions.size());
  static const auto even = evenDirections(kCsdDirections);  // cached, since it takes some ms
  if (nonNegative.empty()) nonNegative = even;
  const int entries = tensorEntries(order), unknowns = tissueUnknowns(order), n = int(directions.size());
  TissuePlan plan;
  plan.order = order;
  plan.unit = meanSignal(responses[0]);

  const Eigen::MatrixXd signals = signalsOf(order, responses, directions, shellOf) / plan.unit;
  const Eigen::MatrixXd weighted = signals.topRows(n);
  const Eigen::VectorXd atRest = signals.row(n);
  Eigen::MatrixXd normal = weighted.transpose() * weighted + unweighted * atRest * atRest.transpose();
  normal.diagonal().array() += kTissueMinimumNorm * normal(0, 0);
  // The volume of a tissue without a response has no signal: it is 0, whatever its weight.
  for (int t = 0; t < kIsotropicTissues; ++t)
    if (!isKnown(responses, t)) normal(entries + t, entries + t) = normal(0, 0);

  // Degrees 0 and 8 differ by a factor of 10⁶ in AᵀA; in y they do not, as float32 requires.
  const Eigen::MatrixXd fromY = inverse(choleskyFactor(normal)).transpose();
  Eigen::MatrixXd rows = Eigen::MatrixXd::Zero(kTissueRows, unknowns);
  rows.topLeftCorner(kCsdDirections, entries) = shMatrix(order, nonNegative);
  rows.bottomRightCorner(kIsotropicTissues, kIsotropicTissues).setIdentity();
  rows = (rows * fromY).rowwise().normalized().eval();
  Eigen::MatrixXd volumes = fromY.bottomRows(kTissues);
  volumes.row(0) = fromY.row(0) * std::sqrt(4 * std::numbers::pi);
  for (int t = 0; t < kIsotropicTissues; ++t)
    if (!isKnown(responses, t)) volumes.row(t + 1).setZero();

  plan.projection = byRows(fromY.transpose() * weighted.transpose());
  plan.constant = byRows(fromY.transpose() * atRest * unweighted);
  plan.predict = byRows(weighted * fromY);
  plan.harmonics = byRows(fromY.topRows(entries));
  plan.volumes = byRows(volumes);
  plan.fiberSignal = byRows(weighted.leftCols(entries));
  Eigen::MatrixXd isotropic(n, 0);
  for (int t = 0; t < kIsotropicTissues; ++t) {
    if (!isKnown(responses, t)) continue;
    plan.isotropicUnweighted.push_back(atRest[entries + t]);
    isotropic.conservativeResize(Eigen::NoChange, isotropic.cols() + 1);
    isotropic.rightCols(1) = weighted.col(entries + t) / atRest[entries + t];
  }
  plan.isotropicSignal = byRows(isotropic);
  plan.constraints = byRows<double>(rows, csdStride(unknowns));
  return plan;
}

std::int64_t solveTissues(const TissuePlan& plan, int count, float* unknowns) {
  return withOrder(plan.order, [&](auto order) {
    constexpr int size = tissueUnknowns(order);
    const auto constants = std::make_unique<TissueConstants<size>>(plan);
    const auto voxel = std::make_unique<TissueLanesVoxel<size>>(*constants);
    std::int64_t steps = 0;
    for (int i = 0; i < count; ++i) {
      float* y = unknowns + std::ptrdiff_t(i) * size;
      voxel->start(y);
      steps += solveTissueVoxel(*voxel);
      for (int j = 0; j < size; ++j) y[j] = float(double(y[j]) - voxel->left()[j]);
    }
    return steps;
  });
}

Eigen::MatrixXf unconstrainedTissues(const TissuePlan& plan, const Eigen::MatrixXf& ratios) {
  const int unknowns = tissueUnknowns(plan.order);
  return (matrixByRows(plan.projection, unknowns) * ratios).colwise() +
         Eigen::Map<const Eigen::VectorXf>(plan.constant.data(), unknowns);
}

Eigen::MatrixXf deconvolveTissues(const TissuePlan& plan, const Eigen::MatrixXf& ratios) {
  Eigen::MatrixXf y = unconstrainedTissues(plan, ratios);
  solveTissues(plan, int(y.cols()), y.data());
  return y;
}

}  // namespace sulcus::fibers
