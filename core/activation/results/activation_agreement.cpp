#include "core/activation/results/activation_agreement.h"

#include "core/activation/model/least_squares.h"
#include "core/activation/results/contrast_estimates.h"
#include "core/activation/results/posterior.h"
#include "core/activation/sampler/diagnostics.h"
#include "core/analysis/agreement.h"
#include "core/base/error.h"
#include "core/base/sentence.h"
#include "core/image/display/layer_kinds.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace sulcus::activation {
namespace {

constexpr double kShareNeeded = 0.999;      // share of the values that must lie within kMonteCarloErrors
constexpr double kSameSideNeeded = 0.98;    // share of the voxels; some lie close to the threshold
constexpr double kTruthErrors = 3;          // tolerated distance from the truth, in posterior s.d.
constexpr double kTruthShareNeeded = 0.97;  // share of the voxels within it; for a normal distribution 0.997
constexpr double kCoverageNeeded = 0.88;    // of the credible intervals
constexpr double kSameZ = 1;                // s.d. between least squares and the posterior
constexpr std::int64_t kVoxelsPerUpdate = 4096;  // voxels between two checks of Progress

/// The voxels in both results, as pairs of their indices 0 … M − 1 in each.
std::vector<std::pair<std::size_t, std::size_t>> commonVoxels(const ActivationResult& a,
                                                              const ActivationResult& b) {
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  for (std::size_t i = 0, j = 0; i < a.voxels.size() && j < b.voxels.size();) {
    if (a.voxels[i] == b.voxels[j]) pairs.emplace_back(i, j);
    const bool first = a.voxels[i] <= b.voxels[j], second = b.voxels[j] <= a.voxels[i];
    i += first;
    j += second;
  }
  return pairs;
}

double keptDraws(const ActivationResult& result) {
  return double(result.sampling.kept()) * result.sampling.chains;
}

/// Squared Monte Carlo error of a mean over draws, 0 if the draws never varied.
double squaredError(double variance, double ess) { return ess > 0 ? variance / ess : 0; }

/// |difference| in units of the error whose square is given; 0 if both are 0.
double inMonteCarloErrors(double difference, double squared) {
  if (difference == 0) return 0;
  return squared > 0 ? std::abs(difference) / std::sqrt(squared) : kMonteCarloErrors * 1e3;
}

std::vector<double> unitContrast(int k, int j) {
  std::vector<double> c(std::size_t(k), 0.0);
  c[std::size_t(j)] = 1;
  return c;
}

/// Compares the posterior means of the hyper-parameters that have the same name and group.
AgreementRow hyperRow(const ActivationResult& a, const ActivationResult& b) {
  const auto first = diagnose(a).hyper, second = diagnose(b).hyper;
  std::vector<double> differences;
  for (const auto& x : first)
    for (const auto& y : second)
      if (x.name == y.name && x.group == y.group)
        differences.push_back(inMonteCarloErrors(
            x.mean - y.mean,
            squaredError(x.sd * x.sd, x.convergence.ess) + squaredError(y.sd * y.sd, y.convergence.ess)));
  return summarized("Δ and V_β", "Monte Carlo errors", std::move(differences), 0, kMonteCarloErrors,
                    kShareNeeded);
}

void checkSame(const ActivationResult& a, const ActivationResult& b) {
  requireComparable(a.grid, b.grid, "the same scan");
  if (a.design.names != b.design.names || a.response != b.response)
    throw Error("The two results have different regressors or responses",
                "their coefficients do not correspond", "compare results of the same design and response");
}

double numberInCell(const std::string& cell) {
  double value = NAN;
  std::from_chars(cell.data(), cell.data() + cell.size(), value);
  return value;
}

Eigen::MatrixXd matrixOf(const TableLayer& table) {
  Eigen::MatrixXd matrix(Eigen::Index(table.rows.size()), Eigen::Index(table.columns.size()) - 1);
  for (Eigen::Index i = 0; i < matrix.rows(); ++i)
    for (Eigen::Index j = 0; j < matrix.cols(); ++j)
      matrix(i, j) = numberInCell(table.rows[std::size_t(i)].at(std::size_t(j) + 1));
  return matrix;
}

/// Adds rows with the errors of Δ and of the lower triangle of V_β in posterior s.d. Only for a single group
/// and the raw response, because the truth is known in that unit.
void addHyperTruth(const ActivationResult& result, const ActivationTruth& truth,
                   std::vector<AgreementRow>& rows) {
  const int k = result.regressors(), q = int(result.covariateNames.size());
  if (result.response != Response::raw || result.groupNames.size() != 1) return;
  const auto hyper = diagnose(result).hyper;
  const auto error = [&](std::size_t at, double value) {
    return std::abs(hyper[at].mean - value) / hyper[at].sd;
  };
  if (truth.delta.rows() == q && truth.delta.cols() == k) {
    std::vector<double> errors;
    for (int j = 0; j < k; ++j)
      for (int c = 0; c < q; ++c)
        errors.push_back(error(std::size_t(j) * std::size_t(q) + std::size_t(c), truth.delta(c, j)));
    rows.push_back(summarized("Δ: error", "s.d.", std::move(errors), 0, kTruthErrors, 0.9));
  }
  if (truth.vBeta.rows() == k && truth.vBeta.cols() == k) {
    std::vector<double> errors;
    auto at = std::size_t(q) * std::size_t(k);
    for (int i = 0; i < k; ++i)
      for (int j = 0; j <= i; ++j) errors.push_back(error(at++, truth.vBeta(i, j)));
    rows.push_back(summarized("V_β: error", "s.d.", std::move(errors), 0, kTruthErrors, 0.9));
  }
}

/// Throws Error if the true maps cannot be compared with a result.
void checkTruth(const ActivationResult& result, const ActivationTruth& truth) {
  for (const auto& image : {truth.beta, truth.sigma2})
    if (image) requireTruthOn(result.grid, image->grid, "result");
  const int k = result.regressors();
  if (truth.beta && truth.beta->count != k)
    throw Error(text("The truth has ", truth.beta->count, " coefficients and the design ", k, " regressors"),
                "they do not correspond", "give the design of the phantom without drift and confounds");
  if ((truth.beta || truth.sigma2) && result.design.joined.size() > 1 && result.response != Response::raw)
    throw Error("The truth of several runs cannot be compared",
                "each run was scaled by its own factor, and the truth is in the unit of the scans",
                "analyze with the response raw, or one run by itself");
}

/// Adds the errors of the coefficients of regressor j and how many true ones lie in their credible intervals.
void addBetaTruth(const ActivationResult& result, const Series<float>& truth, int j,
                  const std::vector<ResponseScale>& scales, const Progress& progress,
                  std::vector<AgreementRow>& rows) {
  const auto c = unitContrast(result.regressors(), j);
  const auto moments = contrastMoments(result, c);
  const auto ends = credibleInterval(result, c, kInterval, progress);
  std::vector<double> errors;
  double covered = 0;
  for (std::size_t i = 0; i < scales.size(); ++i) {
    const float known = truth.at(result.voxels[i], j);
    if (!std::isfinite(known)) continue;
    const double beta = (known - (j == 0 ? scales[i].offset : 0)) * scales[i].scale;
    errors.push_back(std::abs(moments.mean[i] - beta) / moments.sd[i]);
    covered += beta >= ends.low[i] && beta <= ends.high[i];
  }
  const std::string& name = result.design.names[std::size_t(j)];
  AgreementRow coverage =
      shareRow(name + ": in the 90 % interval", covered, double(errors.size()), kCoverageNeeded);
  rows.push_back(summarized(name + ": error", "s.d.", std::move(errors), 0, kTruthErrors, kTruthShareNeeded));
  rows.push_back(std::move(coverage));
}

AgreementRow sigma2Truth(const ActivationResult& result, const Series<float>& truth,
                         const std::vector<ResponseScale>& scales) {
  std::vector<double> errors;
  const GibbsMoments& moments = result.samples->moments;
  for (std::size_t i = 0; i < scales.size(); ++i) {
    const double known = truth.at(result.voxels[i], 0) * scales[i].scale * scales[i].scale;
    if (std::isfinite(known))
      errors.push_back(std::abs(moments.sigma2Mean[i] - known) / std::sqrt(moments.sigma2Var[i]));
  }
  return summarized("σ²: error", "s.d.", std::move(errors), 0, kTruthErrors, kTruthShareNeeded);
}

}  // namespace

