#include "core/image/diffusion/harmonics_image.h"

#include "core/base/error.h"
#include "core/base/parallel/parallel_for.h"
#include "core/image/diffusion/spherical_harmonics.h"
#include "core/math/strided_sample.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace sulcus {
namespace {

constexpr std::int64_t kBlock = 256;  // voxels

/// Multiplies the values of each voxel by the matrix.
Series<float> multiplied(const Series<float>& image, const Eigen::MatrixXf& matrix) {
  Series<float> product(image.grid, image.count);
  parallelForBlocks(image.grid.voxels(), kBlock, Progress(), [&](std::int64_t begin, std::int64_t end) {
    Eigen::MatrixXf values(image.count, end - begin);
    for (int v = 0; v < image.count; ++v)
      for (std::int64_t i = begin; i < end; ++i) values(v, i - begin) = image.at(i, v);
    for (Eigen::Index i = 0; i < values.cols(); ++i)
      if (!values.col(i).allFinite()) values.col(i).setZero();
    values = matrix * values;
    for (int v = 0; v < image.count; ++v)
      for (std::int64_t i = begin; i < end; ++i) product.at(i, v) = values(v, i - begin);
  });
  return product;
}

int orderOf(const Series<float>& image) {
  const int order = shOrder(image.count);
  if (order < 2)
    throw Error("An image of " + std::to_string(image.count) + " volumes cannot be taken as functions",
                "spherical harmonics of even degree are 6, 15, 28, 45, 66 or 91",
                "choose an image of such coefficients");
  return order;
}

}  // namespace

Series<float> functionsOf(const Series<float>& harmonics) {
  return multiplied(harmonics, tensorFromSh(orderOf(harmonics)).cast<float>());
}

Series<float> harmonicsOf(const Series<float>& functions) {
  return multiplied(functions, shFromTensor(orderOf(functions)).cast<float>());
}

bool mayBeHarmonics(int volumes) { return shOrder(volumes) >= 2; }

bool looksLikeHarmonics(const Series<float>& image) {
  constexpr std::int64_t kVoxels = 20'000;
  constexpr double kPositive = 0.9, kOtherSign = 0.1;
  if (!mayBeHarmonics(image.count)) return false;
  std::int64_t counted = 0, positive = 0, others = 0, negative = 0;
  double mean = 0;
  std::vector<double> sizes(image.count, 0);
  forStridedSample(image.grid.voxels(), kVoxels, [&](std::int64_t voxel) {
    const float first = image.at(voxel, 0);
    if (!std::isfinite(first) || first == 0) return;
    ++counted;
    positive += first > 0;
    mean += std::abs(double(first));
    for (int v = 1; v < image.count; ++v) {
      const float value = image.at(voxel, v);
      others += value != 0;
      negative += value < 0;
      if (std::isfinite(value)) sizes[v] += std::abs(double(value));
    }
  });
  if (counted == 0 || double(positive) < kPositive * double(counted)) return false;
  const double share = others > 0 ? double(negative) / double(others) : 0;
  return share > kOtherSign && share < 1 - kOtherSign &&
         std::ranges::all_of(sizes, [&](double size) { return size <= mean; });
}

Layer functionLayer(std::string name, std::shared_ptr<const Series<float>> functions) {
  Layer layer;
  layer.name = std::move(name);
  layer.content = PeaksLayer{std::make_shared<const Series<float>>(functions->grid, 0), std::move(functions)};
  return layer;
}

bool hasFunctions(const Layer& layer) {
  const auto* peaks = std::get_if<PeaksLayer>(&layer.content);
  return peaks && peaks->tensor;
}

bool isFunctionAlone(const Layer& layer) {
  return hasFunctions(layer) && std::get<PeaksLayer>(layer.content).peaks->count == 0;
}

}  // namespace sulcus
