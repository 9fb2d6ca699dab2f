#include "core/activation/results/saved_draws.h"

#include "core/activation/design/contrasts.h"
#include "core/activation/results/activation_maps.h"
#include "core/activation/results/posterior.h"
#include "core/base/error.h"
#include "core/base/parallel/parallel_for.h"
#include "core/base/sentence.h"
#include "core/math/linear_algebra.h"
#include "core/math/statistics.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sulcus::activation {
namespace {

constexpr float kNothing = std::numeric_limits<float>::quiet_NaN();

void checkDraws(const SavedDraws& saved) {
  if (saved.draws.empty() || saved.draws.size() != saved.regressors.size() || saved.draws.front()->count < 2)
    throw Error("There are no saved draws", "each regressor needs a series of two draws or more",
                "make a run with {save-draws}"_message);
  for (const auto& draws : saved.draws)
    if (!sameGrid(draws->grid, saved.draws.front()->grid) || draws->count != saved.draws.front()->count)
      throw Error("The saved draws do not belong together",
                  "they lie on several grids, or there are more of one than of another",
                  "give the folder of one run");
}

/// Summary of the draws of a contrast in a voxel, independent of γ.
struct DrawSummary {
  float mean = kNothing, sd = kNothing, low = kNothing, high = kNothing;
};

/// @param values  the draws; sorted on return
DrawSummary summaryOf(std::vector<float>& values) {
  const auto n = double(values.size());
  double sum = 0, square = 0;
  for (const float value : values) sum += value;
  for (const float value : values) square += (value - sum / n) * (value - sum / n);
  std::sort(values.begin(), values.end());
  const auto quantile = [&](double q) { return lowerQuantile(std::span(values), q); };
  return {float(sum / n), float(std::sqrt(square / (n - 1))), quantile((1 - kInterval) / 2),
          quantile((1 + kInterval) / 2)};
}

/// Draw d of a contrast in a voxel; not finite if the voxel has none.
///
/// @param weights  of the contrast
float drawOf(const SavedDraws& saved, const std::vector<double>& weights, std::int64_t voxel, int d) {
  double value = 0;
  for (std::size_t j = 0; j < saved.draws.size(); ++j)
    if (weights[j] != 0) value += weights[j] * saved.draws[j]->at(voxel, d);
  return float(value);
}

/// The layer hpd_ of a regressor from its means, NaN where there are none.
Layer drawnDensityLayer(const std::string& regressor, const std::string& unit, const Series<float>& means,
                        const Range& range) {
  std::vector<float> known;
  for (const float mean : means.values)
    if (std::isfinite(mean)) known.push_back(mean);
  Series<float> outside = means;
  if (!known.empty()) {
    const Range inside = highestDensity(known, kHighestDensity);
    for (float& mean : outside.values)
      if (mean >= float(inside.low) && mean <= float(inside.high)) mean = kNothing;
  }
  return mapLayer("hpd_" + regressor, unit, "heat-cool", std::move(outside), range);
}

/// The layers of a contrast that do not depend on γ.
std::vector<Layer> summaryLayers(const SavedDraws& saved, const Contrast& contrast,
                                 const Progress& progress) {
  const Grid& grid = saved.draws.front()->grid;
  const int count = saved.draws.front()->count;
  Series<float> mean(grid, 1, kNothing), sd = mean, interval(grid, 2, kNothing);
  parallelFor(grid.voxels(), 256, progress, [&](std::int64_t i) {
    std::vector<float> values;
    for (int d = 0; d < count; ++d) {
      values.push_back(drawOf(saved, contrast.weights, i, d));
      if (!std::isfinite(values.back())) return;
    }
    const DrawSummary s = summaryOf(values);
    mean.at(i, 0) = s.mean;
    sd.at(i, 0) = s.sd;
    interval.at(i, 0) = s.low;
    interval.at(i, 1) = s.high;
  });
  std::vector<Layer> layers;
  const Range range = symmetricRange(mean.values);
  if (std::find(saved.regressors.begin(), saved.regressors.end(), contrast.name) != saved.regressors.end())
    layers.push_back(drawnDensityLayer(contrast.name, saved.unit, mean, range));
  layers.push_back(mapLayer("mean_" + contrast.name, saved.unit, "heat-cool", std::move(mean), range));
  layers.push_back(mapLayer("sd_" + contrast.name, saved.unit, "magma", std::move(sd)));
  layers.push_back(mapLayer("interval_" + contrast.name, saved.unit, "heat-cool", std::move(interval)));
  return layers;
}

/// The layer ppm_ of a contrast.
Layer exceedanceLayer(const SavedDraws& saved, const Contrast& contrast, const ActivationOptions& options) {
  const Grid& grid = saved.draws.front()->grid;
  const int count = saved.draws.front()->count;
  Series<float> above(grid, 1, kNothing);
  parallelFor(grid.voxels(), 256, {}, [&](std::int64_t i) {
    int larger = 0;
    for (int d = 0; d < count; ++d) {
      const float value = drawOf(saved, contrast.weights, i, d);
      if (!std::isfinite(value)) return;
      larger += value > options.gamma;
    }
    above.at(i, 0) = float(double(larger) / count);
  });
  Layer layer =
      mapLayer("ppm_" + contrast.name, text("P(effect > ", options.gamma, ")"), "heat", std::move(above));
  showFrom(layer, options.probability);
  layer.notes.push_back(text("The share of ", count, " saved draws."));
  return layer;
}

/// The layer ppm_ of a joint contrast: the share of the draws that lie nearer to their mean than zero does,
/// in the metric of their covariance.
Layer jointLayer(const SavedDraws& saved, const JointContrast& contrast, const ActivationOptions& options) {
  const Grid& grid = saved.draws.front()->grid;
  const int count = saved.draws.front()->count;
  const Eigen::Index rank = std::ssize(contrast.independent);
  Series<float> nearer(grid, 1, kNothing);
  parallelFor(grid.voxels(), 256, {}, [&](std::int64_t i) {
    Eigen::MatrixXd draws(rank, count);
    for (Eigen::Index r = 0; r < rank; ++r)
      for (int d = 0; d < count; ++d) draws(r, d) = drawOf(saved, contrast.independent[r], i, d);
    if (!draws.allFinite()) return;
    const Eigen::VectorXd mean = draws.rowwise().mean();
    draws.colwise() -= mean;
    const Eigen::MatrixXd covariance = draws * draws.transpose() / (count - 1);
    const Eigen::VectorXd scale = covariance.diagonal().cwiseMax(1e-60).cwiseSqrt().cwiseInverse();
    const Eigen::MatrixXd inverted = solvePositiveDefinite(
        scale.asDiagonal() * covariance * scale.asDiagonal() + 1e-9 * Eigen::MatrixXd::Identity(rank, rank),
        scale.asDiagonal().toDenseMatrix());
    const auto distance = [&](const Eigen::VectorXd& x) {
      return x.dot(scale.asDiagonal() * (inverted * x));
    };
    const double ofZero = distance(mean);
    int fewer = 0;
    for (int d = 0; d < count; ++d) fewer += distance(draws.col(d)) < ofZero;
    nearer.at(i, 0) = float(double(fewer) / count);
  });
  Layer layer = mapLayer("ppm_" + contrast.name, "P(any row differs)", "heat", std::move(nearer));
  showFrom(layer, options.probability);
  layer.notes.push_back(
      text("The share of ", count, " saved draws that lie nearer to their mean than 0 in all rows does."));
  return layer;
}

}  // namespace

