#include "core/activation/results/activation_charts.h"
#include "core/activation/results/posterior.h"
#include "core/math/statistics.h"
#include "tests/bench/format.h"
#include "tests/bench/papers/ferreira_papers.h"
#include "tests/bench/svg_chart.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace sulcus::bench {
namespace {

/// The output of R for density.default(x = pm2), and the ranges of the package.
std::vector<double> printedStatistics(std::vector<float> means) {
  std::vector<float> sample = means;
  const double n = double(sample.size()), mean = std::accumulate(sample.begin(), sample.end(), 0.0) / n;
  double square = 0;
  for (const double x : sample) square += (x - mean) * (x - mean);
  const double sd = std::sqrt(square / (n - 1));
  std::sort(sample.begin(), sample.end());
  const auto quantile = [](const std::vector<float>& sorted, double q) {
    return interpolatedQuantileOfSorted(sorted, q);
  };
  const double iqr = quantile(sample, 0.75) - quantile(sample, 0.25);
  const double width = 0.9 * std::min(sd, iqr / 1.34) * std::pow(n, -0.2);
  std::vector<float> xs, ys;
  const double from = sample.front() - 3 * width, to = sample.back() + 3 * width;
  for (int i = 0; i < 512; ++i) {
    const double at = from + (to - from) * i / 511;
    double sum = 0;
    for (const double x : sample) sum += std::exp(-0.5 * std::pow((at - x) / width, 2));
    xs.push_back(float(at)), ys.push_back(float(sum / (n * width * std::sqrt(2 * 3.14159265358979))));
  }
  std::sort(ys.begin(), ys.end());
  const auto average = [](const std::vector<float>& v) {
    return std::accumulate(v.begin(), v.end(), 0.0) / double(v.size());
  };
  const Range inside = activation::highestDensity(means, 0.95);
  const auto above = std::upper_bound(sample.begin(), sample.end(), inside.high);
  return {width,
          xs.front(),
          quantile(xs, 0.25),
          quantile(xs, 0.5),
          average(xs),
          quantile(xs, 0.75),
          xs.back(),
          ys.front(),
          quantile(ys, 0.25),
          quantile(ys, 0.5),
          average(ys),
          quantile(ys, 0.75),
          ys.back(),
          above == sample.end() ? inside.high : *above,
          sample.back(),
          sample.front(),
          above == sample.begin() ? inside.high : *std::prev(above),
          inside.low,
          inside.high};
}

}  // namespace

Exhibit ferreiraMaps(const FerreiraRuns& runs, const char* number, const char* stimulus,
                     std::size_t regressor) {
  Exhibit exhibit{"ferreira", number, std::string("Maps of the ") + stimulus + " stimulation"};
  std::vector<std::vector<Cell>> rows;
  for (const auto* run : {&runs.all, &runs.strong}) {
    const auto& result = *run->result;
    const auto means = posteriorMeans(result, regressor);
    const Range inside = activation::highestDensity(means, 0.95);
    const auto p = effectProbabilities(result, regressor);
    const auto [low, high] = std::minmax_element(means.begin(), means.end());
    rows.push_back(
        {run == &runs.all ? "ν = 3" : "ν = 45", "a picture",
         std::int64_t(std::count_if(means.begin(), means.end(), [&](float v) { return v > inside.high; })),
         std::int64_t(std::count_if(p.begin(), p.end(), [](float v) { return v >= 0.95f; })),
         format("%.3f … %.3f", *low, *high), result.count()});
  }
  exhibit.table = plainTable({"prior", "published", "voxels above the HPD interval", "voxels with P ≥ 0.95",
                              "posterior means", "voxels"},
                             std::move(rows));
  exhibit.pictures = {packageMap(runs.scan, *runs.all.result, regressor,
                                 "ν = 3, as the package draws it: means above the HPD interval"),
                      packageMap(runs.scan, *runs.strong.result, regressor, "ν = 45, the same"),
                      probabilityMap(runs.scan, *runs.all.result, regressor,
                                     "ν = 3, posterior probability of an effect ≥ 0.95"),
                      probabilityMap(runs.scan, *runs.strong.result, regressor, "ν = 45, the same")};
  exhibit.remark =
      "The package's map compares a voxel with all the others, so it shows about as many voxels whatever the "
      "scan; the probability of each voxel's own effect shows more where the scan supports more. Both are "
      "drawn from one run." +
      standInRemark(runs.scan);
  return exhibit;
}

Exhibit ferreiraFittedSeries(const FerreiraRuns& runs) {
  Exhibit exhibit{"ferreira", "Figure 3", "Fitted series of an active voxel"};
  const auto& result = *runs.all.result;
  const auto means = posteriorMeans(result, runs.scan.visual);
  const auto best = std::size_t(std::max_element(means.begin(), means.end()) - means.begin());
  const Vec3<int> voxel = result.grid.voxel(result.voxels[best]);
  const Vec3<double> at =
      result.grid.worldFromVoxel.point({double(voxel.x), double(voxel.y), double(voxel.z)});
  const auto p = effectProbabilities(result, runs.scan.visual);
  exhibit.drawings = {{"The response, its fitted mean and the 90 % credible band",
                       svgOf(chartNamed(runs.all.result, "Time series", at))}};
  const auto [low, high] = std::minmax_element(means.begin(), means.end());
  exhibit.table = plainTable({"", "published", "here"},
                             {{"posterior means of the visual effect, lowest", -1.409497, double(*low)},
                              {"highest, that of this voxel", 1.661774, double(*high)},
                              {"P(effect > 0) of this voxel", "–", double(p[best])}});
  exhibit.remark =
      "The paper takes a random active voxel; this is the one with the largest effect. The ends differ by "
      "the Monte Carlo error of one voxel." +
      standInRemark(runs.scan);
  return exhibit;
}

