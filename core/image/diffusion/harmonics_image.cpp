#include "core/image/diffusion/harmonics_image.h"

#include "core/base/error.h"
#include "core/base/parallel/parallel_for.h"
#include "core/image/diffusion/spherical_harmonics.h"

#include <cmath>
#include <utility>

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
