// Estimated times of runs, compared with measured times.
#include "app/analyses/run_time.h"

#include "app/analyses/table.h"
#include "tests/app/analyses/analysis_runs.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace sulcus::app::analyses {
namespace {

const Analysis& analysisNamed(const std::string& name) {
  return *std::find_if(table().begin(), table().end(), [&](const Analysis& one) { return one.name == name; });
}

/// The estimated time of a run on the phantom of an analysis with these options.
double reckoned(const std::string& name, const OptionValues& phantom, const OptionValues& given) {
  const Analysis& analysis = analysisNamed(name);
  OptionValues demo = defaultsOf(analysis.demoOptions), values = defaultsOf(analysis.options);
  for (const auto& [option, value] : phantom) demo[option] = value;
  for (const auto& [option, value] : given) values[option] = value;
  return secondsOfRun(analysis, analysis.demo(demo), values);
}

/// The estimated time for a diffusion series of this size, with the gradients of the phantom.
double reckonedFibers(int edge, const OptionValues& given) {
  const Analysis& fibers = analysisNamed("fibers");
  const AnalysisInputs phantom = fibers.demo(defaultsOf(fibers.demoOptions));
  OptionValues values = defaultsOf(fibers.options);
  for (const auto& [option, value] : given) values[option] = value;
  Layer dwi = *phantom.find("dwi")->second;
  auto& volume = std::get<VolumeLayer>(dwi.content);
  volume.series = std::make_shared<const Series<float>>(
      Grid{{edge, edge, 1}, volume.series->grid.worldFromVoxel}, volume.series->count);
  return secondsOfRun(fibers, {{"dwi", std::make_shared<const Layer>(std::move(dwi))}}, values);
}

void expectAbout(double seconds, double measured) {
  EXPECT_GT(seconds, measured / 2);
  EXPECT_LT(seconds, measured * 2);
}

// The times in the table of tests/bench/RESULTS.md: seconds of processor time.
TEST(RunTime, OfFibers) {
  expectAbout(reckonedFibers(128, {{"model", "csd"}, {"order", std::int64_t(6)}}), 0.83);
  expectAbout(reckonedFibers(128, {{"model", "csd"}, {"order", std::int64_t(8)}}), 1.32);
  expectAbout(reckonedFibers(128, {{"model", "csd"}, {"order", std::int64_t(10)}}), 2.36);
}

TEST(RunTime, OfActivation) {
  expectAbout(reckoned("activation", {}, {{"draws", std::int64_t(3000)}}), 0.50);
}

TEST(RunTime, OfActivationGoesOnToTheEndUntilItIsConverged) {
  EXPECT_NEAR(reckoned("activation", {}, {}),
              10 * reckoned("activation", {}, {{"draws", std::int64_t(3000)}}), 1e-9);
}

TEST(RunTime, OfRegistrationFollowsVoxelsAndIterations) {
  const double all = reckoned("registration", {}, {});
  EXPECT_GT(all, 0);
  EXPECT_LT(reckoned("registration", {}, {{"iterations", "1/1/1"}}), all);
  EXPECT_NEAR(reckoned("registration", {}, {{"symmetric", true}}), 2 * all, 1e-9);
}

TEST(RunTime, OfSurface) {
  expectAbout(reckoned("surface", {{"size", std::int64_t(32)}}, {}), 0.80);
  expectAbout(reckoned("surface", {{"size", std::int64_t(64)}}, {}), 4.13);
}

TEST(RunTime, IsNotReckonedWithoutInputs) {
  for (const Analysis& analysis : table())
    EXPECT_EQ(secondsOfRun(analysis, {}, defaultsOf(analysis.options)), 0) << analysis.name;
}

}  // namespace
}  // namespace sulcus::app::analyses
