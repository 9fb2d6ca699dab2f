// Preloaded into a program (LD_PRELOAD): its wall clock goes back an hour at every query, starting with the
// true time.
#include <atomic>
#include <ctime>

#include <sys/syscall.h>
#include <unistd.h>

namespace {
std::atomic<long> asked{0};
}

extern "C" {
int clock_gettime(clockid_t clock, timespec* time) noexcept {
  const int result = int(syscall(SYS_clock_gettime, clock, time));
  if (result == 0 && clock == CLOCK_REALTIME) time->tv_sec -= 3600 * ++asked;
  return result;
}
time_t time(time_t* result) noexcept {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  return result ? *result = now.tv_sec : now.tv_sec;
}
}