Exhibit ferreiraHistogram(const FerreiraRuns& runs, const Machine& machine) {
  Exhibit exhibit{"ferreira", "Figure 4", "Histogram of posterior means, and the statistics printed with it"};
  constexpr const char* names[] = {"bandwidth",
                                   "x: minimum",
                                   "x: 1st quartile",
                                   "x: median",
                                   "x: mean",
                                   "x: 3rd quartile",
                                   "x: maximum",
                                   "y: minimum",
                                   "y: 1st quartile",
                                   "y: median",
                                   "y: mean",
                                   "y: 3rd quartile",
                                   "y: maximum",
                                   "active: lowest",
                                   "active: highest",
                                   "not active: lowest",
                                   "not active: highest",
                                   "95 % HPD: low",
                                   "95 % HPD: high"};
  constexpr double published[] = {0.07947,    -1.6479,   -0.7609,    0.1261,    0.1261,
                                  1.0132,     1.9002,    0.0000372,  0.0324416, 0.1057555,
                                  0.2815673,  0.4666134, 1.0588599,  0.9286707, 1.6617739,
                                  -1.4094965, 0.9218208, -0.9300451, 0.9286707};
  const auto one = printedStatistics(posteriorMeans(*runs.all.result, runs.scan.visual));
  const auto onGpu = machine.hasGpu ? printedStatistics(posteriorMeans(*runs.gpu.result, runs.scan.visual))
                                    : std::vector<double>();
  std::vector<std::vector<Cell>> rows{
      {"observations", std::int64_t(1525), runs.all.result->count(),
       machine.hasGpu ? Cell(runs.gpu.result->count()) : Cell("no GPU here")}};
  for (std::size_t i = 0; i < std::size(published); ++i)
    rows.push_back({names[i], published[i], one[i], machine.hasGpu ? Cell(onGpu[i]) : Cell("no GPU here")});
  exhibit.table =
      plainTable({"of the means of the visual effect", "published", "CPU", "GPU"}, std::move(rows));
  exhibit.drawings = {
      {"Histogram, kernel density and 95 % HPD interval",
       svgOf(chartNamed(runs.all.result, "Means: " + runs.scan.input.design.names[runs.scan.visual], {}))}};
  exhibit.remark =
      "The same statistics as R's density(): 512 points, three bandwidths past the ends. Single voxels carry "
      "a Monte Carlo error of about 0.02 with so many draws, and the ends of the flat histogram follow "
      "them." +
      standInRemark(runs.scan);
  return exhibit;
}

Exhibit ferreiraShrinkage(const FerreiraRuns& runs) {
  Exhibit exhibit{"ferreira", "Figure 5", "Shrinkage: effect against mean prediction, two priors"};
  Chart chart{
      "", "β of the visual regressor, s.d. of the response", "mean prediction, s.d. of the response", {}, {}};
  std::vector<std::vector<Cell>> rows;
  for (const auto* run : {&runs.all, &runs.strong}) {
    const auto& result = *run->result;
    const auto m = std::size_t(result.count());
    const Eigen::VectorXd mean = result.design.matrix.colwise().mean();
    Chart::Series points{run == &runs.all ? "ν = 3" : "ν = 45", Chart::Kind::points, {}, {}, {}};
    for (std::size_t i = 0; i < m; ++i) {
      double prediction = 0;
      for (Eigen::Index j = 0; j < mean.size(); ++j)
        prediction += mean(j) * result.mean[std::size_t(j) * m + i];
      points.x.push_back(result.mean[runs.scan.visual * m + i]), points.y.push_back(prediction);
    }
    const auto spread = [](const std::vector<double>& values) {
      const auto [low, high] = std::minmax_element(values.begin(), values.end());
      return format("%.3g … %.3g", *low, *high);
    };
    rows.push_back({run == &runs.all ? "ν = 3" : "ν = 45", "a picture", spread(points.x), spread(points.y)});
    chart.series.push_back(std::move(points));
  }
  exhibit.table = plainTable({"prior", "published", "effects", "mean predictions"}, std::move(rows));
  exhibit.drawings = {{"Each voxel's effect and the mean over the scans of its prediction", svgOf(chart)}};
  exhibit.remark =
      "The package ties two priors to ν, that of the noise and that of V_β: with 45 both are stronger and "
      "the effects draw together along the axis of β, as published; Sulcus has them apart, too. Mean "
      "predictions are near 0 with either prior, since the series and the columns of the design have means "
      "near 0; the paper prints no numbers of them." +
      standInRemark(runs.scan);
  return exhibit;
}

}  // namespace sulcus::bench
