#include "core/io/scan_timing.h"

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

}  // namespace
}  // namespace sulcus::io
