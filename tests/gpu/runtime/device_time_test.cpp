#include "gpu/runtime/device_time.h"

#include "core/base/stage_clock.h"

#include <optional>

#include <gtest/gtest.h>

namespace sulcus::gpu {
namespace {

void spend(double seconds) {
  const StageClock clock;
  while (clock.seconds() < seconds) {
  }
}

DeviceTime since(const DeviceTime& before) {
  const DeviceTime now = deviceTime();
  return {now.waited - before.waited, now.copies - before.copies};
}

TEST(DeviceTime, CountsWaitsAloneAndCopiesAmongThem) {
  const DeviceTime before = deviceTime();
  const StageClock clock;
  {
    const WaitTimer waiting(WaitKind::work);
    spend(0.002);
    const WaitTimer copying(WaitKind::copies);
    spend(0.001);
  }
  const DeviceTime waited = since(before);
  EXPECT_GE(waited.copies, 0.001);
  EXPECT_GE(waited.waited, waited.copies + 0.002);
  EXPECT_LE(waited.waited, clock.seconds());
  spend(0.001);
  EXPECT_EQ(since(before).waited, waited.waited) << "nothing was waited for";
}

TEST(DeviceTime, CountsWhatLiesOverEachOtherOnce) {
  const DeviceTime before = deviceTime();
  const StageClock clock;
  std::optional<WaitTimer> first(WaitKind::work), second(WaitKind::work);
  spend(0.001);
  first.reset();
  spend(0.001);
  EXPECT_GE(since(before).waited, 0.002) << "the second still waits";
  second.reset();
  EXPECT_LE(since(before).waited, clock.seconds());
}

}  // namespace
}  // namespace sulcus::gpu
