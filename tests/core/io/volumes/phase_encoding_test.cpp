#include "core/io/volumes/phase_encoding.h"

#include "tests/core/io/io_test_support.h"

namespace sulcus::io {
namespace {

using namespace test;

DistortionMetadata read(const std::string& json) {
  TemporaryFolder folder;
  writeBytes(folder / "scan.json", json);
  return readDistortionMetadata(folder / "scan.nii", {64, 65, 30});
}

TEST(PhaseEncoding, IsReadFromTheSidecar) {
  const auto one = read(R"({"PhaseEncodingDirection": "j-", "TotalReadoutTime": 0.05})");
  ASSERT_TRUE(one.encoding);
  EXPECT_EQ(one.encoding->axis, 1);
  EXPECT_EQ(one.encoding->voxelsPerHz(), -0.05);
  const auto other = read(R"({"PhaseEncodingDirection": "j", "EffectiveEchoSpacing": 0.001})");
  ASSERT_TRUE(other.encoding);
  EXPECT_DOUBLE_EQ(other.encoding->voxelsPerHz(), 0.064) << "from the first echo to the last";
  EXPECT_EQ(read(R"({"Units": "rad/s"})").units, "rad/s");
  EXPECT_EQ(read(R"({"PhaseEncodingDirection": "k-"})").axis, 2) << "without a readout time";
  EXPECT_FALSE(read("{}").axis);
}

TEST(PhaseEncoding, IsNotMadeUp) {
  for (const char* json : {"{}", R"({"PhaseEncodingDirection": "j"})", R"({"TotalReadoutTime": 0.05})", "[]",
                           "", R"({"PhaseEncodingDirection": "AP", "TotalReadoutTime": 0.05})",
                           R"({"PhaseEncodingDirection": 1, "TotalReadoutTime": 0.05})",
                           R"({"PhaseEncodingDirection": "j--", "TotalReadoutTime": 0.05})",
                           R"({"PhaseEncodingDirection": "j", "TotalReadoutTime": -1})",
                           R"({"PhaseEncodingDirection": "j", "TotalReadoutTime": "0.05"})"})
    EXPECT_FALSE(read(json).encoding) << json;
}

}  // namespace
}  // namespace sulcus::io
