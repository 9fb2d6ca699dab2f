#include "app/cli/memory_gate.h"

#include "core/base/error.h"

#include <atomic>
#include <chrono>
#include <stop_token>
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
  std::atomic<bool> hasEnded = false;
  std::jthread next;
  {
    const auto first = gate.enter(onHost(kMoreThanThereIs), false, {});
    next = std::jthread([&] {
      const auto second = gate.enter(onHost(kMoreThanThereIs), false, {});
      EXPECT_TRUE(hasEnded) << "both are in";
    });
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    hasEnded = true;
  }
  next.join();
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
