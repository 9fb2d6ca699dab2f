#include "gpu/runtime/device.h"

#include "core/base/error.h"
#include "tests/support/gpu.h"

#include <cstdint>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sulcus {
namespace {

using testing::HasSubstr;

TEST(DeviceReport, HasEitherDevicesOrAReason) {
  const DeviceReport report = gpu::deviceReport();

  EXPECT_EQ(report.devices.empty(), !report.reason.empty());
}

TEST(DeviceReport, RefusesARunWithItsReasonWhereThereIsNoDevice) {
  const DeviceReport report = gpu::deviceReport();
  if (!report.devices.empty()) GTEST_SKIP() << "this machine has " << report.devices[0].name;

  try {
    gpu::requireDevice();
    FAIL() << "a GPU was promised where there is none";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::unavailable);
    EXPECT_THAT(error.what(), HasSubstr(report.reason));
  }
  EXPECT_EQ(gpu::freeMemory(), 0);
  EXPECT_EQ(gpu::deviceName(), "");
  EXPECT_THROW(gpu::useDevice(0), Error);
  EXPECT_THROW(gpu::requireMemory(1, "a test"), Error);
}

class Device : public test::NeedsGpu {};

TEST_F(Device, IsDescribed) {
  const DeviceInfo device = gpu::deviceReport().devices.at(0);

  EXPECT_FALSE(device.name.empty());
  EXPECT_GT(device.multiprocessors, 0);
  EXPECT_GT(device.freeBytes, 0);
  EXPECT_LE(device.freeBytes, device.memoryBytes);
  EXPECT_THAT(device.computeCapability, testing::MatchesRegex("[0-9]+.[0-9]"));
  EXPECT_EQ(gpu::deviceName(), device.name);
}

TEST_F(Device, ThatIsNotThereCannotBeChosen) {
  const int count = int(gpu::deviceReport().devices.size());

  EXPECT_THROW(gpu::useDevice(count), Error);
  EXPECT_THROW(gpu::useDevice(-1), Error);
  EXPECT_NO_THROW(gpu::useDevice(count - 1));
  gpu::useDevice(0);
}

TEST_F(Device, RefusesMoreMemoryThanItHasWithBothFigures) {
  EXPECT_NO_THROW(gpu::requireMemory(1 << 20, "a small run"));
  try {
    gpu::requireMemory(std::int64_t(1) << 50, "a huge run");
    FAIL() << "a petabyte was promised";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::unavailable);
    EXPECT_THAT(error.what(), HasSubstr("1125899.9 GB are needed"));
    EXPECT_THAT(error.what(), HasSubstr("a huge run"));
    EXPECT_THAT(error.what(), HasSubstr("GB are free"));
  }
}

}  // namespace
}  // namespace sulcus
