#include "gpu/runtime/device.h"

#include "core/base/error.h"
#include "tests/support/expect_error.h"
#include "tests/support/gpu.h"

#include <cstdint>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sulcus::gpu {
namespace {

using testing::HasSubstr;

TEST(DeviceReport, HasEitherDevicesOrAReason) {
  const DeviceReport report = deviceReport();

  EXPECT_EQ(report.devices.empty(), !report.reason.empty());
}

TEST(DeviceReport, RefusesARunWithItsReasonWhereThereIsNoDevice) {
  const DeviceReport report = deviceReport();
  if (!report.devices.empty()) GTEST_SKIP() << "this machine has " << report.devices[0].name;

  test::expectError([] { requireDevice(); }, {report.reason}, ErrorKind::unavailable);
  EXPECT_EQ(freeMemory(), 0);
  EXPECT_THROW(deviceNames(), Error);
  EXPECT_THROW(useDevices({0}), Error);
  EXPECT_THROW(requireMemory(1, "a test"), Error);
}

class Device : public test::NeedsGpu {};

TEST_F(Device, IsDescribed) {
  const DeviceInfo device = deviceReport().devices.at(0);

  EXPECT_FALSE(device.name.empty());
  EXPECT_GT(device.multiprocessors, 0);
  EXPECT_GT(device.freeBytes, 0);
  EXPECT_LE(device.freeBytes, device.memoryBytes);
  EXPECT_THAT(device.computeCapability, testing::MatchesRegex("[0-9]+.[0-9]"));
  EXPECT_EQ(deviceNames(), device.name);
  EXPECT_EQ(multiprocessors(), device.multiprocessors);
  EXPECT_GE(sharedBytesPerBlock(), 48 << 10) << "what every device has";
}

TEST_F(Device, Starts) {
  EXPECT_TRUE(startDevices());
  EXPECT_GT(freeMemory(), 0);
}

TEST_F(Device, ThatIsNotThereCannotBeChosen) {
  const int count = int(deviceReport().devices.size());

  for (const std::vector<int>& numbers : {std::vector<int>{count}, {-1}, {0, count}})
    test::expectError([&] { useDevices(numbers); }, {"There is no GPU number", "this machine has"},
                      ErrorKind::unavailable);
  EXPECT_NO_THROW(useDevices({count - 1}));
  useDevices({0});
}

TEST_F(Device, ThatIsChosenTwiceIsNamedTwiceButNotThrice) {
  useDevices({0, 0});
  EXPECT_EQ(chosenDevices(), (std::vector<int>{0, 0}));
  EXPECT_THAT(deviceNames(), HasSubstr(" + "));
  test::expectError([] { requireMemory(std::int64_t(1) << 50, "a huge run"); }, {"GPU 0 has too little"},
                    ErrorKind::unavailable);
  test::expectError([] { useDevices({0, 0, 0}); }, {"GPU 0 is listed more than twice"}, ErrorKind::usage);
  useDevices({0});
}

TEST_F(Device, RefusesMoreMemoryThanItHasWithBothFigures) {
  EXPECT_NO_THROW(requireMemory(1 << 20, "a small run"));
  test::expectError([] { requireMemory(std::int64_t(1) << 50, "a huge run"); },
                    {"1125899.9 GB are needed", "a huge run", "GB are free"}, ErrorKind::unavailable);
}

}  // namespace
}  // namespace sulcus::gpu
