#include "core/activation/results/activation_charts.h"
#include "core/activation/results/posterior.h"
#include "tests/bench/papers/ferreira_papers.h"

#include <algorithm>
#include <cmath>

namespace sulcus::bench {

namespace {

/// The gray value of a voxel in a slice: its tissue, with white matter brightest, or its first scan.
double anatomyOf(const PaperScan& scan, std::int64_t voxel) {
  if (!scan.input.tissue) return std::abs(double(scan.input.bold->at(voxel, 0)));
  return 0.5 * scan.input.tissue->at(voxel, 1) + scan.input.tissue->at(voxel, 2);
}

}  // namespace

std::vector<float> posteriorMeans(const activation::ActivationResult& result, std::size_t regressor) {
  const auto m = std::size_t(result.count());
  const auto from = result.mean.begin() + std::ptrdiff_t(regressor * m);
  return {from, from + std::ptrdiff_t(m)};
}

std::vector<float> effectProbabilities(const activation::ActivationResult& result, std::size_t regressor) {
  std::vector<double> weights(std::size_t(result.regressors()), 0.0);
  weights[regressor] = 1;
  return activation::exceedance(result, weights, 0);
}

io::Picture pictureOfSlice(const PaperScan& scan, const activation::ActivationResult& result,
                           const std::vector<float>& values, const std::vector<bool>& shown, double low,
                           double high) {
  const Grid& grid = result.grid;
  constexpr int scale = 4;
  const int z = scan.options.slice - 1;
  io::Picture picture{grid.size.x * scale, grid.size.y * scale, {}};
  picture.rgb.assign(std::size_t(3) * std::size_t(picture.width) * std::size_t(picture.height), 0);
  double brightest = 1e-9;
  for (const auto voxel : result.voxels) brightest = std::max(brightest, anatomyOf(scan, voxel));
  const auto paint = [&](std::int64_t voxel, std::uint8_t r, std::uint8_t g, std::uint8_t b) {
    const Vec3<int> at = grid.voxel(voxel);
    for (int y = 0; y < scale; ++y)
      for (int x = 0; x < scale; ++x) {
        const std::size_t pixel =
            std::size_t((grid.size.y - 1 - at.y) * scale + y) * std::size_t(picture.width) +
            std::size_t(at.x * scale + x);
        picture.rgb[3 * pixel] = r, picture.rgb[3 * pixel + 1] = g, picture.rgb[3 * pixel + 2] = b;
      }
  };
  for (std::size_t v = 0; v < result.voxels.size(); ++v) {
    if (grid.voxel(result.voxels[v]).z != z) continue;
    const double gray = 40 + 120 * anatomyOf(scan, result.voxels[v]) / brightest;
    const double heat = std::clamp((values[v] - low) / (high - low), 0.0, 1.0);
    if (shown[v])
      paint(result.voxels[v], std::uint8_t(150 + 105 * heat), std::uint8_t(235 * heat),
            std::uint8_t(150 * std::max(0.0, 2 * heat - 1)));
    else
      paint(result.voxels[v], std::uint8_t(gray), std::uint8_t(gray), std::uint8_t(gray));
  }
  return picture;
}

ExhibitPicture packageMap(const PaperScan& scan, const activation::ActivationResult& result,
                          std::size_t regressor, const std::string& caption) {
  const auto means = posteriorMeans(result, regressor);
  const Range inside = activation::highestDensity(means, 0.95);
  std::vector<bool> shown;
  for (const float mean : means) shown.push_back(mean > inside.high);
  return {caption, pictureOfSlice(scan, result, means, shown, inside.high,
                                  *std::max_element(means.begin(), means.end()))};
}

ExhibitPicture probabilityMap(const PaperScan& scan, const activation::ActivationResult& result,
                              std::size_t regressor, const std::string& caption) {
  const auto p = effectProbabilities(result, regressor);
  std::vector<bool> shown;
  for (const float value : p) shown.push_back(value >= 0.95f);
  return {caption, pictureOfSlice(scan, result, p, shown, 0.95, 1)};
}

Chart chartNamed(const ActivationResultPtr& result, const std::string& name, const Vec3<double>& at) {
  for (const auto& plot : activation::activationPlots(result))
    if (plot.name == name) return plot.make(at);
  return {};
}

std::string standInRemark(const PaperScan& scan) {
  return scan.real
             ? ""
             : " The scan is not on this machine: a phantom stands in, so published numbers do not apply.";
}

}  // namespace sulcus::bench
