#include "core/activation/activation_charts.h"
#include "core/activation/posterior.h"
#include "core/base/parallel_for.h"
#include "core/math/statistics.h"
#include "gpu/activation/activation.h"
#include "tests/bench/format.h"
#include "tests/bench/measure.h"
#include "tests/bench/papers/ferreira_data.h"
#include "tests/bench/papers/neighbouring_streams.h"
#include "tests/bench/svg_chart.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <Eigen/Cholesky>

namespace sulcus::bench {
namespace {

using activation::ActivationResult;
using ResultPtr = std::shared_ptr<const ActivationResult>;

/// The posterior means of a coefficient in all voxels.
std::vector<float> meansOf(const ActivationResult& result, std::size_t regressor) {
  const auto m = std::size_t(result.count());
  const auto from = result.mean.begin() + std::ptrdiff_t(regressor * m);
  return {from, from + std::ptrdiff_t(m)};
}

std::vector<float> probabilitiesOf(const ActivationResult& result, std::size_t regressor) {
  std::vector<double> weights(std::size_t(result.regressors()), 0.0);
  weights[regressor] = 1;
  return activation::exceedance(result, weights, 0);
}

/// One run of the analysis and the seconds it took, files apart.
struct Sampled {
  ResultPtr result;
  double seconds = 0;
};

Sampled sampled(activation::AnalyzeActivation& analyze, const PaperScan& scan,
                const activation::ActivationOptions& options) {
  Sampled run;
  run.seconds = onceOrMedianSeconds(
      [&] { run.result = std::make_shared<const ActivationResult>(analyze(scan.input, options, {})); }, 0.5);
  return run;
}

/// The slice of a scan in gray, values from `low` on in colors of heat up to `high`.
io::Picture pictureOfSlice(const PaperScan& scan, const ActivationResult& result, const std::vector<float>& values,
                           const std::vector<bool>& shown, double low, double high) {
  const Grid& grid = result.grid;
  constexpr int scale = 4;
  const int z = scan.options.slice - 1;
  io::Picture picture{grid.size.x * scale, grid.size.y * scale, {}};
  picture.rgb.assign(std::size_t(3) * std::size_t(picture.width) * std::size_t(picture.height), 0);
  double brightest = 1e-9;
  for (const auto voxel : result.voxels) brightest = std::max(brightest, std::abs(double(scan.input.bold->at(voxel, 0))));
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
    const double gray = 40 + 120 * std::abs(double(scan.input.bold->at(result.voxels[v], 0))) / brightest;
    const double heat = std::clamp((values[v] - low) / (high - low), 0.0, 1.0);
    if (shown[v])
      paint(result.voxels[v], std::uint8_t(150 + 105 * heat), std::uint8_t(235 * heat),
            std::uint8_t(150 * std::max(0.0, 2 * heat - 1)));
    else
      paint(result.voxels[v], std::uint8_t(gray), std::uint8_t(gray), std::uint8_t(gray));
  }
  return picture;
}

/// The map that the package calls PPM: posterior means above the 95 % HPD interval of all voxels' means.
ExhibitPicture packageMap(const PaperScan& scan, const ActivationResult& result, std::size_t regressor,
                          const std::string& caption) {
  const auto means = meansOf(result, regressor);
  const Range inside = activation::highestDensity(means, 0.95);
  std::vector<bool> shown;
  for (const float mean : means) shown.push_back(mean > inside.high);
  return {caption, pictureOfSlice(scan, result, means, shown, inside.high,
                                  *std::max_element(means.begin(), means.end()))};
}

ExhibitPicture probabilityMap(const PaperScan& scan, const ActivationResult& result, std::size_t regressor,
                              const std::string& caption) {
  const auto p = probabilitiesOf(result, regressor);
  std::vector<bool> shown;
  for (const float value : p) shown.push_back(value >= 0.95f);
  return {caption, pictureOfSlice(scan, result, p, shown, 0.95, 1)};
}

Chart chartNamed(const ResultPtr& result, const std::string& name, const Vec3<double>& at) {
  for (const auto& plot : activation::activationPlots(result))
    if (plot.name == name) return plot.make(at);
  return {};
}

const char* standIn(const PaperScan& scan) {
  return scan.real ? "" : " The scan is not on this machine: a phantom stands in, so published numbers do not apply.";
}

struct FerreiraRuns {
  PaperScan scan, simulated;
  Sampled one, all, gpu;                 ///< the audio-visual scan, ν = 3
  Sampled strong;                        ///< the same with ν = 45, on all threads
  Sampled simulatedOne, simulatedAll, simulatedGpu;
};

FerreiraRuns measureRuns(const PapersOptions& options, const Machine& machine) {
  FerreiraRuns runs{audioVisualScan(options), simulatedAuditoryScan(options), {}, {}, {}, {}, {}, {}, {}};
  const auto onThreads = [&](int threads, const PaperScan& scan) {
    Sampled run;
    withThreads(threads, [&] { run = sampled(activation::analyzeActivation, scan, scan.options); });
    return run;
  };
  runs.one = onThreads(1, runs.scan), runs.all = onThreads(0, runs.scan);
  runs.simulatedOne = onThreads(1, runs.simulated), runs.simulatedAll = onThreads(0, runs.simulated);
  auto strong = runs.scan.options;
  strong.nuE = 45;
  runs.strong = sampled(activation::analyzeActivation, runs.scan, strong);
  if (machine.hasGpu) {
    runs.gpu = sampled(gpu::activation::analyzeActivation, runs.scan, runs.scan.options);
    runs.simulatedGpu = sampled(gpu::activation::analyzeActivation, runs.simulated, runs.simulated.options);
  }
  options.tell(format("run times: one thread %.3g s, all threads %.3g s", runs.one.seconds, runs.all.seconds));
  return runs;
}

Exhibit probabilityMaps(const FerreiraRuns& runs, const char* number, const char* stimulus, std::size_t regressor) {
  Exhibit exhibit{"ferreira", number, std::string("Maps of the ") + stimulus + " stimulation", {}, {}, {}, "", ""};
  std::vector<std::vector<Cell>> rows;
  for (const auto* run : {&runs.all, &runs.strong}) {
    const auto& result = *run->result;
    const auto means = meansOf(result, regressor);
    const Range inside = activation::highestDensity(means, 0.95);
    const auto p = probabilitiesOf(result, regressor);
    const auto [low, high] = std::minmax_element(means.begin(), means.end());
    rows.push_back({run == &runs.all ? "ν = 3" : "ν = 45", "a picture",
                    std::int64_t(std::count_if(means.begin(), means.end(), [&](float v) { return v > inside.high; })),
                    std::int64_t(std::count_if(p.begin(), p.end(), [](float v) { return v >= 0.95f; })),
                    format("%.3f … %.3f", *low, *high), result.count()});
  }
  exhibit.table = plainTable({"prior", "published", "voxels above the HPD interval", "voxels with P ≥ 0.95",
                              "posterior means", "voxels"},
                             std::move(rows));
  exhibit.pictures = {
      packageMap(runs.scan, *runs.all.result, regressor, "ν = 3, as the package draws it: means above the HPD interval"),
      packageMap(runs.scan, *runs.strong.result, regressor, "ν = 45, the same"),
      probabilityMap(runs.scan, *runs.all.result, regressor, "ν = 3, posterior probability of an effect ≥ 0.95"),
      probabilityMap(runs.scan, *runs.strong.result, regressor, "ν = 45, the same")};
  exhibit.remark =
      "The package's map compares a voxel with all the others, so it shows about as many voxels whatever the scan; "
      "the probability of each voxel's own effect shows more where the scan supports more. Both are drawn from one "
      "run." +
      std::string(standIn(runs.scan));
  return exhibit;
}

Exhibit fittedSeries(const FerreiraRuns& runs) {
  Exhibit exhibit{"ferreira", "Figure 3", "Fitted series of an active voxel", {}, {}, {}, "", ""};
  const auto& result = *runs.all.result;
  const auto means = meansOf(result, runs.scan.visual);
  const auto best = std::size_t(std::max_element(means.begin(), means.end()) - means.begin());
  const Vec3<int> voxel = result.grid.voxel(result.voxels[best]);
  const Vec3<double> at = result.grid.worldFromVoxel.point({double(voxel.x), double(voxel.y), double(voxel.z)});
  const auto p = probabilitiesOf(result, runs.scan.visual);
  exhibit.drawings = {{"The response, its fitted mean and the 90 % credible band",
                       svgOf(chartNamed(runs.all.result, "Time series", at))}};
  const auto [low, high] = std::minmax_element(means.begin(), means.end());
  exhibit.table = plainTable({"", "published", "here"},
                             {{"posterior means of the visual effect, lowest", -1.409497, double(*low)},
                              {"highest, that of this voxel", 1.661774, double(*high)},
                              {"P(effect > 0) of this voxel", "–", double(p[best])}});
  exhibit.remark = "The paper takes a random active voxel; this is the one with the largest effect. The ends differ "
                   "by the Monte Carlo error of one voxel." +
                   std::string(standIn(runs.scan));
  return exhibit;
}

/// What R prints of density.default(x = pm2), and the ranges of the package.
std::vector<double> printedStatistics(std::vector<float> means) {
  std::vector<double> sample(means.begin(), means.end());
  const double n = double(sample.size()), mean = std::accumulate(sample.begin(), sample.end(), 0.0) / n;
  double square = 0;
  for (const double x : sample) square += (x - mean) * (x - mean);
  const double sd = std::sqrt(square / (n - 1));
  std::sort(sample.begin(), sample.end());
  const auto quantile = [](const std::vector<double>& sorted, double q) {
    const double rank = q * double(sorted.size() - 1);
    const auto low = std::size_t(rank);
    const double high = sorted[std::min(low + 1, sorted.size() - 1)];
    return sorted[low] + (rank - double(low)) * (high - sorted[low]);
  };
  const double iqr = quantile(sample, 0.75) - quantile(sample, 0.25);
  const double width = 0.9 * std::min(sd, iqr / 1.34) * std::pow(n, -0.2);
  std::vector<double> xs, ys;
  const double from = sample.front() - 3 * width, to = sample.back() + 3 * width;
  for (int i = 0; i < 512; ++i) {
    xs.push_back(from + (to - from) * i / 511);
    double sum = 0;
    for (const double x : sample) sum += std::exp(-0.5 * std::pow((xs.back() - x) / width, 2));
    ys.push_back(sum / (n * width * std::sqrt(2 * 3.14159265358979)));
  }
  std::sort(ys.begin(), ys.end());
  const auto average = [](const std::vector<double>& v) {
    return std::accumulate(v.begin(), v.end(), 0.0) / double(v.size());
  };
  const Range inside = activation::highestDensity(means, 0.95);
  const auto above = std::upper_bound(sample.begin(), sample.end(), double(inside.high));
  return {width,
          xs.front(), quantile(xs, 0.25), quantile(xs, 0.5), average(xs), quantile(xs, 0.75), xs.back(),
          ys.front(), quantile(ys, 0.25), quantile(ys, 0.5), average(ys), quantile(ys, 0.75), ys.back(),
          above == sample.end() ? inside.high : *above, sample.back(), sample.front(),
          above == sample.begin() ? inside.high : *std::prev(above), inside.low, inside.high};
}

Exhibit histogramOfMeans(const FerreiraRuns& runs, const Machine& machine) {
  Exhibit exhibit{"ferreira", "Figure 4", "Histogram of posterior means, and the statistics printed with it", {}, {},
                  {}, "", ""};
  constexpr const char* names[] = {
      "bandwidth",     "x: minimum",  "x: 1st quartile", "x: median",  "x: mean",
      "x: 3rd quartile", "x: maximum", "y: minimum",     "y: 1st quartile", "y: median",
      "y: mean",       "y: 3rd quartile", "y: maximum",  "active: lowest", "active: highest",
      "not active: lowest", "not active: highest", "95 % HPD: low", "95 % HPD: high"};
  constexpr double published[] = {0.07947,    -1.6479,   -0.7609,   0.1261,    0.1261,    1.0132,    1.9002,
                                  0.0000372,  0.0324416, 0.1057555, 0.2815673, 0.4666134, 1.0588599, 0.9286707,
                                  1.6617739,  -1.4094965, 0.9218208, -0.9300451, 0.9286707};
  const auto one = printedStatistics(meansOf(*runs.all.result, runs.scan.visual));
  const auto onGpu = machine.hasGpu ? printedStatistics(meansOf(*runs.gpu.result, runs.scan.visual))
                                    : std::vector<double>();
  std::vector<std::vector<Cell>> rows{
      {"observations", std::int64_t(1525), runs.all.result->count(),
       machine.hasGpu ? Cell(runs.gpu.result->count()) : Cell("no GPU here")}};
  for (std::size_t i = 0; i < std::size(published); ++i)
    rows.push_back({names[i], published[i], one[i], machine.hasGpu ? Cell(onGpu[i]) : Cell("no GPU here")});
  exhibit.table = plainTable({"of the means of the visual effect", "published", "CPU", "GPU"}, std::move(rows));
  exhibit.drawings = {{"Histogram, kernel density and 95 % HPD interval",
                       svgOf(chartNamed(runs.all.result, "Means: " + runs.scan.input.design.names[runs.scan.visual],
                                        {}))}};
  exhibit.remark =
      "The same statistics as R's density(): 512 points, three bandwidths past the ends. Single voxels carry a "
      "Monte Carlo error of about 0.02 with so many draws, and the ends of the flat histogram follow them." +
      std::string(standIn(runs.scan));
  return exhibit;
}

Exhibit shrinkage(const FerreiraRuns& runs) {
  Exhibit exhibit{"ferreira", "Figure 5", "Shrinkage: effect against mean prediction, two priors", {}, {}, {}, "", ""};
  Chart chart{"", "beta (visual)", "mean prediction", {}, {}};
  std::vector<std::vector<Cell>> rows;
  for (const auto* run : {&runs.all, &runs.strong}) {
    const auto& result = *run->result;
    const auto m = std::size_t(result.count());
    const Eigen::VectorXd mean = result.design.matrix.colwise().mean();
    Chart::Series points{run == &runs.all ? "nu = 3" : "nu = 45", Chart::Kind::points, {}, {}, {}};
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
      "The package ties two priors to ν, that of the noise and that of V_β: with 45 both are stronger and the "
      "effects draw together, as published. Sulcus has them apart, too." +
      std::string(standIn(runs.scan));
  return exhibit;
}

std::vector<Exhibit> runTimes(const FerreiraRuns& runs, const Machine& machine) {
  const auto gpuCell = [&](double value) { return machine.hasGpu ? Cell(value) : Cell("no GPU here"); };
  const auto draws = runs.scan.options.draws;
  Exhibit times{"ferreira", "Run times", format("Seconds for %d iterations", draws), {}, {}, {}, "", ""};
  times.table = plainTable(
      {"data", "published: R, s", "published: C, s", "published: CUDA, s", "CPU, 1 thread: s", "CPU, all threads: s",
       "GPU: s", "voxels"},
      {{runs.scan.name, std::int64_t(1327), std::int64_t(224), std::int64_t(22), runs.one.seconds, runs.all.seconds,
        gpuCell(runs.gpu.seconds), runs.one.result->count()},
       {runs.simulated.name, std::int64_t(2534), std::int64_t(309), std::int64_t(41), runs.simulatedOne.seconds,
        runs.simulatedAll.seconds, gpuCell(runs.simulatedGpu.seconds), runs.simulatedOne.result->count()}});
  times.remark = format(
      "Published are seconds for 3000 iterations on a notebook of 2010 with a GeForce 8400M GS; ours are for %d of "
      "the same model, from the series in memory to its maps. An iteration here does not depend on the number of "
      "scans and needs no factorization for each voxel, so even one thread is far ahead of the old GPU.",
      draws);
  Exhibit ratios{"ferreira", "Speed-up factors", "The same, relative", {}, {}, {}, "", ""};
  const auto row = [&](const char* name, double a, double b, double c, const Sampled& one, const Sampled& all,
                       const Sampled& gpu) {
    return std::vector<Cell>{name, a, b, c, one.seconds / all.seconds, gpuCell(one.seconds / gpu.seconds),
                             gpuCell(all.seconds / gpu.seconds)};
  };
  ratios.table = plainTable({"data", "published: C to R", "published: CUDA to C", "published: CUDA to R",
                             "all threads to one", "GPU to one thread", "GPU to all threads"},
                            {row("fmri", 6.0, 10.0, 60.0, runs.one, runs.all, runs.gpu),
                             row("swrfM", 8.2, 7.5, 61.8, runs.simulatedOne, runs.simulatedAll, runs.simulatedGpu)});
  ratios.remark =
      "A slice of a few thousand voxels is too small to keep many threads or a GPU of today busy; on whole volumes "
      "the factors are larger, see RESULTS.md.";
  return {std::move(times), std::move(ratios)};
}

Exhibit simulatedMap(const FerreiraRuns& runs) {
  Exhibit exhibit{"ferreira", "Figure 6", "Map of the auditory stimulation with tissue classes, truth beside", {}, {},
                  {}, "", ""};
  const PaperScan& scan = runs.simulated;
  const auto& result = *runs.simulatedAll.result;
  const auto p = probabilitiesOf(result, scan.auditory);
  const auto means = meansOf(result, scan.auditory);
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
  exhibit.pictures = {packageMap(scan, result, scan.auditory, "Means above the HPD interval, as the package draws it"),
                      probabilityMap(scan, result, scan.auditory, "P(effect > 0) ≥ 0.95"),
                      {"The true effects above 0", pictureOfSlice(scan, result, truth, active, 0, largest)}};
  exhibit.table = plainTable({"", "published", "here"},
                             {{"voxels shown with P ≥ 0.95", "a picture", std::int64_t(shown)},
                              {"of them truly above 0", "not known", format("%.1f %%", 100 * right / std::max(1.0, shown))},
                              {"r.m.s. error of the posterior means", "not known",
                               std::sqrt(square / double(means.size()))}});
  exhibit.remark =
      "The paper's series is not public with its maps, so one was simulated over them: effects that follow the "
      "tissue plus scatter, σ² = 1. P ≥ 0.95 promises at least 95 % true effects on average, which truth confirms." +
      std::string(standIn(scan));
  return exhibit;
}

/// Δ of the true effects of one regressor: their regression on the covariates of the voxels that were analyzed.
Eigen::VectorXd trueDelta(const PaperScan& scan, const ActivationResult& result) {
  const auto m = Eigen::Index(result.count()), q = Eigen::Index(result.problem->covariates);
  Eigen::MatrixXd z(m, q);
  Eigen::VectorXd beta(m);
  for (Eigen::Index i = 0; i < m; ++i) {
    for (Eigen::Index c = 0; c < q; ++c) z(i, c) = result.problem->z[std::size_t(c * m + i)];
    beta(i) = scan.beta->at(result.voxels[std::size_t(i)], int(scan.auditory));
  }
  return (z.transpose() * z).ldlt().solve(z.transpose() * beta);
}

std::vector<Exhibit> randomEffects(const FerreiraRuns& runs) {
  const PaperScan& scan = runs.simulated;
  const auto& result = *runs.simulatedAll.result;
  const std::string& name = scan.input.design.names[scan.auditory];
  const int q = int(result.covariateNames.size()), k = result.regressors();
  Exhibit draws{"ferreira", "Figure 7", "Draws of the mean of the random effects", {}, {}, {}, "", ""};
  std::vector<std::vector<Cell>> rows;
  const Eigen::VectorXd known = trueDelta(scan, result);
  for (int c = 0; c < q; ++c) {
    double sum = 0, square = 0, n = 0;
    for (std::size_t i = std::size_t(scan.auditory) * q + c; i < result.samples->delta.size(); i += std::size_t(q) * k) {
      sum += result.samples->delta[i], square += std::pow(result.samples->delta[i], 2), ++n;
    }
    const double mean = sum / n, sd = std::sqrt(std::max(0.0, square / n - mean * mean));
    const double truth = known(c);
    rows.push_back({result.covariateNames[std::size_t(c)], "a picture", truth, mean, sd,
                    format("%.1f", std::abs(mean - truth) / sd)});
  }
  draws.table = plainTable({"covariate", "published", "Δ of the true effects", "posterior mean", "s.d.", "error in s.d."}, rows);
  draws.drawings = {{"Kept draws of Δ of the auditory effect, a line for each covariate",
                     svgOf(chartNamed(runs.simulatedAll.result, "Δ: " + name, {}))}};
  draws.remark =
      "Δ says how the mean effect of a voxel depends on its tissue. The three maps nearly sum to one, so they are "
      "known together less well than their differences, which the wide draws show." +
      std::string(standIn(scan));
  Exhibit classes{"ferreira", "Figures 8–10", "Random effects of each tissue class", {}, {}, {}, "", ""};
  classes.drawings = {{"Posterior densities of Δ of the auditory effect: intercept, CSF, gray and white matter",
                       svgOf(chartNamed(runs.simulatedAll.result, "Δ density: " + name, {}))}};
  classes.table = draws.table;
  classes.remark =
      "The paper shows the draws of each class in a plot of its own; here they share one, so that classes are "
      "compared by eye." +
      std::string(standIn(scan));
  return {std::move(draws), std::move(classes)};
}

Exhibit generators(const FerreiraRuns& runs, const Machine& machine) {
  Exhibit exhibit{"ferreira", "Generators", "The package's three generators and Sulcus' own, side by side", {}, {}, {},
                  "", ""};
  std::vector<std::vector<Cell>> rows;
  struct Known {
    RandomGenerator generator;
    const char *name, *published;
  };
  for (const auto& known : {Known{RandomGenerator::multicarry, "multicarry (Marsaglia)", "fastest"},
                            Known{RandomGenerator::xorgens, "xorgens (Brent)", "not so fast"},
                            Known{RandomGenerator::mt19937, "Mersenne twister", "slowest"},
                            Known{RandomGenerator::philox, "Philox", "–"}}) {
    auto options = runs.scan.options;
    options.rng = known.generator;
    Sampled one;
    withThreads(1, [&] { one = sampled(activation::analyzeActivation, runs.scan, options); });
    Cell onGpu = "no GPU here";
    if (machine.hasGpu) onGpu = sampled(gpu::activation::analyzeActivation, runs.scan, options).seconds;
    const StreamCorrelation own = seededCorrelation(known.generator);
    const auto means = meansOf(*one.result, runs.scan.visual);
    const auto p = probabilitiesOf(*one.result, runs.scan.visual);
    const auto [low, high] = std::minmax_element(means.begin(), means.end());
    const bool packaged = known.generator == RandomGenerator::multicarry;
    const StreamCorrelation theirs = packaged ? packageCorrelation() : StreamCorrelation{};
    rows.push_back({known.name, known.published, one.seconds, onGpu,
                    packaged ? Cell(format("%.2f … %.2f", theirs.lowest, theirs.highest)) : Cell("not measured"),
                    format("%.3f … %.3f", own.lowest, own.highest), format("%.3f … %.3f", *low, *high),
                    std::int64_t(std::count_if(p.begin(), p.end(), [](float v) { return v >= 0.95f; }))});
  }
  exhibit.table =
      plainTable({"generator", "published speed", "CPU, 1 thread: s", "GPU: s",
                  "neighbours' correlation, seeds as in the package", "neighbours' correlation here",
                  "posterior means, visual", "voxels with P ≥ 0.95"},
                 std::move(rows));
  exhibit.remark =
      "The package seeds each thread with half a common seed plus the number of the thread, anew in every sweep, so "
      "the first numbers of neighbouring voxels differ by a constant. Here every voxel's stream is seeded by "
      "Philox and neighbours are not correlated; the figures then agree within Monte Carlo error whatever the "
      "generator.";
  return exhibit;
}

}  // namespace

std::vector<Exhibit> ferreiraExhibits(const PapersOptions& options, const Machine& machine) {
  const FerreiraRuns runs = measureRuns(options, machine);
  std::vector<Exhibit> exhibits = runTimes(runs, machine);
  exhibits.push_back(probabilityMaps(runs, "Figure 1", "visual", runs.scan.visual));
  exhibits.push_back(probabilityMaps(runs, "Figure 2", "auditory", runs.scan.auditory));
  exhibits.push_back(fittedSeries(runs));
  exhibits.push_back(histogramOfMeans(runs, machine));
  exhibits.push_back(shrinkage(runs));
  exhibits.push_back(simulatedMap(runs));
  for (auto& exhibit : randomEffects(runs)) exhibits.push_back(std::move(exhibit));
  exhibits.push_back(generators(runs, machine));
  return exhibits;
}

}  // namespace sulcus::bench
