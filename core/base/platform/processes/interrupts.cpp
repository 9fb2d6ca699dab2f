#include "core/base/platform/processes/interrupts.h"

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <initializer_list>

#ifdef __APPLE__
#include <dispatch/dispatch.h>
#else
#include <semaphore.h>
#endif

namespace sulcus {
namespace {

std::atomic<int> noted{0};  // lock-free, so the handler may write it
int codeOfSecond = 0;

// A semaphore, since a signal handler may use it to wake a thread.
#ifdef __APPLE__
dispatch_semaphore_t waker() {
  static const dispatch_semaphore_t semaphore = dispatch_semaphore_create(0);
  return semaphore;
}
void wake() { dispatch_semaphore_signal(waker()); }
void sleepUntilWoken() { dispatch_semaphore_wait(waker(), DISPATCH_TIME_FOREVER); }
#else
sem_t* waker() {
  static sem_t semaphore = [] {
    sem_t s;
    sem_init(&s, 0, 0);
    return s;
  }();
  return &semaphore;
}
void wake() { sem_post(waker()); }
void sleepUntilWoken() { sem_wait(waker()); }
#endif

void note(int) {
  if (++noted > 1) std::_Exit(codeOfSecond);
  wake();
}

}  // namespace

void noteInterrupts(int code) {
  codeOfSecond = code;
  waker();  // constructed now, not in the handler
  struct sigaction action {};
  action.sa_handler = note;
  action.sa_flags = SA_RESTART;
  for (const int signal : {SIGINT, SIGTERM}) sigaction(signal, &action, nullptr);
  struct sigaction before {};
  sigaction(SIGHUP, nullptr, &before);
  if (before.sa_handler != SIG_IGN) sigaction(SIGHUP, &action, nullptr);  // nohup ignores SIGHUP
}

int interrupts() noexcept { return noted; }
void awaitInterrupt() noexcept { sleepUntilWoken(); }
void wakeFromInterrupts() noexcept { wake(); }

}  // namespace sulcus
