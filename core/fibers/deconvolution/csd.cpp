#include "core/fibers/deconvolution/csd.h"

#include "core/fibers/deconvolution/csd_lanes.h"
#include "core/fibers/deconvolution/matrix_rows.h"
#include "core/fibers/peaks/starts.h"
#include "core/image/diffusion/spherical_harmonics.h"
#include "core/math/linear_algebra.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <memory>
#include <numbers>

namespace sulcus::fibers {
namespace {

// Relative to the response, so that they do not depend on the scale of the signal.
constexpr double kNonNegativity = 50.0;  // b_r = this · r_0 / kCsdDirections · harmonics
constexpr double kMinimumNorm = 2e-4;    // ε² relative to the first element of AᵀA
constexpr int kStartOrder = 4;           // order of the linear fit
// The likelihood of negative amplitudes is determined by their spread, that of the misfit by the noise, so
// the weight of the constraint is noise over spread. For orders above 8, truncation causes hardly any
// negative amplitudes, so their spread is known; a lower order causes its own, which grow with the signal and
// not with the noise.
constexpr int kLowOrder = 8;
constexpr double kNoiseOfNonNegativity = 0.02;  // up to this noise the weight is kNonNegativity

/// √(4π/(2l+1)) r_l for every harmonic (U values): the factors of a convolution with the response.
Eigen::VectorXd convolution(int order, const std::vector<double>& response) {
  return perDegree(order,
                   [&](int l) { return std::sqrt(4 * std::numbers::pi / (2 * l + 1)) * response[l / 2]; });
}

}  // namespace

CsdPlan planCsd(int order, const std::vector<double>& response, std::span<const Vec3<double>> directions,
                double noise) {
  const int entries = tensorEntries(order), stride = csdStride(entries);
  const Eigen::MatrixXd convolve = shMatrix(order, directions) * convolution(order, response).asDiagonal();
  Eigen::MatrixXd normal = convolve.transpose() * convolve;
  normal.diagonal().array() += kMinimumNorm * normal(0, 0);
  static const auto constraintDirections = evenDirections(kCsdDirections);  // cached, since it takes some ms
  const double weight =
      kNonNegativity * (order > kLowOrder ? std::max(1.0, noise / kNoiseOfNonNegativity) : 1);
  const Eigen::MatrixXd constraints =
      weight * response[0] / kCsdDirections * shMatrix(order, constraintDirections);

  const int startEntries = tensorEntries(std::min(order, kStartOrder));
  Eigen::MatrixXd start = Eigen::MatrixXd::Zero(entries, std::ssize(directions));
  start.topRows(startEntries) =
      solvePositiveDefinite(normal.topLeftCorner(startEntries, startEntries),
                            Eigen::MatrixXd(convolve.leftCols(startEntries).transpose()));

  CsdPlan plan;
  plan.order = order;
  plan.response = response;
  plan.projection = byRows(convolve.transpose(), int(directions.size()));
  plan.predict = byRows(convolve, entries);
  plan.start = byRows(start, int(directions.size()));
  plan.normal = byRows(normal, stride);
  plan.normalAll = byRows(normal + constraints.transpose() * constraints, stride);
  plan.constraints = byRows(constraints, stride);
  plan.constraintsTransposed = byRows(constraints.transpose(), kCsdPaddedRows);
  return plan;
}

std::int64_t solveCsd(const CsdPlan& plan, int count, const float* right, float* fibers) {
  return withOrder(plan.order, [&](auto order) {
    constexpr int entries = tensorEntries(order), stride = csdStride(entries);
    const auto constants = std::make_unique<CsdConstants<entries>>(plan);
    std::int64_t steps = 0;
    for (int i = 0; i < count; ++i) {
      CsdLanesVoxel<entries> voxel(*constants, right + i * stride, fibers + i * stride);
      steps += solveCsd(voxel);
    }
    return steps;
  });
}

std::vector<double> fitResponse(int order, std::span<const Vec3<double>> directions,
                                std::span<const ResponseSample> samples, const Progress& progress) {
  const int terms = order / 2 + 1;
  Eigen::MatrixXd normal = Eigen::MatrixXd::Zero(terms, terms);
  Eigen::VectorXd right = Eigen::VectorXd::Zero(terms);
  Eigen::VectorXd zonal(terms);
  for (std::size_t s = 0; s < samples.size(); ++s) {
    const auto& sample = samples[s];
    for (std::size_t i = 0; i < directions.size(); ++i) {
      const double z = dot(directions[i], sample.axis);  // z of the gradient, with the fiber along z
      for (int l = 0; l <= order; l += 2) zonal[l / 2] = zonalHarmonic(l, z);
      normal += zonal * zonal.transpose();
      right += double(sample.ratios[i]) * zonal;
    }
    progress.update(double(s + 1) / double(samples.size()));
  }
  const Eigen::VectorXd response = solvePositiveDefinite(normal, right);
  return {response.data(), response.data() + terms};
}

}  // namespace sulcus::fibers