Comparison compareActivation(const ActivationResult& a, const ActivationResult& b, double gamma,
                             double probability, const Progress& progress) {
  checkSame(a, b);
  const auto pairs = commonVoxels(a, b);
  const int k = a.regressors();
  const std::size_t ma = a.voxels.size(), mb = b.voxels.size();
  std::vector<double> means, deviations, variances, classical;
  std::vector<double> worst(pairs.size(), 0.0);
  double same = 0;
  for (int j = 0; j < k; ++j) {
    const auto part = progress.part(double(j) / k, double(j + 1) / k, "Comparing");
    const auto c = unitContrast(k, j);
    const auto x = contrastMoments(a, c), y = contrastMoments(b, c);
    const auto estimates = estimateContrast(a, c);
    for (std::size_t i = 0; i < ma; ++i) classical.push_back(std::abs(estimates.z(i) - x.mean[i] / x.sd[i]));
    const auto px = exceedance(a, c, gamma), py = exceedance(b, c, gamma);
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      if (i % kVoxelsPerUpdate == 0) part.update(double(i) / double(pairs.size()));
      const auto [at, bt] = pairs[i];
      const double ea =
          squaredError(double(x.sd[at]) * x.sd[at], a.samples->moments.ess[std::size_t(j) * ma + at]);
      const double eb =
          squaredError(double(y.sd[bt]) * y.sd[bt], b.samples->moments.ess[std::size_t(j) * mb + bt]);
      means.push_back(inMonteCarloErrors(x.mean[at] - y.mean[bt], ea + eb));
      deviations.push_back(inMonteCarloErrors(x.sd[at] - y.sd[bt], (ea + eb) / 2));
      worst[i] = std::max(worst[i], means.back());
      same += (px[at] >= float(probability)) == (py[bt] >= float(probability));
    }
  }
  for (const auto& [at, bt] : pairs) {
    const GibbsMoments &x = a.samples->moments, &y = b.samples->moments;
    variances.push_back(inMonteCarloErrors(
        x.sigma2Mean[at] - y.sigma2Mean[bt],
        squaredError(x.sigma2Var[at], keptDraws(a)) + squaredError(y.sigma2Var[bt], keptDraws(b))));
  }

  Comparison result;
  Volume<float> difference(a.grid, NAN);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const std::int64_t voxel = a.voxels[pairs[i].first];
    difference.values[std::size_t(voxel)] = float(worst[i]);
    if (worst[i] > 0) result.worst.push_back({a.grid.voxel(voxel), worst[i]});
    if (result.worst.size() >= 1000) keepWorstVoxels(result.worst);
  }
  keepWorstVoxels(result.worst);
  const std::string errors = "Monte Carlo errors";
  const double alone = double(ma + mb) - 2 * double(pairs.size());  // voxels in only one result
  result.rows = {
      summarized("posterior mean", errors, std::move(means), alone * k, kMonteCarloErrors, kShareNeeded),
      summarized("posterior s.d.", errors, std::move(deviations), alone * k, kMonteCarloErrors, kShareNeeded),
      summarized("σ²", errors, std::move(variances), alone, kMonteCarloErrors, kShareNeeded)};
  if (a.groupNames == b.groupNames && a.covariateNames == b.covariateNames)
    result.rows.push_back(hyperRow(a, b));
  result.rows.push_back(shareRow(text("same side of P(β > ", gamma, ") = ", probability), same,
                                 double(pairs.size()) * k, kSameSideNeeded));
  // The prior shrinks the posterior towards what the voxels share: no difference would be too large.
  result.rows.push_back(summarized("least-squares z against posterior mean / s.d.", "s.d.",
                                   std::move(classical), 0, kSameZ, 0));

  Layer layer;
  layer.name = "difference of the posterior means";
  layer.unit = errors;
  layer.content = VolumeLayer{std::make_shared<const Series<float>>(std::move(difference)), {}, 0, {}};
  result.difference = std::move(layer);
  return result;
}

