#include "app/analyses/table.h"

#include "app/analyses/run_support.h"
#include "core/analysis/command_line.h"
#include "core/base/name_pattern.h"
#include "core/image/display/layer_kinds.h"
#include "tests/support/temporary_folder.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sulcus::app::analyses {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(Analyses, AreCompleteRows) {
  ASSERT_FALSE(table().empty());
  for (const auto& analysis : table()) {
    SCOPED_TRACE(analysis.name);
    EXPECT_FALSE(analysis.title.empty());
    EXPECT_FALSE(analysis.summary.empty());
    EXPECT_FALSE(analysis.inputs.empty());
    EXPECT_TRUE(analysis.cpu && analysis.gpu && analysis.compare && analysis.compareWithTruth &&
                analysis.memory && analysis.demo);
  }
}

TEST(Analyses, GiveTheSliceInViewAMaskOfIt) {
  for (const auto& analysis : table()) {
    if (!analysis.inSlice) continue;
    SCOPED_TRACE(analysis.name);
    OptionValues demo, values;
    for (const auto& option : analysis.demoOptions) demo[option.name] = option.defaultValue;
    for (const auto& option : analysis.options) values[option.name] = option.defaultValue;
    const AnalysisInputs inputs = analysis.demo(demo);
    const Mask whole = maskOf(*inputs.find("mask")->second);
    const Vec3<double> center = whole.grid.center();
    const AnalysisInputs cut = analysis.inSlice(inputs, values, {1, center}, {});
    ASSERT_EQ(cut.count("mask"), 1U);
    const Mask slice = maskOf(*cut.find("mask")->second);
    std::set<int> rows;
    for (std::int64_t i = 0; i < slice.grid.voxels(); ++i)
      if (slice.values[std::size_t(i)]) rows.insert(slice.grid.voxel(i).y);
    ASSERT_EQ(rows.size(), 1U);
    for (std::int64_t i = 0; i < slice.grid.voxels(); ++i)
      if (slice.grid.voxel(i).y == *rows.begin()) {
        EXPECT_EQ(slice.values[std::size_t(i)] != 0, whole.values[std::size_t(i)] != 0);
      }
    const double y = whole.grid.worldFromVoxel.point({0, double(*rows.begin()), 0}).y;
    EXPECT_LE(std::abs(y - center.y), 0.5001 * whole.grid.spacing().y);
    EXPECT_GT(analysis.cpu(cut, values, {}, {}).items, 0);
    const Vec3<double> beyond{center.x, center.y + 1e4, center.z};
    EXPECT_TRUE(analysis.inSlice(inputs, values, {1, beyond}, {}).empty()) << "nothing is there";
  }
}

TEST(Analyses, ShowAtMostSevenFieldsOfAKindAtFirst) {
  constexpr int kMost = 7;
  for (const auto& analysis : table()) {
    SCOPED_TRACE(analysis.name);
    const auto isShown = [](const auto& one) { return !one.advanced; };
    EXPECT_LE(std::ranges::count_if(analysis.inputs, isShown), kMost);
    EXPECT_LE(std::ranges::count_if(analysis.options, isShown), kMost);
  }
}

TEST(Analyses, NameEachFlagOnce) {
  for (const auto& analysis : table()) {
    std::set<std::string> flags{"out",         "backend", "threads", "device",    "params", "preset",
                                "save-params", "json",    "quiet",   "overwrite", "help"};
    for (const auto& slot : analysis.inputs) EXPECT_TRUE(flags.insert(slot.name).second) << slot.name;
    for (const auto& option : analysis.options) EXPECT_TRUE(flags.insert(option.name).second) << option.name;
  }
}

TEST(Analyses, GiveTheOutputsTheyName) {
  for (const auto& analysis : table()) {
    SCOPED_TRACE(analysis.name);
    OptionValues demo, values;
    for (const auto& option : analysis.demoOptions) demo[option.name] = option.defaultValue;
    for (const auto& option : analysis.options) values[option.name] = option.defaultValue;
    const auto result = analysis.cpu(analysis.demo(demo), values, {}, {});
    std::vector<std::string> names;
    for (const auto& layer : result.layers) names.push_back(layer.name);
    for (const auto& file : result.files) names.push_back(std::filesystem::path(file.name).stem());
    for (const auto& name : names) {
      const auto says = [&](const std::string& output) {
        return matchesPattern(withoutFolder(output), name);
      };
      EXPECT_TRUE(std::any_of(analysis.outputs.begin(), analysis.outputs.end(), says)) << name;
    }
    for (const auto& output : analysis.outputs)
      if (output.find('*') == output.npos) {
        EXPECT_THAT(names, testing::Contains(output));
      }
  }
}

