#include "core/base/platform/processes/interrupts.h"
#include "core/base/platform/windows_errors.h"

#include <atomic>
#include <cstdlib>

namespace sulcus {
namespace {

std::atomic<int> noted{0};
int codeOfSecond = 0;

HANDLE waker() {
  static const HANDLE semaphore = CreateSemaphoreW(nullptr, 0, 1 << 20, nullptr);
  return semaphore;
}

BOOL WINAPI note(DWORD) {  // called in a thread of its own
  if (++noted > 1) std::_Exit(codeOfSecond);
  wakeFromInterrupts();
  return TRUE;
}

}  // namespace

void noteInterrupts(int code) {
  codeOfSecond = code;
  SetConsoleCtrlHandler(note, TRUE);
}

int interrupts() noexcept { return noted; }
void awaitInterrupt() noexcept { WaitForSingleObject(waker(), INFINITE); }
void wakeFromInterrupts() noexcept { ReleaseSemaphore(waker(), 1, nullptr); }

}  // namespace sulcus
