#include "core/math/linear_algebra.h"
#include "core/math/statistics.h"
#include "tests/bench/format.h"
#include "tests/bench/papers/ferreira_papers.h"
#include "tests/bench/svg_chart.h"

#include <algorithm>
#include <cmath>

namespace sulcus::bench {
namespace {

/// Δ of the true effects of one regressor: their regression on the covariates of the analyzed voxels.
Eigen::VectorXd trueDelta(const PaperScan& scan, const activation::ActivationResult& result) {
  const auto m = Eigen::Index(result.count()), q = Eigen::Index(result.problem->covariates);
  Eigen::MatrixXd z(m, q);
  Eigen::VectorXd beta(m);
  for (Eigen::Index i = 0; i < m; ++i) {
    for (Eigen::Index c = 0; c < q; ++c) z(i, c) = result.problem->z[std::size_t(c * m + i)];
    beta(i) = scan.beta->at(result.voxels[std::size_t(i)], int(scan.auditory));
  }
  return solvePositiveDefinite(z.transpose() * z, Eigen::VectorXd(z.transpose() * beta));
}

}  // namespace

Exhibit ferreiraSimulatedMap(const FerreiraRuns& runs) {
  Exhibit exhibit{"ferreira", "Figure 6",
                  "Map of the auditory stimulation with tissue classes, truth beside"};
  const PaperScan& scan = runs.simulated;
  const auto& result = *runs.simulatedAll.result;
  const auto p = effectProbabilities(result, scan.auditory);
  const auto means = posteriorMeans(result, scan.auditory);
  std::vector<float> truth;
  std::vector<bool> active;
  double square = 0, right = 0, shown = 0;
  for (std::size_t v = 0; v < means.size(); ++v) {
    truth.push_back(scan.beta->at(result.voxels[v], int(scan.auditory)));
    active.push_back(truth.back() > 0);
    square += std::pow(double(means[v]) - truth.back(), 2);
    shown += p[v] >= 0.95f, right += p[v] >= 0.95f && active.back();
  }
  const float largest = *std::max_element(truth.begin(), truth.end());
  exhibit.pictures = {
      packageMap(scan, result, scan.auditory, "Means above the HPD interval, as the package draws it"),
      probabilityMap(scan, result, scan.auditory, "P(effect > 0) ≥ 0.95"),
      {"The true effects above 0", pictureOfSlice(scan, result, truth, active, 0, largest)}};
  exhibit.table = plainTable(
      {"", "published", "here"},
      {{"voxels shown with P ≥ 0.95", "a picture", std::int64_t(shown)},
       {"of them truly above 0", "not known", format("%.1f %%", 100 * right / std::max(1.0, shown))},
       {"r.m.s. error of the posterior means", "not known", std::sqrt(square / double(means.size()))}});
  exhibit.remark =
      "The paper's series is not public with its maps, so one was simulated over them: effects that follow "
      "the tissue plus scatter, σ² = 1. Nearly all gray matter hears here, of which the package's map shows "
      "the few voxels that stand out from all the others. P ≥ 0.95 promises at least 95 % true effects on "
      "average, which truth " +
      std::string(right >= 0.95 * shown ? "confirms." : "does not confirm here.") + standInRemark(scan);
  return exhibit;
}

std::vector<Exhibit> ferreiraRandomEffects(const FerreiraRuns& runs) {
  const PaperScan& scan = runs.simulated;
  const auto& result = *runs.simulatedAll.result;
  const std::string& name = scan.input.design.names[scan.auditory];
  const int q = int(result.covariateNames.size()), k = result.regressors();
  Exhibit draws{"ferreira", "Figure 7", "Draws of the mean of the random effects"};
  std::vector<std::vector<Cell>> rows, classRows;
  const Eigen::VectorXd known = trueDelta(scan, result);
  for (int c = 0; c < q; ++c) {
    std::vector<double> kept;
    double sum = 0, square = 0;
    for (std::size_t i = std::size_t(scan.auditory) * q + c; i < result.samples->delta.size();
         i += std::size_t(q) * k) {
      kept.push_back(result.samples->delta[i]);
      sum += kept.back(), square += kept.back() * kept.back();
    }
    const double n = double(kept.size()), mean = sum / n,
                 sd = std::sqrt(std::max(0.0, square / n - mean * mean));
    const double truth = known(c), low = lowerQuantile(kept, 0.025), high = lowerQuantile(kept, 0.975);
    const std::string& covariate = result.covariateNames[std::size_t(c)];
    rows.push_back({covariate, "a picture", truth, mean, sd, format("%.1f", std::abs(mean - truth) / sd)});
    if (c > 0)  // the first is the intercept
      classRows.push_back(
          {covariate, "a picture", truth, low, high, low <= truth && truth <= high ? "yes" : "no"});
  }
  draws.table = plainTable(
      {"covariate", "published", "Δ of the true effects", "posterior mean", "s.d.", "error in s.d."}, rows);
  draws.drawings = {{"Kept draws of Δ of the auditory effect, a line for each covariate",
                     svgOf(chartNamed(runs.simulatedAll.result, "Δ: " + name, {}))}};
  draws.remark =
      "Δ says how the mean effect of a voxel depends on its tissue. The draws keep to what the simulated "
      "effects have, within the s.d. that they show; where the maps nearly sum to one, their coefficients "
      "are known together less well than their differences." +
      standInRemark(scan);
  Exhibit classes{"ferreira", "Figures 8–10", "Random effects of each tissue class"};
  classes.drawings = {
      {"Posterior densities of Δ of the auditory effect: intercept, CSF, gray and white matter",
       svgOf(chartNamed(runs.simulatedAll.result, "Δ density: " + name, {}))}};
  classes.table = plainTable({"class", "published", "Δ of the true effects", "2.5 % of the draws are below",
                              "2.5 % are above", "truth between them"},
                             classRows);
  classes.remark =
      "The paper shows the draws of each class in a plot of its own and prints no numbers; here they share "
      "one, so that classes are compared by eye." +
      standInRemark(scan);
  return {std::move(draws), std::move(classes)};
}

}  // namespace sulcus::bench
