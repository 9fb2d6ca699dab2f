#include "core/fibers/response.h"

#include "core/base/error.h"
#include "core/base/parallel_for.h"
#include "core/base/sentence.h"
#include "core/fibers/models.h"
#include "core/math/linear_algebra.h"
#include "core/math/statistics.h"

#include <algorithm>
#include <cmath>

namespace sulcus::fibers {
namespace {

constexpr std::int64_t kResponseVoxels = 300;  // largest number of voxels that are used
constexpr std::int64_t kBlock = 256;           // voxels; a few milliseconds of work

/// Fractional anisotropy of a tensor given as xx, xy, xz, yy, yz, zz; 0 where it is not positive definite.
float positiveFractionalAnisotropy(const Eigen::Ref<const Eigen::VectorXf>& d) {
  const float minor = d[0] * d[3] - d[1] * d[1];
  const float determinant = d[0] * (d[3] * d[5] - d[4] * d[4]) - d[1] * (d[1] * d[5] - d[4] * d[2]) +
                            d[2] * (d[1] * d[4] - d[3] * d[2]);
  if (!(d[0] > 0 && minor > 0 && determinant > 0)) return 0;
  const float mean = (d[0] + d[3] + d[5]) / 3, offDiagonal = d[1] * d[1] + d[2] * d[2] + d[4] * d[4];
  const float square = d[0] * d[0] + d[3] * d[3] + d[5] * d[5] + 2 * offDiagonal;
  return std::sqrt(std::max(0.0f, 1.5f * (square - 3 * mean * mean) / square));
}

}  // namespace

FiberResponse estimateResponse(const Series<float>& dwi, const FiberPlan& plan,
                               const std::vector<float>& signal, std::span<const Vec3<double>> directions,
                               const Progress& progress) {
  const auto count = std::int64_t(plan.voxels.size());
  const Eigen::MatrixXf fit = [&] {
    const auto model = linearModel(FiberModel::adc, 2, directions);
    return Eigen::MatrixXf((model.tensorFromCoefficients * model.fit).cast<float>());
  }();
  const auto tensors = [&](std::span<const std::int64_t> voxels, Eigen::MatrixXf& ratios) {
    ratios = signalRatios(dwi, plan.unweighted, plan.weighted, voxels);
    Eigen::MatrixXf t = ratios;
    for (Eigen::Index i = 0; i < t.rows(); ++i)
      for (Eigen::Index j = 0; j < t.cols(); ++j)
        t(i, j) = transformRatio(SignalTransform::adc, t(i, j), plan.bValues[std::size_t(i)]);
    return Eigen::MatrixXf(fit * t);
  };

  std::vector<float> unweighted;
  unweighted.reserve(plan.voxels.size());
  for (const auto voxel : plan.voxels) unweighted.push_back(signal[std::size_t(voxel)]);
  const float leastSignal = unweighted.empty() ? 0 : 0.5f * lowerQuantile(std::span(unweighted), 0.5);
  std::vector<float> anisotropy(std::size_t(count), 0.0f);
  parallelForBlocks(count, kBlock, progress.part(0, 0.9, {}), [&](std::int64_t begin, std::int64_t end) {
    Eigen::MatrixXf ratios;
    const Eigen::MatrixXf d = tensors(std::span(plan.voxels).subspan(begin, end - begin), ratios);
    for (std::int64_t i = begin; i < end; ++i)
      if (signal[plan.voxels[i]] >= leastSignal)
        anisotropy[i] = positiveFractionalAnisotropy(d.col(i - begin));
  });

  std::vector<std::int64_t> order;
  for (std::int64_t i = 0; i < count; ++i)
    if (anisotropy[i] > 0) order.push_back(i);
  if (order.empty())
    throw Error("No voxel has a diffusion tensor with positive eigenvalues",
                "csd takes the signal of a single fiber from the most anisotropic ones",
                "check the gradients and the mask, or take another model");
  const auto candidates = std::int64_t(order.size());
  const auto taken = std::min(candidates, std::clamp<std::int64_t>(candidates / 10, 10, kResponseVoxels));
  std::partial_sort(order.begin(), order.begin() + taken, order.end(), [&](std::int64_t a, std::int64_t b) {
    return anisotropy[a] != anisotropy[b] ? anisotropy[a] > anisotropy[b] : a < b;
  });

  std::vector<ResponseSample> samples;
  samples.reserve(std::size_t(taken));
  for (std::int64_t i = 0; i < taken; ++i) {
    Eigen::MatrixXf ratios;
    const Eigen::VectorXd d = tensors(std::span(&plan.voxels[order[i]], 1), ratios).cast<double>();
    const Eigen::Matrix3d matrix =
        (Eigen::Matrix3d() << d[0], d[1], d[2], d[1], d[3], d[4], d[2], d[4], d[5]).finished();
    const Eigen::Vector3d axis = symmetricEigen3(matrix).vectors.col(2);
    samples.push_back({{ratios.data(), ratios.data() + ratios.size()}, {axis[0], axis[1], axis[2]}});
  }
  FiberResponse response;
  response.zonal = fitResponse(plan.order, directions, samples, progress.part(0.9, 1, {}));
  std::string terms;
  for (const double r : response.zonal) terms += text(terms.empty() ? "" : ", ", r);
  response.note =
      text("Response of a single fiber (zonal harmonics, S/S0): ", terms, "; from the ", taken,
           " most anisotropic voxels, FA ", anisotropy[order[taken - 1]], "–", anisotropy[order[0]], ".");
  return response;
}

}  // namespace sulcus::fibers
