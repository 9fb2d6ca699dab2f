#include "core/activation/results/activation_charts.h"

#include "core/activation/model/least_squares.h"
#include "core/activation/results/noise_charts.h"
#include "core/activation/results/posterior.h"
#include "core/activation/sampler/diagnostics.h"
#include "core/analysis/chart_parts.h"
#include "core/analysis/histogram.h"
#include "core/base/sentence.h"
#include "core/math/statistics.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <numeric>

namespace sulcus::activation {
namespace {

using ResultPtr = std::shared_ptr<const ActivationResult>;

constexpr int kBins = 256;
constexpr std::size_t kMostPoints = 5000;  // in a scatter plot or a trace; larger ones are thinned evenly

std::string withUnit(const std::string& label, Response response) {
  return activation::withUnit(label, responseUnit(response));
}

std::vector<double> oneTo(std::size_t n) {
  std::vector<double> numbers(n);
  std::iota(numbers.begin(), numbers.end(), 1.0);
  return numbers;
}

/// The index 0 … M − 1 of the analyzed voxel at a position (mm, RAS+), or -1 if there is none.
std::int64_t voxelAt(const ActivationResult& result, const Vec3<double>& p_in_world) {
  const auto index = indexAt(result.grid, p_in_world);
  const auto found = std::lower_bound(result.voxels.begin(), result.voxels.end(), index);
  return found != result.voxels.end() && *found == index ? found - result.voxels.begin() : -1;
}

std::string titleAt(const ActivationResult& result, std::int64_t voxel) {
  if (voxel < 0) return "No voxel of the mask here";
  const auto v = result.grid.voxel(result.voxels[std::size_t(voxel)]);
  return text("Voxel ", v.x, ", ", v.y, ", ", v.z);
}

Chart timeSeries(const ActivationResult& result, double secondsPerScan, const Vec3<double>& p_in_world) {
  const std::int64_t voxel = voxelAt(result, p_in_world);
  const bool timed = secondsPerScan > 0;
  Chart chart = emptyChart(titleAt(result, voxel), timed ? activation::withUnit("time", "s") : "scan",
                           withUnit("response", result.response));
  if (voxel < 0) return chart;
  const Series<float>& bold = *result.bold;
  const std::int64_t index = result.voxels[std::size_t(voxel)];
  const Design& design = result.design;
  const auto response = responseAt(bold, design.runs(), result.response, index);
  if (!response) return chart;
  if (design.confounds.cols() > 0) chart.title = text(chart.title, ", confounds and drift removed");
  const Eigen::MatrixXd x = design.withoutConfounds(design.matrixOf(result.grid.voxel(index).z)),
                        y = design.withoutConfounds(*response);
  auto scans = oneTo(std::size_t(bold.count));
  if (timed)
    for (double& scan : scans) scan = (scan - 1) * secondsPerScan;
  Chart::Series data{"data", Chart::Kind::points, scans};
  Chart::Series fitted{"fitted", Chart::Kind::line, scans};
  Chart::Series band{"90 % credible band", Chart::Kind::band, scans};
  const auto m = std::size_t(result.count());
  for (int t = 0; t < bold.count; ++t) {
    data.y.push_back(y(t, 0));
    const Eigen::VectorXd row = x.row(t);
    double mean = 0;
    for (std::size_t j = 0; j < std::size_t(row.size()); ++j)
      mean += row(Eigen::Index(j)) * result.mean[j * m + std::size_t(voxel)];
    const Range ends = credibleIntervalAt(result, {row.data(), std::size_t(row.size())}, kInterval, voxel);
    fitted.y.push_back(mean);
    band.y.push_back(ends.low);
    band.y2.push_back(ends.high);
  }
  chart.series = {std::move(band), std::move(data), std::move(fitted)};
  return chart;
}

Chart chain(const ActivationResult& result, std::size_t regressor, const Vec3<double>& p_in_world) {
  const std::int64_t voxel = voxelAt(result, p_in_world);
  const std::string& name = result.design.names[regressor];
  Chart chart =
      emptyChart(titleAt(result, voxel), "iteration", withUnit("effect of " + name, result.response));
  if (voxel < 0) return chart;
  const auto draws = replayVoxel(*result.problem, result.sampling, *result.samples, voxel);
  const auto length = std::size_t(result.sampling.draws), k = std::size_t(result.regressors());
  const std::size_t step = std::max<std::size_t>(1, length / kMostPoints);
  std::vector<double> kept;  // (draw, chain)
  for (int c = 0; c < result.sampling.chains; ++c)
    for (int d = 0; d < result.sampling.kept(); ++d) {
      const auto t = std::size_t(result.sampling.burnIn + (d + 1) * result.sampling.thinning - 1);
      kept.push_back(draws[(std::size_t(c) * length + t) * (k + 1) + regressor]);
    }
  if (const Convergence all = convergence(kept, result.sampling.chains); std::isfinite(all.rhat)) {
    char figures[64];
    std::snprintf(figures, sizeof figures, ": R-hat %.3f, ESS %.0f of %zu", all.rhat, all.ess, kept.size());
    chart.title += figures;
  }
  for (int c = 0; c < result.sampling.chains; ++c) {
    Chart::Series series{text("chain ", c + 1), Chart::Kind::line};
    for (std::size_t t = 0; t < length; t += step) {
      series.x.push_back(double(t + 1));
      series.y.push_back(draws[(std::size_t(c) * length + t) * (k + 1) + regressor]);
    }
    chart.series.push_back(std::move(series));
  }
  chart.series.push_back(marksAt("end of burn-in", {result.sampling.burnIn + 0.5}));
  return chart;
}

Chart means(const ActivationResult& result, std::size_t regressor) {
  const auto m = std::size_t(result.count());
  const auto values = std::span(result.mean).subspan(regressor * m, m);
  Chart chart = emptyChart(
      "Posterior means of " + result.design.names[regressor] + " in " + std::to_string(m) + " voxels",
      withUnit("posterior mean", result.response), "density");
  if (auto bars = histogramBars("histogram", values)) {
    chart.series.push_back(std::move(*bars));
    chart.series.push_back(kernelDensity("density", {values.begin(), values.end()}));
  }
  const Range inside = highestDensity(values, kHighestDensity);
  chart.series.push_back(marksAt("95 % HPD interval", {inside.low, inside.high}));
  return chart;
}

Chart shrinkage(const ActivationResult& result, std::size_t regressor, const Vec3<double>& p_in_world) {
  const auto m = std::size_t(result.count());
  Chart chart =
      emptyChart("Shrinkage of " + result.design.names[regressor], withUnit("least squares", result.response),
                 withUnit("posterior mean", result.response));
  Chart::Series points{text("ν_e = ", result.problem->nuE), Chart::Kind::points};
  const std::size_t step = (m + kMostPoints - 1) / kMostPoints;
  const auto add = [&](std::size_t voxel, Chart::Series& to) {
    to.x.push_back(result.leastSquares[regressor * m + voxel]);
    to.y.push_back(result.mean[regressor * m + voxel]);
    const Vec3<int> v = result.grid.voxel(result.voxels[voxel]);
    const Vec3<double> place = result.grid.positionOf(v);
    to.places.push_back({float(place.x), float(place.y), float(place.z)});
  };
  for (std::size_t i = 0; i < m; i += step) add(i, points);
  const auto [low, high] = std::minmax_element(points.x.begin(), points.x.end());
  Chart::Series same{"no shrinkage", Chart::Kind::line, {*low, *high}, {*low, *high}};
  chart.series = {std::move(same), std::move(points)};
  if (const std::int64_t voxel = voxelAt(result, p_in_world); voxel >= 0)
    add(std::size_t(voxel),
        chart.series.emplace_back(Chart::Series{"at the crosshair", Chart::Kind::points}));
  return chart;
}

/// The group of the slice at a position (mm, RAS+), or -1 if there is none; 0 if all voxels are one group.
int groupAt(const ActivationResult& result, const Vec3<double>& p_in_world) {
  if (result.groupNames.size() == 1) return 0;
  const std::string name = sliceNameAt(result.grid, p_in_world);
  const auto found = std::find(result.groupNames.begin(), result.groupNames.end(), name);
  return found == result.groupNames.end() ? -1 : int(found - result.groupNames.begin());
}

Chart deltas(const ActivationResult& result, std::size_t regressor, bool density,
             const Vec3<double>& p_in_world) {
  const int group = groupAt(result, p_in_world);
  Chart chart =
      deltaChart(group < 0 ? "No voxel of this slice was analyzed" : result.groupNames[std::size_t(group)],
                 withUnit("Δ of " + result.design.names[regressor], result.response), density);
  if (group < 0) return chart;
  const int q = int(result.covariateNames.size()), k = result.regressors();
  for (int c = 0; c < q; ++c) {
    const std::string covariate = q > 1 ? result.covariateNames[std::size_t(c)] : "";
    auto draws = hyperDraws(result, result.samples->delta, q * k, int(regressor) * q + c, group);
    if (density)
      chart.series.push_back(kernelDensity(q > 1 ? covariate : "density", std::move(draws)));
    else
      addTraces(chart, covariate, draws, result.sampling.chains);
  }
  return chart;
}

}  // namespace

Chart deltaChart(std::string title, std::string label, bool density) {
  if (density) return emptyChart(std::move(title), std::move(label), "density");
  return emptyChart(std::move(title), "kept draw", std::move(label));
}

std::string withUnit(const std::string& label, const std::string& unit) {
  return unit.empty() ? label : label + " (" + unit + ")";
}

std::string sliceNameAt(const Grid& grid, const Vec3<double>& p_in_world) {
  const double z = grid.worldFromVoxel.inverse().point(p_in_world).z;
  return text("slice ", std::isfinite(z) && std::abs(z) < 1e6 ? std::lround(z) + 1 : 0);
}

/// Adds a line for each chain; `name`: the quantity, if the chart has several.
void addTraces(Chart& chart, const std::string& name, std::span<const double> draws, int chains) {
  const std::size_t kept = draws.size() / std::size_t(chains);
  const std::size_t step = std::max<std::size_t>(1, kept / kMostPoints);
  for (int chain = 0; chain < chains; ++chain) {
    Chart::Series trace{name, Chart::Kind::line};
    if (chains > 1 || name.empty()) trace.name += text(name.empty() ? "" : ", ", "chain ", chain + 1);
    for (std::size_t t = 0; t < kept; t += step) {
      trace.x.push_back(double(t + 1));
      trace.y.push_back(draws[std::size_t(chain) * kept + t]);
    }
    chart.series.push_back(std::move(trace));
  }
}

Chart::Series kernelDensity(std::string name, std::vector<double> sample) {
  Chart::Series series{std::move(name), Chart::Kind::line};
  const auto n = double(sample.size());
  if (sample.size() < 2) return series;
  const double mean = std::accumulate(sample.begin(), sample.end(), 0.0) / n;
  double sd = 0;
  for (const double x : sample) sd += (x - mean) * (x - mean) / (n - 1);
  sd = std::sqrt(sd);
  const double iqr = lowerQuantile(std::span(sample), 0.75) - lowerQuantile(std::span(sample), 0.25);
  const double width = 0.9 * (iqr > 0 ? std::min(sd, iqr / 1.34) : sd) * std::pow(n, -0.2);
  if (!(width > 0)) return series;
  const auto [smallest, largest] = std::minmax_element(sample.begin(), sample.end());
  const double low = *smallest - 3 * width, step = (*largest + 3 * width - low) / (kBins - 1);
  // Linear binning: each value is shared between the two nearest points, so that the cost of the kernel does
  // not grow with n.
  std::vector<double> counts(kBins, 0.0);
  for (const double x : sample) {
    const double at = (x - low) / step;
    const auto left = std::min(std::size_t(at), std::size_t(kBins - 2));
    counts[left + 1] += at - double(left);
    counts[left] += 1 - (at - double(left));
  }
  for (int i = 0; i < kBins; ++i) {
    double density = 0;
    for (int j = 0; j < kBins; ++j) {
      const double z = (i - j) * step / width;
      density += counts[std::size_t(j)] * std::exp(-z * z / 2);
    }
    series.x.push_back(low + i * step);
    series.y.push_back(density / (n * width * std::sqrt(2 * std::numbers::pi)));
  }
  return series;
}

Plot designPlot(const Design& design) {
  return {"Design", false, [design](const Vec3<double>&) {
            Chart chart = emptyChart("Design: one row per scan", "regressor", "scan");
            chart.matrix.emplace();
            chart.matrix->columns = design.allNames();
            const Eigen::MatrixXd all = design.allColumns();
            for (const auto& row : all.rowwise()) chart.matrix->rows.emplace_back(row.begin(), row.end());
            return chart;
          }};
}

std::vector<Plot> activationPlots(const ResultPtr& result, double secondsPerScan) {
  using Point = const Vec3<double>&;
  std::vector<Plot> plots{
      {"Time series", true, [=](Point p) { return timeSeries(*result, secondsPerScan, p); }}};
  const auto ofNoise = [&](const char* name, auto make) {
    plots.push_back({name, true, [result, make](Point p) {
                       const std::int64_t voxel = voxelAt(*result, p);
                       return make(*result, voxel, titleAt(*result, voxel));
                     }});
  };
  const std::size_t k = result->design.names.size(), first = k > 1 ? 1 : 0;
  const bool bySlice = result->groupNames.size() > 1;
  const auto forRegressors = [&](const std::string& kind, bool follows, auto make) {
    for (std::size_t j = first; j < k; ++j)
      plots.push_back({kind + ": " + result->design.names[j], follows,
                       [result, j, make](Point p) { return make(*result, j, p); }});
  };
  using Result = const ActivationResult&;
  forRegressors("Chain", true, [](Result r, std::size_t j, Point p) { return chain(r, j, p); });
  forRegressors("Means", false, [](Result r, std::size_t j, Point) { return means(r, j); });
  forRegressors("Shrinkage", true, [](Result r, std::size_t j, Point p) { return shrinkage(r, j, p); });
  forRegressors("Δ", bySlice, [](Result r, std::size_t j, Point p) { return deltas(r, j, false, p); });
  forRegressors("Δ density", bySlice, [](Result r, std::size_t j, Point p) { return deltas(r, j, true, p); });
  ofNoise("Residual autocorrelation", residualAutocorrelation);
  ofNoise("Residual spectrum", residualSpectrum);
  plots.push_back(designPlot(result->design));
  return plots;
}

}  // namespace sulcus::activation