TEST(Analyses, HavePresetsOfTheirOptions) {
  for (const auto& analysis : table())
    for (const auto& preset : analysis.presets) {
      SCOPED_TRACE(analysis.name + " " + preset.name);
      EXPECT_FALSE(preset.help.empty());
      for (const auto& [name, value] : preset.values) {
        const auto option = std::find_if(analysis.options.begin(), analysis.options.end(),
                                         [&](const OptionInfo& info) { return info.name == name; });
        ASSERT_NE(option, analysis.options.end()) << name;
        EXPECT_NO_THROW(checkedOption(*option, value));
        EXPECT_NE(value, option->defaultValue) << name << " says nothing";
      }
    }
}

TEST(Analyses, RecordHowAResultCameAbout) {
  const auto& fibers = table().front();
  OptionValues demo, values;
  for (const auto& option : fibers.demoOptions) demo[option.name] = option.defaultValue;
  for (const auto& option : fibers.options) values[option.name] = option.defaultValue;
  values["order"] = std::int64_t(4);
  const auto result = fibers.cpu(fibers.demo(demo), values, {}, {});
  const auto& provenance = result.provenance;
  EXPECT_EQ(provenance.analysis, "fibers");
  EXPECT_EQ(provenance.backend, "cpu");
  EXPECT_EQ(provenance.parameters, values);
  ASSERT_EQ(provenance.inputs.size(), 3u);
  EXPECT_EQ(provenance.inputs[0].path, "crossing fibers.nii.gz") << "as the command line calls it";
  for (const InputFile& input : provenance.inputs) {
    EXPECT_THAT(provenance.commandLine, HasSubstr(input.path));
    EXPECT_EQ(input.sha256, "");
  }
  EXPECT_FALSE(provenance.device.empty());
  EXPECT_THAT(provenance.commandLine, HasSubstr("--order 4"));
  EXPECT_THAT(provenance.commandLine, testing::Not(HasSubstr("--model")));
  double seconds = 0;
  for (const auto& stage : result.stages) seconds += stage.seconds;
  EXPECT_DOUBLE_EQ(result.seconds, seconds);
  EXPECT_GE(result.waited, seconds);
  EXPECT_EQ(result.gpu.waited, 0) << "the CPU computed";
  ASSERT_TRUE(result.layers.front().provenance);
  EXPECT_EQ(result.layers.front().provenance->created, provenance.created);
}

/// A recorded analysis that returns an empty layer, and a diffusion series in two files.
class RecordedRun : public testing::Test {
 protected:
  RecordedRun() {
    Analysis analysis;
    analysis.name = "stub";
    analysis.inputs = {{"dwi", "Series", "", true, {}}};
    analysis.cpu = [this](const AnalysisInputs&, const OptionValues&, const Progress&,
                          const Analysis::Preview&) {
      ++runs_;
      RunResult result;
      result.layers.emplace_back();
      return result;
    };
    stub_ = withProvenance(analysis);
    VolumeLayer volume{std::make_shared<const Series<float>>(Grid{{2, 2, 2}, {}}, 2), {}, 0, {}};
    volume.gradients.rows.resize(2);
    volume.gradients.files = {write("a b.bval", "0 1000\n"), write("dwi.bvec", "0 1\n0 0\n0 0\n")};
    for (const auto& file : volume.gradients.files) volume.gradients.stamps.push_back(stampOf(file));
    layer_.content = volume;
    layer_.source = write("dwi.nii", "abc"), layer_.stamp = stampOf(layer_.source);
  }
  std::string write(const char* name, const std::string& bytes) {
    std::ofstream(folder_ / name) << bytes;
    return (folder_ / name).string();
  }
  RunResult run(const Progress& progress = {}) {
    return stub_.cpu({{"dwi", std::make_shared<const Layer>(layer_)}}, {}, progress, {});
  }

  test::TemporaryFolder folder_;
  Analysis stub_;
  Layer layer_;
  int runs_ = 0;
};

