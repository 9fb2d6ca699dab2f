#include "app/cli/study/memory_gate.h"

#include "core/base/error.h"

#include <atomic>
#include <stop_token>
#include <string_view>
#include <thread>

#include <gtest/gtest.h>

namespace sulcus::app::cli {
namespace {

constexpr double kMoreThanThereIs = 1e18;  // bytes

MemoryNeed onHost(double bytes) {
  MemoryNeed need;
  need.hostBytes = bytes;
  return need;
}

TEST(MemoryGate, LetsInTogetherWhatFitsTogether) {
  MemoryGate gate;
  const auto first = gate.enter(onHost(1), false, {});
  const auto second = gate.enter(onHost(1), false, {});
}

TEST(MemoryGate, OneAloneAlwaysBeginsAndTheNextWaitsForItsEnd) {
  MemoryGate gate;
  std::atomic<bool> waits = false, hasEnded = false;
  std::jthread next;
  {
    const auto first = gate.enter(onHost(kMoreThanThereIs), false, {});
    next = std::jthread([&] {
      const Progress progress({}, [&](double, std::string_view) {
        waits = true;
        waits.notify_all();
      });
      const auto second = gate.enter(onHost(kMoreThanThereIs), false, progress);
      EXPECT_TRUE(hasEnded) << "both are in";
    });
    waits.wait(false);
    hasEnded = true;
  }
  next.join();
}

TEST(MemoryGate, NothingIsReadWhileARunThatIsReadWaits) {
  MemoryGate gate;
  gate.beforeReading({});
  std::atomic<bool> waits = false, unreadWaits = false, hasEnded = false;
  const auto tellsThatItWaits = [](std::atomic<bool>& told) {
    return Progress({}, [&told](double, std::string_view) {
      told = true;
      told.notify_all();
    });
  };
  std::jthread read, unread;
  {
    const auto first = gate.enter(onHost(1), false, {});
    read = std::jthread(
        [&] { const auto second = gate.enter(onHost(kMoreThanThereIs), false, tellsThatItWaits(waits)); });
    waits.wait(false);
    unread = std::jthread([&] {
      gate.beforeReading(tellsThatItWaits(unreadWaits));
      EXPECT_TRUE(hasEnded);
    });
    unreadWaits.wait(false);
    hasEnded = true;
  }
  read.join(), unread.join();
}

TEST(MemoryGate, WaitingCanBeCancelled) {
  MemoryGate gate;
  const auto first = gate.enter(onHost(1), false, {});
  std::stop_source stop;
  stop.request_stop();
  EXPECT_THROW(gate.enter(onHost(kMoreThanThereIs), false, Progress(stop.get_token(), {})), Cancelled);
  const auto small = gate.enter(onHost(1), false, {});
}

}  // namespace
}  // namespace sulcus::app::cli
