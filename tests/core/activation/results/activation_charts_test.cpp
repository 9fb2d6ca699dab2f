#include "core/activation/results/activation_charts.h"

#include "core/activation/results/posterior.h"
#include "tests/core/activation/activation_inputs.h"

#include <algorithm>
#include <cstdio>
#include <numeric>

#include <gmock/gmock.h>

namespace sulcus::activation {
namespace {

using test::normal, test::optionsWith, test::phantomResult, test::Rng, test::wavesInput;

Chart chartOf(const std::shared_ptr<const ActivationResult>& result, const std::string& name,
              const Vec3<double>& p_in_world = {}) {
  const auto plots = activationPlots(result);
  const auto plot = std::find_if(plots.begin(), plots.end(), [&](const Plot& p) { return p.name == name; });
  if (plot == plots.end()) throw std::runtime_error("no plot " + name);
  return plot->make(p_in_world);
}

const Chart::Series& seriesOf(const Chart& chart, const std::string& name) {
  const auto found = std::find_if(chart.series.begin(), chart.series.end(),
                                  [&](const Chart::Series& s) { return s.name == name; });
  if (found == chart.series.end()) throw std::runtime_error("no series " + name);
  return *found;
}

Vec3<double> centerOf(const ActivationResult& result, std::size_t i) {
  const auto v = result.grid.voxel(result.voxels[i]);
  return result.grid.worldFromVoxel.point({double(v.x), double(v.y), double(v.z)});
}

double area(const Chart::Series& series) {
  double sum = 0;
  for (const double y : series.y) sum += y;
  return sum * (series.x[1] - series.x[0]);
}

TEST(ActivationCharts, AreThereForEveryRegressorButTheIntercept) {
  std::vector<std::string> names;
  for (const auto& plot : activationPlots(phantomResult())) names.push_back(plot.name);
  EXPECT_EQ(names,
            (std::vector<std::string>{"Time series", "Chain: visual", "Chain: auditory", "Means: visual",
                                      "Means: auditory", "Shrinkage: visual", "Shrinkage: auditory",
                                      "Δ: visual", "Δ: auditory", "Δ density: visual", "Δ density: auditory",
                                      "Residual autocorrelation", "Residual spectrum", "Design"}));
}

TEST(ActivationCharts, FitTheSeriesAtTheCrosshair) {
  const auto result = phantomResult();
  const std::size_t voxel = 700, m = std::size_t(result->count());
  const auto chart = chartOf(result, "Time series", centerOf(*result, voxel));
  const auto &data = seriesOf(chart, "data"), &fitted = seriesOf(chart, "fitted"),
             &band = seriesOf(chart, "90 % credible band");
  ASSERT_EQ(data.y.size(), 60u);
  for (int t = 0; t < 60; ++t) {
    const auto at = std::size_t(t);
    EXPECT_EQ(data.y[at], result->bold->at(result->voxels[voxel], t));
    double mean = 0;
    for (int j = 0; j < 3; ++j)
      mean += result->design.matrix(t, j) * result->mean[std::size_t(j) * m + voxel];
    EXPECT_NEAR(fitted.y[at], mean, 1e-4);
    EXPECT_LT(band.y[at], fitted.y[at]);
    EXPECT_GT(band.y2[at], fitted.y[at]);
  }
  EXPECT_EQ(data.x.front(), 1);
  EXPECT_EQ(chart.xLabel, "scan");
}

TEST(ActivationCharts, AreOverSecondsWhereTheRepetitionTimeIsKnown) {
  const auto result = phantomResult();
  const Chart chart = activationPlots(result, 2.5).front().make(centerOf(*result, 700));
  EXPECT_EQ(chart.xLabel, "time (s)");
  const auto& data = seriesOf(chart, "data");
  EXPECT_EQ(data.x.front(), 0);
  EXPECT_EQ(data.x.back(), 59 * 2.5);
}

TEST(ActivationCharts, SayWhereThereIsNothingToShow) {
  for (const char* name : {"Time series", "Chain: visual"})
    for (const Vec3<double>& p : {Vec3<double>{1e4, 0, 0}, Vec3<double>{NAN, 0, 0}}) {
      const auto chart = chartOf(phantomResult(), name, p);
      EXPECT_TRUE(chart.series.empty());
      EXPECT_EQ(chart.title, "No voxel of the mask here");
    }
}

TEST(ActivationCharts, ShowTheChainOfTheVoxel) {
  const auto result = phantomResult();
  const auto chart = chartOf(result, "Chain: auditory", centerOf(*result, 12));
  const auto& second = seriesOf(chart, "chain 2");
  const auto draws = replayVoxel(*result->problem, result->sampling, *result->samples, 12);
  ASSERT_EQ(second.y.size(), 1500u);
  EXPECT_EQ(second.y[10], draws[(1500 + 10) * 4 + 2]);
  EXPECT_EQ(seriesOf(chart, "end of burn-in").x.front(), 150.5);
  double rhat = 0, ess = 0;
  int of = 0;
  const std::string figures = chart.title.substr(chart.title.find(": R-hat"));
  ASSERT_EQ(std::sscanf(figures.c_str(), ": R-hat %lf, ESS %lf of %d", &rhat, &ess, &of), 3) << chart.title;
  EXPECT_NEAR(rhat, 1, 0.05);
  EXPECT_EQ(of, 2 * result->sampling.kept());
  EXPECT_GT(ess, 0.3 * of);
}

TEST(ActivationCharts, DrawMeansAsAHistogramOfAreaOne) {
  const auto chart = chartOf(phantomResult(), "Means: visual");
  EXPECT_NEAR(area(seriesOf(chart, "histogram")), 1, 1e-9);
  EXPECT_NEAR(area(seriesOf(chart, "density")), 1, 0.01);
  const auto m = std::size_t(phantomResult()->count());
  const Range inside = highestDensity(std::span(phantomResult()->mean).subspan(m, m), 0.95);
  EXPECT_EQ(seriesOf(chart, "95 % HPD interval").x, (std::vector<double>{inside.low, inside.high}));
}

TEST(ActivationCharts, DistinguishShrinkageOfTwoPriors) {
  const auto chart = chartOf(phantomResult(), "Shrinkage: visual", {1e4, 0, 0});
  const auto& points = seriesOf(chart, "ν_e = 3");
  EXPECT_LE(points.x.size(), 5000u);
  EXPECT_EQ(points.x[0], phantomResult()->leastSquares[std::size_t(phantomResult()->count())]);
  const auto& line = seriesOf(chart, "no shrinkage");
  EXPECT_EQ(line.x, line.y);
  EXPECT_EQ(chart.series.size(), 2u) << "no voxel at the crosshair";
}

TEST(ActivationCharts, OfShrinkageLeadToVoxelsAndShowThatOfTheCrosshair) {
  const auto result = phantomResult();
  const std::size_t m = std::size_t(result->count());
  const Vec3<double> place = centerOf(*result, 700);
  const auto chart = chartOf(result, "Shrinkage: auditory", place);
  const auto& here = seriesOf(chart, "at the crosshair");
  EXPECT_EQ(here.x, (std::vector<double>{result->leastSquares[2 * m + 700]}));
  EXPECT_EQ(here.y, (std::vector<double>{result->mean[2 * m + 700]}));
  const auto& points = seriesOf(chart, "ν_e = 3");
  ASSERT_EQ(points.places.size(), points.x.size());
  const Vec3<double> second = centerOf(*result, (m + 4999) / 5000);
  EXPECT_EQ(points.places[1], (Vec3<float>{float(second.x), float(second.y), float(second.z)}));
}

TEST(ActivationCharts, DrawDeltaForEachTissue) {
  const auto chart = chartOf(phantomResult(), "Δ: visual");
  EXPECT_EQ(chart.series.size(), 8u);  // four covariates, two chains
  const auto& grey = seriesOf(chart, "gm, chain 1");
  EXPECT_EQ(grey.y[5], phantomResult()->samples->delta[5 * 12 + 4 + 2]);
  EXPECT_NEAR(area(seriesOf(chartOf(phantomResult(), "Δ density: visual"), "gm")), 1, 0.01);
}

TEST(ActivationCharts, OfSlicesFollowTheCrosshair) {
  auto options = optionsWith(Response::raw, 60);
  options.scope = Scope::slices;
  const auto result =
      std::make_shared<const ActivationResult>(analyzeActivation(wavesInput({4, 3, 3}, 30, 2), options, {}));
  const auto chart = chartOf(result, "Δ: wave1", {0, 0, 1});
  EXPECT_EQ(chart.title, "slice 2");
  const auto kept = std::size_t(result->sampling.kept());
  EXPECT_EQ(seriesOf(chart, "chain 1").y[3], result->samples->delta[(kept + 3) * 2 + 1]);
  EXPECT_TRUE(chartOf(result, "Δ: wave1", {0, 0, 9}).series.empty());
}

TEST(ActivationCharts, ShowTheDesignBeforeARun) {
  const auto& design = phantomResult()->design;
  const auto chart = designPlot(design).make({});
  ASSERT_TRUE(chart.matrix.has_value());
  EXPECT_EQ(chart.matrix->columns, design.names);
  EXPECT_EQ(chart.matrix->rows.size(), 60u);
  EXPECT_EQ(chart.matrix->rows[7][2], design.matrix(7, 2));
}

TEST(KernelDensity, OfANormalSampleIsNearlyTheNormalDensity) {
  Rng rng(1);
  std::vector<double> sample(20000);
  for (double& x : sample) x = 3 + 2 * normal(rng);
  const auto density = kernelDensity("x", sample);
  EXPECT_NEAR(area(density), 1, 1e-3);
  for (std::size_t i = 0; i < density.x.size(); ++i) {
    const double z = (density.x[i] - 3) / 2;
    EXPECT_NEAR(density.y[i], std::exp(-z * z / 2) / (2 * std::sqrt(2 * std::numbers::pi)), 0.01);
  }
}

TEST(KernelDensity, OfWhatDoesNotVaryIsEmpty) {
  EXPECT_TRUE(kernelDensity("x", std::vector<double>(50, 2.0)).x.empty());
  EXPECT_TRUE(kernelDensity("x", {}).x.empty());
}

}  // namespace
}  // namespace sulcus::activation
