#include "app/analyses/activation/activation_analysis.h"
#include "app/analyses/activation/activation_inputs.h"
#include "app/analyses/preparation/preparation_report.h"
#include "core/phantom/moved_head.h"

#include <algorithm>

#include <gmock/gmock.h>

// Raw functional scans in the activation analysis and in the command that prepares them.
namespace sulcus::app::analyses {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;

std::vector<preparation::Motion> jump(int volumes) {
  std::vector<preparation::Motion> motion(static_cast<std::size_t>(volumes));
  for (std::size_t v = 7; v < motion.size(); ++v) motion[v] = {{0, 0.6, 0.4}, {0.01, 0, 0}};
  return motion;
}

/// A head with a design that is on for two volumes and off for two.
AnalysisInputs inputsOf(const std::vector<preparation::Motion>& motion) {
  phantom::MovedHead head;
  head.noise = 1;
  head.size = {26, 31, 16}, head.spacing = {6.5, 6.5, 7.5};
  AnalysisInputs inputs;
  Layer bold;
  bold.name = "sub-01_task-a_bold";
  VolumeLayer volume;
  volume.series = std::make_shared<const Series<float>>(head.scan(motion));
  volume.secondsPerVolume = 2;
  bold.content = volume;
  inputs.emplace("bold", std::make_shared<const Layer>(bold));
  TableLayer table{{"task"}, {}};
  for (std::size_t v = 0; v < motion.size(); ++v) table.rows.push_back({v % 4 < 2 ? "1" : "0"});
  inputs.emplace("design", std::make_shared<const Layer>(tableLayer("design", table)));
  return inputs;
}

const Layer* layerCalled(const RunResult& result, const std::string& name) {
  const auto found = std::ranges::find(result.layers, name, &Layer::name);
  return found == result.layers.end() ? nullptr : &*found;
}

OptionValues quick(double maxDisplacement = 0) {
  return {{"prepare", std::string("auto")},
          {"max-displacement", maxDisplacement},
          {"draws", std::int64_t(40)},
          {"thinning", std::int64_t(1)}};
}

TEST(PreparedBold, RealignsAndAddsTheSixParameters) {
  const AnalysisInputs inputs = inputsOf(jump(24));
  const RunResult result = activationAnalysis().cpu(inputs, quick(), {}, {});
  EXPECT_THAT(result.notes, Contains(HasSubstr("Volumes were realigned to their mean")));
  EXPECT_THAT(result.notes, Contains(HasSubstr("The six parameters of motion are confounds")));
  ASSERT_TRUE(layerCalled(result, "prepared_bold"));
  ASSERT_TRUE(layerCalled(result, "prepared_confounds"));
  EXPECT_TRUE(std::ranges::any_of(result.plots, [](const Plot& plot) { return plot.name == "Motion"; }));
}

TEST(PreparedBold, IsJudgedByFiguresAndPicturesOfReports) {
  const AnalysisInputs inputs = inputsOf(jump(24));
  const RunResult result = activationAnalysis().cpu(inputs, quick(), {}, {});
  const auto figures = preparationFigures(result);
  ASSERT_EQ(figures.size(), 4u);
  EXPECT_EQ(figures[0].name, "mean_displacement");
  EXPECT_NEAR(figures[1].value, 1.5, 0.25)
      << "0.6 and 0.4 mm and 0.01 of 50 mm, and the noise of six parameters";
  EXPECT_EQ(figures[2].value, 1) << "volumes that moved";
  const auto pictures = preparationPictures(result, inputs, "bold");
  ASSERT_EQ(pictures.size(), 3u) << "traces, before, after";
  EXPECT_FALSE(pictures[0].isOfSlices);
  EXPECT_THAT(pictures[0].caption, HasSubstr("framewise displacement to 1."));
  EXPECT_THAT(pictures[0].caption, HasSubstr("series of voxels of the brain"));
  const io::Picture& traces = pictures[0].picture;
  ASSERT_EQ(traces.rgb.size(), std::size_t(3 * traces.width) * std::size_t(traces.height));
  const auto redAt = [&](int volume) {  // a marker in the first row
    const auto at = std::size_t(3 * (traces.width * (2 * volume + 1) / 48));
    return traces.rgb[at] > 150 && traces.rgb[at + 1] < 100;
  };
  EXPECT_TRUE(redAt(7));
  EXPECT_FALSE(redAt(6));
  RunResult plain;
  EXPECT_TRUE(preparationFigures(plain).empty());
  EXPECT_TRUE(preparationPictures(plain, inputs, "bold").empty());
}

TEST(PreparedBold, IsWhatItWasWithoutTheOption) {
  const AnalysisInputs inputs = inputsOf(jump(24));
  OptionValues values = quick();
  values["prepare"] = std::string("off");
  const RunResult result = activationAnalysis().cpu(inputs, values, {}, {});
  EXPECT_THAT(result.notes, Not(Contains(HasSubstr("realigned"))));
  EXPECT_FALSE(layerCalled(result, "prepared_bold"));
}

TEST(PreparedBold, LeavesVolumesOutBeforeWhichTheHeadMovedTooFar) {
  const AnalysisInputs inputs = inputsOf(jump(24));
  const auto prepared = preparedBold(inputs, quick(0.5), preparation::kOnProcessor, {});
  ASSERT_TRUE(prepared);
  const auto input = activationInput(inputs, designOptionsFrom(quick(0.5)), &*prepared);
  EXPECT_THAT(input.design.confoundNames, Contains("trans_y"));
  EXPECT_THAT(input.design.confoundNames, Contains("dropped_7"));
  EXPECT_THAT(input.design.notes, Contains(HasSubstr("1 volume of 24 left out because the head moved")));
  EXPECT_EQ(input.bold->at(6500, 7), prepared->series->motion.series->at(6500, 6));
}

TEST(PreparedBold, KeepsConfoundsThatAreGivenInTheirPlace) {
  AnalysisInputs inputs = inputsOf(jump(24));
  TableLayer other{{"breath"}, {}};
  for (int v = 0; v < 24; ++v) other.rows.push_back({std::to_string(v % 5)});
  inputs.emplace("confounds", std::make_shared<const Layer>(tableLayer("confounds", other)));
  const auto prepared = preparedBold(inputs, quick(), preparation::kOnProcessor, {});
  const auto input = activationInput(inputs, designOptionsFrom(quick()), &*prepared);
  EXPECT_EQ(input.design.confoundNames, std::vector<std::string>{"breath"});
}

TEST(PreparedBold, SaysWhereThereAreTooFewScansForTheParameters) {
  const AnalysisInputs inputs = inputsOf(jump(10));
  const auto prepared = preparedBold(inputs, quick(), preparation::kOnProcessor, {});
  const auto input = activationInput(inputs, designOptionsFrom(quick()), &*prepared);
  EXPECT_EQ(input.design.confounds.cols(), 0);
  EXPECT_THAT(input.design.notes, Contains(HasSubstr("too few scans (10)")));
}

TEST(PreparedBold, SaysThatNobodyMovedAndAddsNothing) {
  const AnalysisInputs inputs = inputsOf(std::vector<preparation::Motion>(24));
  const auto prepared = preparedBold(inputs, quick(), preparation::kOnProcessor, {});
  EXPECT_THAT(prepared->series->motion.notes, Contains(HasSubstr("Nobody moved")));
  const auto input = activationInput(inputs, designOptionsFrom(quick()), &*prepared);
  EXPECT_EQ(input.design.confounds.cols(), 0);
}

}  // namespace
}  // namespace sulcus::app::analyses