std::optional<DeltaColumn> deltaColumn(const std::string& name) {
  const std::string begin = "Δ[";
  const auto comma = name.rfind(", ");
  if (!name.starts_with(begin) || !name.ends_with("]") || comma == std::string::npos) return {};
  return DeltaColumn{name.substr(begin.size(), comma - begin.size()),
                     name.substr(comma + 2, name.size() - comma - 3)};
}

std::vector<std::string> regressorsOfDelta(const std::vector<std::string>& columns) {
  std::vector<std::string> regressors;
  for (const auto& column : columns)
    if (const auto named = deltaColumn(column);
        named && std::find(regressors.begin(), regressors.end(), named->regressor) == regressors.end())
      regressors.push_back(named->regressor);
  if (regressors.empty())
    throw Error("The table names no regressor", "it has no column such as Δ[intercept, visual]",
                "give the folder of an activation run");
  return regressors;
}

std::vector<Layer> savedDrawLayers(const SavedDraws& saved, const ActivationOptions& options,
                                   const Progress& progress) {
  checkDraws(saved);
  const auto contrasts = shownContrasts(options.contrast, saved.regressors);
  const auto maps = (*saved.maps)(options.contrast, [&] {
                      std::vector<std::vector<Layer>> made;
                      for (const Contrast& contrast : contrasts) {
                        const double done = 0.8 * double(made.size()) / double(contrasts.size());
                        const Progress part =
                            progress.part(done, done + 0.8 / double(contrasts.size()), contrast.name);
                        made.push_back(summaryLayers(saved, contrast, part));
                      }
                      return made;
                    }).value;
  std::vector<Layer> layers;
  for (const Contrast& contrast : contrasts) layers.push_back(exceedanceLayer(saved, contrast, options));
  for (const JointContrast& contrast : jointContrasts(options.contrast, saved.regressors))
    layers.push_back(jointLayer(saved, contrast, options));
  for (const auto& ofContrast : maps) layers.insert(layers.end(), ofContrast.begin(), ofContrast.end());
  return layers;
}

}  // namespace sulcus::activation