TEST_F(RecordedRun, ListsTheGradientFilesWithTheirChecksums) {
  const auto provenance = run().provenance;
  ASSERT_EQ(provenance.inputs.size(), 3u);
  EXPECT_EQ(provenance.inputs[0].sha256, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(provenance.inputs[1].slot, "bval");
  EXPECT_EQ(provenance.inputs[2].slot, "bvec");
  for (const auto& input : provenance.inputs) EXPECT_EQ(input.sha256.size(), 64u) << input.path;
  EXPECT_EQ(provenance.commandLine,
            "sulcus-cli stub --dwi " + layer_.source + " --bval '" + (folder_ / "a b.bval").string() +
                "' --bvec " + (folder_ / "dwi.bvec").string() + " --backend cpu --out stub_results");
}

TEST_F(RecordedRun, SaysWhichAxesItsGradientsWereGiven) {
  layer_.reinterpretations = {{"axes -x y z"}, {"axes y x z"}};
  const auto provenance = run().provenance;
  EXPECT_EQ(std::get<std::string>(provenance.parameters.at("gradient-axes")), "y -x z");
  EXPECT_THAT(provenance.commandLine, HasSubstr(" --gradient-axes 'y -x z' "));
  EXPECT_THAT(provenance.commandLine, HasSubstr("--dwi " + layer_.source)) << "the file is the same";
  layer_.reinterpretations = {{"axes -x y z"}, {"axes -x y z"}};
  EXPECT_FALSE(run().provenance.parameters.contains("gradient-axes")) << "flipped and back";
  layer_.reinterpretations = {{"tensor fsl"}};
  EXPECT_THAT(run().provenance.commandLine, Not(HasSubstr(layer_.source))) << "no longer what its file holds";
}

TEST_F(RecordedRun, SeesThatAFileHasChanged) {
  const auto before = run().provenance.inputs[0].sha256;
  EXPECT_EQ(run().provenance.inputs[0].sha256, before);
  write("dwi.nii", "abcd");
  write("dwi.bvec", "0 1\n0 0\n0 00\n");
  const auto result = run();
  EXPECT_EQ(result.provenance.inputs[0].sha256, "") << "what was read is no more";
  EXPECT_NE(result.provenance.inputs[1].sha256, "");
  EXPECT_EQ(result.provenance.inputs[2].sha256, "");
  ASSERT_EQ(result.notes.size(), 2u);
  EXPECT_THAT(result.notes[0], HasSubstr("dwi.nii' has changed since it was read"));
  layer_.stamp = stampOf(layer_.source);  // it is read again
  EXPECT_NE(run().provenance.inputs[0].sha256, before);
}

TEST_F(RecordedRun, SeesThatAFileOfTheSameSizeTookItsPlace) {
  std::filesystem::rename(write("other.nii", "xyz"), layer_.source);
  std::filesystem::last_write_time(layer_.source, std::filesystem::file_time_type::clock::now());
  EXPECT_EQ(run().provenance.inputs[0].sha256, "");
}

TEST_F(RecordedRun, KeepsItsResultWhenAnInputCannotBeReadAnyMore) {
  write("dwi.nii", "");  // readers refuse an empty file
  layer_.stamp = stampOf(layer_.source);
  const auto result = run();
  EXPECT_EQ(runs_, 1);
  EXPECT_EQ(result.provenance.inputs[0].sha256, "");
  ASSERT_EQ(result.notes.size(), 1u);
  EXPECT_THAT(result.notes[0], HasSubstr("'dwi.nii' is empty"));
}

TEST_F(RecordedRun, CanBeCancelledWhileChecksumsAreMade) {
  write("dwi.nii", std::string(3 << 20, 'a'));
  layer_.stamp = stampOf(layer_.source);
  std::stop_source stop;
  const Progress progress(stop.get_token(), [&](double, std::string_view stage) {
    EXPECT_EQ(stage, "checksums");
    stop.request_stop();
  });
  EXPECT_THROW(run(progress), Cancelled);
  EXPECT_EQ(runs_, 0);
}

TEST(Analyses, QuoteWhatAShellWouldSplit) {
  EXPECT_EQ(shellQuoted("plain.nii"), "plain.nii");
  EXPECT_EQ(shellQuoted("my scan.nii"), "'my scan.nii'");
  EXPECT_EQ(shellQuoted("it's"), "'it'\\''s'");
  EXPECT_EQ(shellQuoted(""), "''");
}

}  // namespace
}  // namespace sulcus::app::analyses
