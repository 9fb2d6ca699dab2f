#include "core/activation/results/activation_maps.h"

#include "core/activation/design/contrasts.h"
#include "core/activation/design/names.h"
#include "core/activation/results/joint_estimates.h"
#include "core/activation/results/posterior.h"
#include "core/activation/results/shown_voxels.h"
#include "core/activation/sampler/diagnostics.h"
#include "core/base/error.h"
#include "core/base/numbers.h"
#include "core/base/parallel/parallel_for.h"
#include "core/base/sentence.h"
#include "core/math/linear_algebra.h"
#include "core/math/statistics.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <sstream>

namespace sulcus::activation {
namespace {

/// Writes the values of the analyzed voxels (M) to their positions in a volume; other voxels are unchanged.
void scatter(const ActivationResult& result, std::span<const float> values, float* volume) {
  for (std::size_t i = 0; i < values.size(); ++i) volume[result.voxels[i]] = values[i];
}

/// The values of the analyzed voxels (M) as an image that is NaN elsewhere.
Series<float> image(const ActivationResult& result, std::span<const float> values) {
  Series<float> series(result.grid, 1, NAN);
  scatter(result, values, series.values.data());
  return series;
}

/// A map of signed values of the analyzed voxels.
Layer signedLayer(const ActivationResult& result, const std::string& name, const std::string& unit,
                  std::span<const float> values) {
  return mapLayer(name, unit, "heat-cool", image(result, values), symmetricRange(values));
}

/// Hides a map of probabilities completely; written as 1.
constexpr double kAboveAllProbabilities = 1 + 1e-6;

/// The first requested contrast other than the regressors, before its rows if it is a joint one; "": none.
std::string firstAsked(const std::vector<Contrast>& contrasts, const std::vector<JointContrast>& joint,
                       const std::vector<std::string>& regressors) {
  const auto asked = std::ranges::find_if(contrasts, [&](const Contrast& contrast) {
    return std::ranges::find(regressors, contrast.name) == regressors.end();
  });
  if (asked == contrasts.end()) return joint.empty() ? "" : joint.front().name;
  for (const JointContrast& one : joint)
    if (std::ranges::find(one.rows, asked->name, &Contrast::name) != one.rows.end()) return one.name;
  return asked->name;
}

std::vector<std::vector<double>> weightsOf(const std::vector<Contrast>& contrasts) {
  std::vector<std::vector<double>> weights;
  for (const Contrast& contrast : contrasts) weights.push_back(contrast.weights);
  return weights;
}

std::string gammaText(double gamma) {
  std::ostringstream out;
  out << gamma;
  return out.str();
}

/// The layer ppm_ of a contrast.
Layer exceedanceLayer(const ActivationResult& result, const ActivationOptions& options,
                      const ShownVoxels& shown) {
  std::string unit = shown.joint ? "P(any row differs)" : "P(effect > " + gammaText(options.gamma) + ")";
  if (shown.byFalseShare) unit = "1 − local FDR";
  if (shown.byFalseShare && shown.count == 0) unit += text(", none at FDR ", numberText(options.fdr));
  Layer layer = mapLayer("ppm_" + shown.contrast, unit, "heat", image(result, shown.probability));
  showFrom(layer, shown.threshold);
  layer.notes = shown.notes;
  return layer;
}

/// Adds the layers lfdr_ and shown_ of a contrast.
void addShown(const ActivationResult& result, const ShownVoxels& shown, std::vector<Layer>& layers) {
  if (shown.groups) {
    layers.push_back(mapLayer("lfdr_" + shown.contrast, "local FDR", "viridis",
                              image(result, shown.falseShare), Range{0, 1}));
  }
  Mask mask(result.grid);
  for (std::size_t i = 0; i < shown.probability.size(); ++i)
    if (shown.probability[i] >= float(shown.threshold)) mask.values[result.voxels[i]] = 1;
  layers.push_back(maskLayer("shown_" + shown.contrast, mask));
  layers.back().notes = shown.notes;
}

/// Adds the layers mean_, sd_ and interval_ of a contrast.
void addMoments(const ActivationResult& result, const Contrast& contrast, const Progress& progress,
                std::vector<Layer>& layers) {
  const std::string unit = responseUnit(result.response);
  const auto moments = contrastMoments(result, contrast.weights, progress.part(0, 0.4, "Maps"));
  layers.push_back(signedLayer(result, "mean_" + contrast.name, unit, moments.mean));
  layers.push_back(mapLayer("sd_" + contrast.name, unit, "magma", image(result, moments.sd)));
  const auto ends = credibleInterval(result, contrast.weights, kInterval, progress.part(0.4, 1, "Maps"));
  Series<float> both(result.grid, 2, NAN);
  scatter(result, ends.low, both.values.data());
  scatter(result, ends.high, both.values.data() + result.grid.voxels());
  layers.push_back(mapLayer("interval_" + contrast.name, unit, "heat-cool", std::move(both),
                            symmetricRange(moments.mean)));
  std::get<VolumeLayer>(layers.back().content).volumeNames = {"lower end of 90 %", "upper end of 90 %"};
}

// With a noise model, series are whitened and the degrees of freedom differ from voxel to voxel.
const char* seriesText(const ActivationResult& result) { return result.noise ? " of whitened series" : ""; }
const char* medianText(const ActivationResult& result) { return result.noise ? " in the median" : ""; }

/// Adds the layers effect_, variance_, t_ and z_ of a contrast.
void addClassical(const ActivationResult& result, const Contrast& contrast, const Progress& progress,
                  std::vector<Layer>& layers) {
  const auto grouped = groupedEstimates(result, contrast.weights, progress);
  const ContrastEstimates& estimates = grouped->estimates;
  std::vector<float> t(result.voxels.size()), z(t.size()), variance(t.size()), freedom = estimates.freedom;
  for (std::size_t i = 0; i < t.size(); ++i) {
    t[i] = estimates.t(i);
    z[i] = estimates.z(i);
    variance[i] = estimates.error[i] * estimates.error[i];
  }
  const std::string unit = responseUnit(result.response);
  layers.push_back(signedLayer(result, "effect_" + contrast.name, unit, estimates.effect));
  layers.back().notes.emplace_back(
      "Least-squares estimate without shrinkage by the prior: with variance_, the input for group "
      "statistics.");
  layers.push_back(
      mapLayer("variance_" + contrast.name, "(" + unit + ")²", "magma", image(result, variance)));
  layers.push_back(signedLayer(result, "t_" + contrast.name, "", t));
  layers.back().notes.push_back(text("Least squares", seriesText(result), ", ",
                                     upperMedian(std::span(freedom)), " degrees of freedom",
                                     medianText(result), "."));
  layers.push_back(signedLayer(result, "z_" + contrast.name, "", z));
}

/// Adds the layers f_ and z_ of a joint contrast.
void addJoint(const ActivationResult& result, const JointContrast& contrast, const Progress& progress,
              std::vector<Layer>& layers) {
  const auto grouped = groupedJoint(result, contrast, progress);
  const JointEstimates& estimates = grouped->estimates;
  std::vector<float> z(estimates.f.size()), freedom = estimates.freedom;
  parallelFor(std::ssize(z), progress, [&](std::int64_t i) { z[i] = estimates.z(std::size_t(i)); });
  const auto from0 = [](std::span<const float> values) {
    return Range{0, std::max(automaticRange(values).high, 1.0)};
  };
  layers.push_back(
      mapLayer("f_" + contrast.name, "F", "heat", image(result, estimates.f), from0(estimates.f)));
  std::vector<std::string> rows;
  for (const Contrast& row : contrast.rows) rows.push_back(row.name);
  std::string note = text("F(", estimates.rank, ", ", upperMedian(std::span(freedom)), ")",
                          medianText(result), ": least squares", seriesText(result),
                          ", whether any of the rows ", listed(rows), " differs from 0.");
  if (contrast.independent.size() < rows.size())
    note += text(" Of ", rows.size(), " rows ", estimates.rank, " are independent.");
  layers.back().notes.push_back(std::move(note));
  layers.push_back(mapLayer("z_" + contrast.name, "", "heat", image(result, z), from0(z)));
  layers.back().notes.push_back(
      "The normal deviate with the upper tail of F; 0 where that is more than a half. It has no sign.");
}

/// The layer norm_ of a trial type whose response has derivatives.
Layer normLayer(const ActivationResult& result, const std::vector<int>& response) {
  const Eigen::Index parts = std::ssize(response);
  Eigen::MatrixXd columns = columnsOf(result.design.matrix, response);
  columns.rowwise() -= columns.colwise().mean().eval();
  const Eigen::MatrixXd products = columns.transpose() * columns;
  std::vector<float> norm(result.voxels.size());
  Eigen::VectorXd beta(parts);
  for (std::size_t i = 0; i < norm.size(); ++i) {
    for (Eigen::Index j = 0; j < parts; ++j)
      beta(j) = result.mean[std::size_t(response[j]) * norm.size() + i];
    norm[i] = float(std::copysign(std::sqrt(beta.dot(products * beta) / products(0, 0)), beta(0)));
  }
  return signedLayer(result, "norm_" + result.design.names[response[0]], responseUnit(result.response), norm);
}

/// The layer hpd_ of a regressor, the map of Ferreira da Silva (2010).
Layer highestDensityLayer(const ActivationResult& result, std::size_t regressor) {
  const auto means = std::span(result.mean).subspan(regressor * result.voxels.size(), result.voxels.size());
  const Range inside = highestDensity(means, kHighestDensity);
  std::vector<float> outside(means.begin(), means.end());
  for (float& mean : outside)
    if (mean >= float(inside.low) && mean <= float(inside.high)) mean = NAN;
  Layer layer = mapLayer("hpd_" + result.design.names[regressor], responseUnit(result.response), "heat-cool",
                         image(result, outside), symmetricRange(means));
  layer.notes.push_back(
      text("Posterior means outside ", inside.low, " … ", inside.high,
           ", the 95 % highest-density interval of the means of all voxels: the map of Ferreira da Silva "
           "(2010). It is not a probability: 5 % of the voxels are always shown."));
  return layer;
}

/// A table of the kept draws of Δ or V_β, one row for each draw.
///
/// @param names   names of the columns
/// @param draws   GibbsResult::delta or ::vBeta, `size` values a draw
/// @param values  the values of a draw that become columns
Layer drawTable(const ActivationResult& result, std::string name, const std::vector<std::string>& names,
                const std::vector<double>& draws, std::span<const int> values, int size) {
  TableLayer table;
  table.columns = {"group", "chain", "draw"};
  table.columns.insert(table.columns.end(), names.begin(), names.end());
  const int kept = result.sampling.kept(), groups = int(result.groupNames.size());
  for (int group = 0; group < groups; ++group)
    for (int chain = 0; chain < result.sampling.chains; ++chain)
      for (int draw = 0; draw < kept; ++draw) {
        const double* from = draws.data() + ((std::size_t(chain) * groups + group) * kept + draw) * size;
        auto& row = table.rows.emplace_back(
            std::vector{result.groupNames[group], std::to_string(chain + 1), std::to_string(draw + 1)});
        for (const int value : values) row.push_back(nineDigits(from[value]));
      }
  return tableLayer(std::move(name), std::move(table));
}

void addTables(const ActivationResult& result, std::vector<Layer>& layers) {
  const int k = result.regressors(), q = int(result.covariateNames.size());
  std::vector<int> all(q * k), lower;
  std::iota(all.begin(), all.end(), 0);
  for (int i = 0; i < k; ++i)
    for (int j = 0; j <= i; ++j) lower.push_back(i * k + j);
  layers.push_back(drawTable(result, "delta", deltaNames(result), result.samples->delta, all, q * k));
  layers.push_back(drawTable(result, "vbeta", vBetaNames(result), result.samples->vBeta, lower, k * k));
}

/// Adds the layers draws_: every kept draw of every coefficient.
void addDraws(const ActivationResult& result, const Progress& progress, std::vector<Layer>& layers) {
  const GibbsOptions& sampling = result.sampling;
  const int k = result.regressors(), kept = sampling.kept(), volumes = kept * sampling.chains;
  drawBytes(k, sampling, result.grid);
  std::vector<Series<float>> series(k, Series<float>(result.grid, volumes, NAN));
  parallelFor(result.count(), 16, progress, [&](std::int64_t i) {
    const auto draws = replayVoxel(*result.problem, sampling, *result.samples, i);
    for (int chain = 0; chain < sampling.chains; ++chain)
      for (int draw = 0; draw < kept; ++draw) {
        const int iteration = sampling.burnIn + (draw + 1) * sampling.thinning - 1;
        const float* from = draws.data() + (std::size_t(chain) * sampling.draws + iteration) * (k + 1);
        for (int j = 0; j < k; ++j) series[j].at(result.voxels[i], chain * kept + draw) = from[j];
      }
  });
  for (int j = 0; j < k; ++j)
    layers.push_back(mapLayer("draws_" + result.design.names[j], responseUnit(result.response), "heat-cool",
                              std::move(series[j])));
}

}  // namespace

void showFrom(Layer& probability, double threshold) {
  const bool any = threshold <= 1;
  probability.display.hideBelow = any ? threshold : kAboveAllProbabilities;
  probability.display.range = Range{any ? std::min(threshold, 0.99) : 0, 1};
}

double drawBytes(int regressors, const GibbsOptions& sampling, const Grid& grid) {
  const double bytes = 4.0 * regressors * sampling.kept() * sampling.chains * double(grid.voxels());
  if (bytes > kMostDrawBytes)
    throw Error(text("All draws would need ", bytes / 1e9, " GB"),
                text("at most ", kMostDrawBytes / 1e9, " are kept"),
                "crop the series, or keep fewer draws with a larger thinning", ErrorKind::unavailable);
  return bytes;
}

std::vector<Layer> contrastLayers(const ActivationResult& result, const ActivationOptions& options,
                                  const Progress& progress) {
  const auto contrasts = shownContrasts(options.contrast, Regressors(result.design));
  std::vector<Layer> layers;
  layers.reserve(contrasts.size());
  groupContrasts(result, contrasts);
  shapeContrasts(result, weightsOf(contrasts), progress);
  std::vector<ShownVoxels> shown;
  for (const auto& contrast : contrasts) {
    shown.push_back(shownVoxels(result, contrast, options, progress));
    layers.push_back(exceedanceLayer(result, options, shown.back()));
  }
  const auto joint = jointContrasts(options.contrast, Regressors(result.design));
  for (const auto& contrast : joint) {
    shown.push_back(shownVoxels(result, contrast, options, progress));
    layers.push_back(exceedanceLayer(result, options, shown.back()));
  }
  const std::string asked = firstAsked(contrasts, joint, result.design.names);
  for (std::size_t i = 0; i < shown.size(); ++i)
    layers[i].display.visible = asked.empty() ? i == 0 : shown[i].contrast == asked;
  for (const auto& one : shown) addShown(result, one, layers);
  layers.push_back(shownTable(shown, options));
  for (const auto& contrast : contrasts)
    if (std::find(result.design.names.begin(), result.design.names.end(), contrast.name) ==
        result.design.names.end()) {
      addMoments(result, contrast, progress, layers);
      addClassical(result, contrast, progress, layers);
    }
  for (const auto& contrast : joint) addJoint(result, contrast, progress, layers);
  return layers;
}

std::vector<Layer> activationLayers(const ActivationResult& result, const ActivationOptions& options,
                                    const Progress& progress) {
  const auto ofRegressors = allContrasts("", result.design.names);
  auto weights = weightsOf(shownContrasts(options.contrast, Regressors(result.design)));
  for (auto& one : weightsOf(ofRegressors)) weights.push_back(std::move(one));
  shapeContrasts(result, weights, progress.part(0, 0.1, "Maps"));
  std::vector<Layer> layers = contrastLayers(result, options, progress.part(0.1, 0.2, "Maps"));
  for (const auto& contrast : ofRegressors) {
    addMoments(result, contrast, progress.part(0.2, 0.4, "Maps"), layers);
    addClassical(result, contrast, progress.part(0.2, 0.4, "Maps"), layers);
  }
  for (std::size_t j = 0; j < result.design.names.size(); ++j)
    layers.push_back(highestDensityLayer(result, j));

  for (const auto& response : result.design.responses) layers.push_back(normLayer(result, response));

  const GibbsMoments& moments = result.samples->moments;
  const std::string unit = responseUnit(result.response);
  layers.push_back(
      mapLayer("sigma2", unit.empty() ? "" : unit + "²", "magma", image(result, moments.sigma2Mean)));
  if (!result.samples->delta.empty()) {
    layers.push_back(mapLayer("rhat", "", "magma", image(result, largestRhat(result)), Range{1, 1.05}));
    layers.push_back(mapLayer("ess", "draws", "viridis", image(result, smallestEss(result))));
    addTables(result, layers);
    if (options.saveDraws) addDraws(result, progress.part(0.4, 1, "Draws of every voxel"), layers);
  }

  Mask mask(result.grid);
  for (const auto voxel : result.voxels) mask.values[voxel] = 1;
  layers.push_back(maskLayer("mask", mask));
  return layers;
}

}  // namespace sulcus::activation
