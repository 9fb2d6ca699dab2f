#include "core/io/volumes/scan_timing.h"

#include "tests/core/io/io_test_support.h"

namespace sulcus::io {
namespace {

using namespace test;

TEST(ScanTiming, IsReadFromTheSidecarsOfBids) {
  TemporaryFolder folder;
  const auto func = folder / "sub-1" / "func";
  std::filesystem::create_directories(func);
  writeBytes(folder / "dataset_description.json", "{}");
  writeBytes(folder / "task-a_bold.json", R"({"RepetitionTime": 8, "DelayTime": 5, "SliceTiming": [0, 1]})");
  writeBytes(func / "sub-1_task-a_bold.json",
             R"({"DelayTime": 6, "StartTime": 0.5, "VolumeTiming": [0, 8.5]})");
  const ScanTiming timing = readScanTiming(func / "sub-1_task-a_bold.nii.gz");
  EXPECT_EQ(timing.repetition, 8);
  EXPECT_EQ(timing.delay, 6) << "the nearer file counts";
  EXPECT_EQ(timing.reference, 0.5);
  EXPECT_EQ(timing.volumes, (std::vector<double>{0, 8.5}));
  EXPECT_EQ(timing.slices, (std::vector<double>{0, 1}));
  EXPECT_TRUE(readScanTiming(func / "other.nii").empty());
  writeBytes(func / "other.json", R"({"DelayTime": "six", "SliceTiming": [0, "x"], "VolumeTiming": {}})");
  EXPECT_TRUE(readScanTiming(func / "other.nii").empty());
}

TEST(ScanTiming, OfADerivativeIsThatOfItsScanToo) {
  TemporaryFolder folder;
  const auto made = folder / "derivatives" / "fmriprep", func = made / "sub-1" / "func";
  std::filesystem::create_directories(func);
  std::filesystem::create_directories(folder / "sub-1" / "func");
  for (const auto& root : {folder / "dataset_description.json", made / "dataset_description.json"})
    writeBytes(root, "{}");
  writeBytes(folder / "task-a_bold.json", R"({"RepetitionTime": 8, "DelayTime": 6, "SliceTiming": [0, 1]})");
  writeBytes(folder / "sub-1" / "func" / "sub-1_task-a_bold.json", R"({"DelayTime": 5.5})");
  const auto scan = func / "sub-1_task-a_desc-preproc_bold.nii.gz";
  EXPECT_EQ(readScanTiming(scan).delay, 5.5) << "it has no sidecar of its own";
  writeBytes(func / "sub-1_task-a_desc-preproc_bold.json",
             R"({"RepetitionTime": 8.25, "StartTime": 1, "SliceTimingCorrected": true})");
  const ScanTiming timing = readScanTiming(scan);
  EXPECT_EQ(timing.repetition, 8.25);
  EXPECT_EQ(timing.delay, 5.5);
  EXPECT_EQ(timing.reference, 1);
  EXPECT_TRUE(timing.slices.empty());
  EXPECT_EQ(readScanTiming(func / "sub-1_task-b_bold.nii.gz").delay, 0);
}

TEST(ScanTiming, OfAKeyIsThatOfTheFirstFileThatSaysSomething) {
  TemporaryFolder folder;
  const std::vector<std::filesystem::path> files{folder / "a.json", folder / "b.json", folder / "none.json"};
  writeBytes(files[0], R"({"RepetitionTime": 0, "StartTime": null, "DelayTime": "n/a"})");
  writeBytes(files[1], R"({"RepetitionTime": 2.5, "StartTime": 1, "DelayTime": 0.5})");
  const ScanTiming timing = timingIn(files);
  EXPECT_EQ(timing.repetition, 2.5);
  EXPECT_EQ(timing.reference, 1);
  EXPECT_EQ(timing.delay, 0.5);
}

TEST(ScanTiming, OfSlicesFollowsTheirDirection) {
  TemporaryFolder folder;
  writeBytes(folder / "a.json", R"({"SliceTiming": [0, 1, 2], "SliceEncodingDirection": "k-"})");
  EXPECT_EQ(readScanTiming(folder / "a.nii").slices, (std::vector<double>{2, 1, 0}));
  writeBytes(folder / "a.json", R"({"SliceTiming": [0, 1, 2], "SliceEncodingDirection": "j"})");
  EXPECT_EQ(readScanTiming(folder / "a.nii").sliceAxis, 1);
  writeBytes(folder / "a.json", R"({"SliceTiming": [0, 1, 2], "SliceEncodingDirection": 3})");
  EXPECT_EQ(readScanTiming(folder / "a.nii").sliceAxis, 2);
}

}  // namespace
}  // namespace sulcus::io
