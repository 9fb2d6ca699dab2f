#include "core/io/streams/result_folder.h"

#include "core/io/files.h"
#include "tests/core/io/io_test_support.h"

#include <gmock/gmock.h>

namespace sulcus::io {
namespace {

using namespace test;
using testing::HasSubstr;

Layer someLayer(const std::string& name) {
  Grid grid;
  grid.size = {2, 2, 2};
  return mapLayer(name, "mm", "gray", Series<float>(grid, 1, 3.0F));
}

Provenance someProvenance() {
  Provenance provenance;
  provenance.analysis = "fibers", provenance.backend = "gpu";
  provenance.parameters = {{"order", std::int64_t(8)}, {"alpha", 0.5}, {"shift", std::string("none")}};
  provenance.inputs = {{"dwi", "/scans/dwi.nii", "aa"}, {"mask", "inputs/mask2.nii.gz", "bb"}};
  provenance.version = "0.3.0", provenance.device = "a GPU", provenance.created = "2026-11-24T05:00:00Z";
  provenance.stages = {{"Compute", 1.5}};
  return provenance;
}

TEST(ResultFolder, HoldsLayersTextsAndHowTheyCameAbout) {
  TemporaryFolder folder;
  auto staged = StagedFiles::results(folder / "run", resultNames({"map", "report"}), false);
  writeResult({someLayer("map")}, {{"report.txt", "fine\n"}}, someProvenance(), {staged}, {});
  staged.publish();
  EXPECT_EQ(kindOf(openVolume(folder / "run/map.nii.gz")), "volume");
  EXPECT_EQ(readBytes(folder / "run/report.txt"), "fine\n");
  const Provenance read = openProvenance(folder / "run");
  EXPECT_EQ(read.analysis, "fibers");
  EXPECT_EQ(read.backend, "gpu");
  EXPECT_EQ(read.parameters, someProvenance().parameters);
  ASSERT_EQ(read.inputs.size(), 2u);
  EXPECT_EQ(read.inputs[0].slot, "dwi");
  EXPECT_EQ(read.inputs[1].path, "inputs/mask2.nii.gz");
  EXPECT_EQ(read.inputs[1].sha256, "bb");
  EXPECT_EQ(read.version, "0.3.0");
  EXPECT_EQ(read.device, "a GPU");
  EXPECT_EQ(read.created, "2026-11-24T05:00:00Z");
  ASSERT_EQ(read.stages.size(), 1u);
  EXPECT_EQ(read.stages[0].seconds, 1.5);
}

TEST(ResultFolder, HoldsWhatWasChosen) {
  TemporaryFolder folder;
  auto staged = StagedFiles::results(folder / "run", resultNames({"mean_*", "sd", "report"}), false);
  writeResult({someLayer("mean_a"), someLayer("mean_b"), someLayer("sd")},
              {{"report.json", "{}\n"}, {"sd.tsv", "1\n"}}, someProvenance(),
              {staged, {}, {{"mean_*", "sd"}, false}}, {});
  std::vector<std::string> names;
  for (const auto& file : staged.publish()) names.push_back(file.filename().string());
  EXPECT_THAT(names, testing::UnorderedElementsAre("mean_a.nii", "mean_a.json", "mean_b.nii", "mean_b.json",
                                                   "sd.nii", "sd.json", "sd.tsv", "provenance.json"));
  EXPECT_EQ(kindOf(openVolume(folder / "run/mean_b.nii")), "volume");
}

TEST(ResultFolder, ThatSaysLessIsRefused) {
  TemporaryFolder folder;
  const auto errorOf = [&](const std::string& json) -> std::string {
    writeBytes(folder / "provenance.json", json);
    try {
      openProvenance(folder / "");
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_THAT(errorOf("[]"), HasSubstr("which analysis was run"));
  EXPECT_THAT(errorOf(R"({"Analysis": 1})"), HasSubstr("which analysis was run"));
  EXPECT_THAT(errorOf(R"({"Analysis": "fibers", "Backend": "cpu"})"), HasSubstr("with which parameters"));
  EXPECT_THAT(errorOf(R"({"Analysis": "fibers", "Backend": "cpu", "Parameters": [], "Inputs": []})"),
              HasSubstr("holds no parameters"));
  EXPECT_THAT(errorOf(R"({"Analysis": "fibers", "Backend": "cpu", "Parameters": {}})"),
              HasSubstr("on which inputs"));
  EXPECT_THAT(errorOf(R"({"Analysis": "fibers", "Backend": "cpu", "Parameters": {}, "Inputs": [7]})"),
              HasSubstr("what an input was for"));
  EXPECT_NE(errorOf("{"), "no error");
}

}  // namespace
}  // namespace sulcus::io
