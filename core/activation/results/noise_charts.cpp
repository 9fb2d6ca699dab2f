#include "core/activation/results/noise_charts.h"

#include "core/activation/model/least_squares.h"
#include "core/activation/model/noise.h"
#include "core/analysis/chart_parts.h"
#include "core/math/linear_algebra.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

namespace sulcus::activation {
namespace {

constexpr int kMostLagsShown = 30;
constexpr int kSpectrumReach = 3;  // number of frequencies on either side for averaging

struct NamedResiduals {
  const char* name;
  Eigen::VectorXd values;
};

/// The residuals of least squares in a voxel and, if its noise has memory, those of the whitened series.
std::vector<NamedResiduals> residualsAt(const ActivationResult& result, std::int64_t voxel) {
  if (voxel < 0) return {};
  const Series<float>& bold = *result.bold;
  const std::int64_t index = result.voxels[std::size_t(voxel)];
  const std::vector<Run> runs = result.design.runs();
  const auto response = responseAt(bold, runs, result.response, index);
  if (!response) return {};
  const Eigen::VectorXd& y = *response;
  Eigen::MatrixXd x = result.design.allColumns();
  x.leftCols(result.regressors()) = result.design.matrixOf(result.grid.voxel(index).z);
  const auto residuals = [&x](const Eigen::VectorXd& of) {
    const Eigen::MatrixXd q = thinQr(x).q;
    return Eigen::VectorXd(of - q * (q.transpose() * of));
  };
  std::vector<NamedResiduals> all{{result.noise ? "before whitening" : "residuals", residuals(y)}};
  if (!result.noise) return all;
  const NoiseFilter filter(result.noise->at(voxel));
  for (auto column : x.colwise()) column = filter.whitened(column, runs);
  all.push_back({"after whitening", residuals(filter.whitened(y, runs))});
  return all;
}

/// Scans of the shortest run.
int shortestOf(const std::vector<Run>& runs) {
  return std::min_element(runs.begin(), runs.end(),
                          [](const Run& a, const Run& b) { return a.scans() < b.scans(); })
      ->scans();
}

/// Σ_runs |Σ_t r_t exp(−2πi f t/n)|² at frequencies f = 1 … n/2 cycles per n scans, over their mean: runs are
/// transformed separately, since they are independent.
///
/// @param n  scans of the shortest run
std::vector<double> spectrumOf(const Eigen::VectorXd& r, const std::vector<Run>& runs, int n) {
  std::vector<double> power;
  double sum = 0;
  for (int f = 1; f <= n / 2; ++f) {
    const std::complex<double> turn = std::polar(1.0, -2 * std::numbers::pi * double(f) / double(n));
    double norm = 0;
    for (const Run& run : runs) {
      std::complex<double> phase = 1, total = 0;
      for (int t = 0; t < run.scans(); ++t, phase *= turn) total += r(run.begin + t) * phase;
      norm += std::norm(total);
    }
    power.push_back(norm);
    sum += norm;
  }
  for (double& p : power) p *= sum > 0 ? double(power.size()) / sum : 0;
  return power;
}

}  // namespace

Chart residualAutocorrelation(const ActivationResult& result, std::int64_t voxel, std::string title) {
  Chart chart = emptyChart(std::move(title), "lag (scans)", "autocorrelation");
  for (const auto& [name, r] : residualsAt(result, voxel)) {
    Chart::Series series{name, Chart::Kind::line};
    const auto lags = std::min<Eigen::Index>(kMostLagsShown, r.size() / 3);
    for (Eigen::Index lag = 1; lag <= lags; ++lag) {
      series.x.push_back(double(lag));
      double sum = 0;
      for (const Run& run : result.design.runs())
        if (const Eigen::Index pairs = run.scans() - lag; pairs > 0)
          sum += r.segment(run.begin + lag, pairs).dot(r.segment(run.begin, pairs));
      series.y.push_back(sum / r.squaredNorm());
    }
    if (chart.series.empty()) {
      const double limit = 1.96 / std::sqrt(double(r.size()));
      const std::vector<double> low(series.x.size(), -limit), high(series.x.size(), limit);
      chart.series.push_back({"95 % of white noise", Chart::Kind::band, series.x, low, high});
    }
    chart.series.push_back(std::move(series));
  }
  return chart;
}

Chart residualSpectrum(const ActivationResult& result, std::int64_t voxel, std::string title) {
  Chart chart = emptyChart(std::move(title), "cycles per scan", "power over its mean");
  const std::vector<Run> runs = result.design.runs();
  const int n = shortestOf(runs);
  for (const auto& [name, r] : residualsAt(result, voxel)) {
    const auto power = spectrumOf(r, runs, n);
    Chart::Series series{name, Chart::Kind::line};
    const auto last = int(power.size()) - 1;
    for (int f = 0; f <= last; ++f) {
      double sum = 0;
      const int from = std::max(0, f - kSpectrumReach), to = std::min(last, f + kSpectrumReach);
      for (int i = from; i <= to; ++i) sum += power[std::size_t(i)];
      series.x.push_back(double(f + 1) / double(n));
      series.y.push_back(sum / (to - from + 1));
    }
    chart.series.push_back(std::move(series));
  }
  return chart;
}

}  // namespace sulcus::activation
