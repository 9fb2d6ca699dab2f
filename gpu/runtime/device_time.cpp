#include "gpu/runtime/device_time.h"

#include "core/base/stage_clock.h"

#include <mutex>

namespace sulcus::gpu {
namespace {

/// Total time during which at least one interval is open.
class OverlapTime {
 public:
  void begin() {
    if (count_++ == 0) clock_.restart();
  }
  void end() {
    if (--count_ == 0) seconds_ += clock_.seconds();
  }
  double seconds() const { return seconds_ + (count_ > 0 ? clock_.seconds() : 0); }

 private:
  StageClock clock_;
  int count_ = 0;
  double seconds_ = 0;
};

struct Waits {
  std::mutex mutex;
  OverlapTime all, copies;
};
Waits& waits() {
  static Waits all;
  return all;
}

}  // namespace

DeviceTime deviceTime() {
  const std::scoped_lock lock(waits().mutex);
  return {waits().all.seconds(), waits().copies.seconds()};
}

WaitTimer::WaitTimer(WaitKind what) : what_(what) {
  const std::scoped_lock lock(waits().mutex);
  waits().all.begin();
  if (what_ == WaitKind::copies) waits().copies.begin();
}

WaitTimer::~WaitTimer() {
  const std::scoped_lock lock(waits().mutex);
  waits().all.end();
  if (what_ == WaitKind::copies) waits().copies.end();
}

}  // namespace sulcus::gpu