ActivationTruth activationTruth(const std::vector<const Layer*>& layers) {
  ActivationTruth truth;
  for (const Layer* layer : layers) {
    const auto named = [&](const char* word) { return layer->name.find(word) != std::string::npos; };
    if (const auto* volume = std::get_if<VolumeLayer>(&layer->content)) {
      if (named("sigma2"))
        truth.sigma2 = volume->series;
      else if (named("beta"))
        truth.beta = volume->series;
    } else if (const auto* table = std::get_if<TableLayer>(&layer->content)) {
      if (named("vbeta"))
        truth.vBeta = matrixOf(*table);
      else if (named("delta"))
        truth.delta = matrixOf(*table);
    }
  }
  return truth;
}

std::vector<AgreementRow> compareActivationWithTruth(const ActivationResult& result,
                                                     const ActivationTruth& truth, const Progress& progress) {
  checkTruth(result, truth);
  const std::size_t m = result.voxels.size();
  std::vector<ResponseScale> scales(truth.beta || truth.sigma2 ? m : 0);
  for (std::size_t i = 0; i < scales.size(); ++i) {
    if (i % kVoxelsPerUpdate == 0) progress.update(0.5 * double(i) / double(m));
    scales[i] = *responseScaleAt(*result.bold, result.response, result.voxels[i]);
  }
  std::vector<AgreementRow> rows;
  for (int j = 0; truth.beta && j < result.regressors(); ++j)
    addBetaTruth(result, *truth.beta, j, scales, progress.part(0.5, 1, "Comparing"), rows);
  if (truth.sigma2) rows.push_back(sigma2Truth(result, *truth.sigma2, scales));
  addHyperTruth(result, truth, rows);
  return rows;
}

}  // namespace sulcus::activation
