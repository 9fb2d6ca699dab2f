#include "core/image/diffusion/diffusion_tensor.h"

#include "core/base/error.h"
#include "core/base/parallel/parallel_for.h"
#include "core/base/sanitized.h"
#include "core/math/linear_algebra.h"
#include "core/math/statistics.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <Eigen/Core>

namespace sulcus {
namespace {

constexpr std::int64_t kTensorsPerBlock = 4096;
constexpr std::array kTensorOrders{"fsl", "mrtrix", "ants", "dipy"};
/// Water at body temperature diffuses at 3·10⁻³ mm²/s: a larger median cannot be in mm²/s.
constexpr double kMostDiffusivity = 0.02;

/// Places of xx, xy, xz, yy, yz, zz in each order.
constexpr int kPlaces[4][6] = {
    {0, 1, 2, 3, 4, 5}, {0, 3, 4, 1, 5, 2}, {0, 1, 3, 2, 4, 5}, {0, 1, 3, 2, 4, 5}};

Eigen::Matrix3d matrixAt(const Series<float>& tensor, std::int64_t voxel, const int* places) {
  const auto at = [&](int entry) { return double(tensor.at(voxel, places[entry])); };
  Eigen::Matrix3d m;
  m << at(0), at(1), at(2), at(1), at(3), at(4), at(2), at(4), at(5);
  return m;
}

/// What the maps are computed from: nonnegative eigenvalues, ascending, and the fractional anisotropy.
struct Diffusion {
  Eigen::Vector3d values = Eigen::Vector3d::Zero();
  Eigen::Vector3d principal = Eigen::Vector3d::Zero();
  double anisotropy = 0;
};

Diffusion diffusionAt(const Series<float>& tensor, std::int64_t voxel) {
  const Eigen::Matrix3d m = matrixAt(tensor, voxel, kPlaces[0]);
  if (m.isZero(0) || !m.allFinite()) return {};
  const SymmetricEigen3 eigen = symmetricEigen3(m);
  Diffusion found;
  found.values = eigen.values.cwiseMax(0.0);
  found.principal = eigen.vectors.col(2);
  const double square = found.values.squaredNorm();
  if (square > 0)
    found.anisotropy = std::sqrt(1.5 * (found.values.array() - found.values.mean()).square().sum() / square);
  return found;
}

}  // namespace

TensorOrder tensorOrderFrom(std::string_view name) {
  const auto found = std::find(kTensorOrders.begin(), kTensorOrders.end(), name);
  if (found == kTensorOrders.end())
    throw Error(inQuotes(name, 40) + " is not an order of a tensor's volumes", "it is not known",
                "give fsl, mrtrix, ants or dipy");
  return TensorOrder(found - kTensorOrders.begin());
}

Series<float> diffusionTensor(const Series<float>& image, TensorOrder order) {
  if (image.count != 6)
    throw Error("There are " + std::to_string(image.count) + " volumes", "a diffusion tensor has six",
                "give a tensor image");
  Series<float> tensor(image.grid, 6);
  Eigen::Matrix3d axes = Eigen::Matrix3d::Identity();
  if (order != TensorOrder::mrtrix) {
    const Affine worldFromImage =
        order == TensorOrder::ants ? imageAxes(image.grid) : worldFromFsl(image.grid);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) axes(i, j) = worldFromImage.m[i][j];
  }
  parallelForBlocks(image.grid.voxels(), kTensorsPerBlock, {}, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const Eigen::Matrix3d m = axes * matrixAt(image, i, kPlaces[int(order)]) * axes.transpose();
      if (!m.allFinite()) continue;
      const double entries[] = {m(0, 0), m(0, 1), m(0, 2), m(1, 1), m(1, 2), m(2, 2)};
      for (int e = 0; e < 6; ++e) tensor.at(i, e) = float(entries[e]);
    }
  });
  return tensor;
}

Series<float> principalDirections(const Series<float>& tensor) {
  Series<float> peaks(tensor.grid, 3, std::numeric_limits<float>::quiet_NaN());
  parallelForBlocks(tensor.grid.voxels(), kTensorsPerBlock, {}, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const Diffusion here = diffusionAt(tensor, i);
      if (!(here.anisotropy > 0)) continue;
      for (int c = 0; c < 3; ++c) peaks.at(i, c) = float(here.anisotropy * here.principal[c]);
    }
  });
  return peaks;
}

std::vector<Layer> diffusionMaps(const Series<float>& tensor, const Progress& progress) {
  Series<float> fa(tensor.grid, 1), md(tensor.grid, 1), ad(tensor.grid, 1), rd(tensor.grid, 1);
  parallelForBlocks(tensor.grid.voxels(), kTensorsPerBlock, progress,
                    [&](std::int64_t begin, std::int64_t end) {
                      for (std::int64_t i = begin; i < end; ++i) {
                        const Diffusion here = diffusionAt(tensor, i);
                        fa.at(i, 0) = float(here.anisotropy);
                        md.at(i, 0) = float(here.values.mean());
                        ad.at(i, 0) = float(here.values[2]);
                        rd.at(i, 0) = float((here.values[0] + here.values[1]) / 2);
                      }
                    });
  std::vector<float> means;
  std::copy_if(md.values.begin(), md.values.end(), std::back_inserter(means), [](float v) { return v > 0; });
  const bool inMillimeters = !means.empty() && lowerQuantile(std::span(means), 0.5) < kMostDiffusivity;
  if (inMillimeters)
    for (Series<float>* map : {&md, &ad, &rd})
      for (float& value : map->values) value *= 1000;
  const std::string unit = inMillimeters ? "10⁻³ mm²/s" : "";
  const std::optional<Range> range = inMillimeters ? std::optional(Range{0, 3}) : std::nullopt;
  return {mapLayer("fa", "", "gray", std::move(fa), Range{0, 1}),
          mapLayer("md", unit, "viridis", std::move(md), range),
          mapLayer("ad", unit, "viridis", std::move(ad), range),
          mapLayer("rd", unit, "viridis", std::move(rd), range)};
}

}  // namespace sulcus
