#include "app/analyses/preparation/preparation_analysis.h"

#include "core/io/files.h"
#include "core/phantom/moved_head.h"
#include "tests/app/analyses/analysis_runs.h"
#include "tests/core/preparation/diffusion/moving_fibers.h"
#include "tests/support/temporary_folder.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>

namespace sulcus::app::analyses {
namespace {

namespace fs = std::filesystem;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

Layer boldLayer(std::string name, const std::vector<preparation::Motion>& motion) {
  phantom::MovedHead head;
  head.noise = 1;
  head.size = {26, 31, 16};
  head.spacing = {6.5, 6.5, 7.5};
  Layer bold;
  bold.name = std::move(name);
  bold.content = VolumeLayer{std::make_shared<const Series<float>>(head.scan(motion)), {}, 2, {}};
  return bold;
}

Layer dwiLayer(std::string name) {
  const preparation::MovingFibers head({24, 26, 18}, 4, 2, 20, 1000);
  Layer dwi;
  dwi.name = std::move(name);
  dwi.content = VolumeLayer{
      std::make_shared<const Series<float>>(head.scan(std::vector<preparation::Motion>(22), 40, 1)),
      head.gradients(),
      0,
      {}};
  return dwi;
}

AnalysisInputs inputsOf(const char* slot, Layer layer) {
  return {{slot, std::make_shared<const Layer>(std::move(layer))}};
}

RunResult prepared(const AnalysisInputs& inputs, const OptionValues& chosen = {}) {
  const Analysis row = preparationAnalysis();
  OptionValues values = defaultsOf(row.options);
  for (const auto& [name, value] : chosen) values[name] = value;
  row.advice(inputs, values);
  return row.cpu(inputs, values, {}, {});
}

TEST(PreparationAnalysis, GivesAFunctionalSeriesUnderTheNamesOfBids) {
  const auto inputs = inputsOf("bold", boldLayer("sub-01_task-a_bold", phantom::walkOf(8, 2, 1)));
  const RunResult result = prepared(inputs);
  EXPECT_THAT(namesOf(result.layers),
              ElementsAre("sub-01_task-a_desc-brain_mask", "sub-01_task-a_desc-preproc_bold",
                          "sub-01_task-a_desc-confounds_timeseries", "sub-01_task-a_boldref"));
  EXPECT_TRUE(result.layers[0].display.visible && result.layers[0].display.outline);
  EXPECT_TRUE(result.layers[1].display.visible);
  EXPECT_THAT(result.notes, Contains(HasSubstr("Volumes were realigned to their mean")));
  std::vector<std::string> plots;
  for (const Plot& plot : result.plots) plots.push_back(plot.name);
  EXPECT_THAT(plots, ElementsAre("Motion", "Displacement", "DVARS", "Carpet"));
}

TEST(PreparationAnalysis, GivesADiffusionSeriesWithItsNoiseAndMask) {
  const RunResult result = prepared(inputsOf("dwi", dwiLayer("sub-01_dwi")));
  EXPECT_THAT(
      namesOf(result.layers),
      ElementsAre("sub-01_desc-brain_mask", "sub-01_desc-preproc_dwi", "sub-01_desc-confounds_timeseries",
                  "sub-01_desc-noise_dwimap", "sub-01_desc-rank_dwimap", "sub-01_dwiref"));
  EXPECT_FALSE(std::get<VolumeLayer>(result.layers[1].content).gradients.empty());
}

TEST(PreparationAnalysis, SkipsTheStepsThatAreOff) {
  const OptionValues off{{"motion", false}, {"noise", false}, {"ringing", false}, {"drift", false}};
  const auto dwi = inputsOf("dwi", dwiLayer("dwi"));
  const RunResult diffusion = prepared(dwi, off);
  EXPECT_THAT(namesOf(diffusion.layers), ElementsAre("desc-brain_mask", "desc-preproc_dwi", "dwiref"));
  EXPECT_EQ(std::get<VolumeLayer>(diffusion.layers[1].content).series,
            std::get<VolumeLayer>(dwi.begin()->second->content).series);
  const auto bold = inputsOf("bold", boldLayer("bold", phantom::walkOf(8, 2, 1)));
  const RunResult functional = prepared(bold, off);
  EXPECT_THAT(functional.notes, Contains(HasSubstr("Motion was not corrected, as chosen")));
  EXPECT_EQ(std::get<VolumeLayer>(functional.layers[1].content).series,
            std::get<VolumeLayer>(bold.begin()->second->content).series);
}

TEST(PreparationAnalysis, InterpolatesSlicesByTheTimesOfTheSidecar) {
  test::TemporaryFolder folder;
  Layer bold = boldLayer("bold", std::vector<preparation::Motion>(12));
  auto& volume = std::get<VolumeLayer>(bold.content);
  Series<float> ramp = *volume.series;  // a voxel of slice z at time t + z/16 · 2 s has that time as value
  for (int v = 0; v < ramp.count; ++v)
    for (std::int64_t i = 0; i < ramp.grid.voxels(); ++i)
      ramp.at(i, v) = float(1000 + 10 * (2 * v + 2.0 * ramp.grid.voxel(i).z / 16));
  volume.series = std::make_shared<const Series<float>>(ramp);
  const fs::path file = folder / "bold.nii";
  io::saveLayer(bold, file);
  std::string times;
  for (int z = 0; z < 16; ++z) times += (z ? ", " : "") + std::to_string(2.0 * z / 16);
  std::ofstream(folder / "bold.json") << R"({"RepetitionTime": 2, "SliceTiming": [)" << times << "]}";
  const auto inputs = inputsOf("bold", io::openLayer(file, {}));
  const OptionValues chosen{{"slice-timing", std::string("interpolate")}, {"motion", false}};
  const RunResult result = prepared(inputs, chosen);
  EXPECT_THAT(result.notes, Contains(HasSubstr("Slices were interpolated to the middle time")));
  const auto& series = *std::get<VolumeLayer>(result.layers[1].content).series;
  const double middle = 2.0 * 15 / 16 / 2;
  for (int v = 3; v < 9; ++v)  // away from the ends, where the series is mirrored
    for (int z = 0; z < 16; ++z)
      ASSERT_NEAR(series.at(ramp.grid.index(13, 15, z), v), 1000 + 10 * (2 * v + middle), 0.6)
          << v << " " << z;
  fs::remove(folder / "bold.json");
  EXPECT_THAT(prepared(inputsOf("bold", io::openLayer(file, {})), chosen).notes,
              Contains(HasSubstr("Slices were not interpolated")));
}

TEST(PreparationAnalysis, TakesTheAxisOfEddyCurrentsFromTheSidecar) {
  test::TemporaryFolder folder;
  Layer dwi = dwiLayer("dwi");
  dwi.source = folder / "dwi.nii";
  std::ofstream(folder / "dwi.json") << R"({"PhaseEncodingDirection": "j"})";
  const OptionValues chosen{{"noise", false}, {"ringing", false}};
  EXPECT_THAT(prepared(inputsOf("dwi", dwi), chosen).notes,
              Contains("No displacement by eddy currents was found."));
  fs::remove(folder / "dwi.json");
  EXPECT_THAT(prepared(inputsOf("dwi", dwi), chosen).notes,
              Contains(HasSubstr("Eddy currents were not corrected")));
}

TEST(PreparationAnalysis, SaysWhatCannotBePrepared) {
  test::expectError([] { prepared({}); }, {"There is no raw series"}, ErrorKind::usage);
  AnalysisInputs both = inputsOf("dwi", dwiLayer("dwi"));
  both.merge(inputsOf("bold", boldLayer("bold", phantom::walkOf(4, 2, 1))));
  test::expectError([&] { prepared(both); }, {"a separate run"}, ErrorKind::usage);
  test::expectError([] { prepared(inputsOf("bold", dwiLayer("scan"))); },
                    {"'scan' is a diffusion series", "--dwi"}, ErrorKind::usage);
  test::expectError([] { prepared(inputsOf("dwi", boldLayer("scan", phantom::walkOf(4, 2, 1)))); },
                    {"'scan' has no gradients"});
  test::expectError([] { prepared(inputsOf("bold", boldLayer("scan", phantom::walkOf(1, 2, 1)))); },
                    {"There is one volume"});
}

TEST(PreparationAnalysis, ShowsTheBrainBeforeARun) {
  const Analysis row = preparationAnalysis();
  for (const auto& inputs :
       {inputsOf("bold", boldLayer("bold", phantom::walkOf(4, 2, 1))), inputsOf("dwi", dwiLayer("dwi"))}) {
    const auto shown = row.inputLayers(inputs, defaultsOf(row.options), {});
    ASSERT_EQ(shown.size(), 1u);
    EXPECT_TRUE(shown[0].display.outline);
    const Mask mask = maskOf(shown[0]);
    const auto inside = std::ranges::count(mask.values, 1);
    EXPECT_GT(inside, 500);
    EXPECT_LT(inside, mask.grid.voxels() / 2);
  }
}

TEST(PreparationAnalysis, IsHeldAgainstTheTruthOfItsPhantom) {
  const Analysis row = preparationAnalysis();
  OptionValues demo = defaultsOf(row.demoOptions);
  demo["volumes"] = std::int64_t(8);
  AnalysisInputs inputs = row.demo(demo);
  const RunResult result = prepared(inputs);
  const auto rows = row.compareWithTruth(result, inputs, {});
  ASSERT_EQ(rows.size(), 2u);
  for (const AgreementRow& one : rows) EXPECT_TRUE(one.agrees()) << one.quantity << " " << one.maximum;
  inputs.erase("truth");
  EXPECT_TRUE(row.compareWithTruth(result, inputs, {}).empty());
}

}  // namespace
}  // namespace sulcus::app::analyses
