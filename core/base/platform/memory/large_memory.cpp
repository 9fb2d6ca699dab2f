#include "core/base/platform/memory/scratch_memory.h"

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <new>
#include <string_view>

#include <cxxabi.h>
#include <malloc.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

// Places volumes in pages of 2 MB if the system has them: touching new memory for the first time costs as
// much as computing what is written there, and with pages of 4 kB it happens 512 times as often. So the
// program's `new` asks for such pages; all else is left to malloc. What is larger than main memory lies on
// disk (scratch_memory.h). The sanitizers bring their own `new`.

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

namespace {

constexpr std::size_t kLargePage = std::size_t(2) << 20;
constexpr std::size_t kMaybeTooLarge = 128 * kLargePage;  // smaller blocks need no check

/// Whether initialization of the libraries is over and that of this program has begun.
bool begun = false;

[[maybe_unused]] const bool kTakesScratch = sulcus::newTakesScratch = true;

/// Otherwise, when the first array of many MB is freed, malloc starts to take such arrays from its heaps,
/// where small long-lived blocks soon lie among them and pin their pages: a window then holds up to a fifth
/// more than it uses. So arrays keep their own mappings; in return, heaps give back the free memory at their
/// end a little less often.
[[maybe_unused]] const bool kMapsArrays =
    mallopt(M_MMAP_THRESHOLD, 1 << 20) == 1 && mallopt(M_TRIM_THRESHOLD, 16 << 20) == 1;

/// A thread's own heap reserves 64 MB of address space: where that is limited (ulimit -v), all share two.
bool shareHeapsIfLimited() {
  struct rlimit limit {};
  return getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY && mallopt(M_ARENA_MAX, 2) == 1;
}
[[maybe_unused]] const bool kSharesHeaps = shareHeapsIfLimited();

/// Memory for use while an exception propagates or is handled: destructors of VTK allocate, and so does the
/// message that says what is missing; without it the program would be terminated.
class Reserve {
 public:
  /// Allocates it if it is not held. Returns whether it is held now.
  bool take() noexcept {
    if (memory_.load(std::memory_order_relaxed)) return true;
    void* none = nullptr;
    void* const memory = std::malloc(kBytes);
    if (memory_.compare_exchange_strong(none, memory)) return memory != nullptr;
    std::free(memory);
    return true;
  }
  /// Frees it. Returns whether it was held.
  bool give() noexcept {
    void* const memory = memory_.exchange(nullptr);
    std::free(memory);
    return memory != nullptr;
  }

 private:
  static constexpr std::size_t kBytes = 512 << 10;  // less than malloc returns to the system
  std::atomic<void*> memory_ = nullptr;
};
constinit Reserve reserve;
[[maybe_unused]] const auto kFreesReserve = sulcus::freeReserve = []() noexcept { reserve.give(); };

void* allocated(std::size_t bytes) noexcept {
  if (bytes < kLargePage) return std::malloc(bytes > 0 ? bytes : 1);
  reserve.take();
  if (bytes > SIZE_MAX - kLargePage) return nullptr;
  bytes = (bytes + kLargePage - 1) / kLargePage * kLargePage;
  if (bytes >= kMaybeTooLarge && sulcus::exceedsMemory(bytes))
    if (void* const scratch = sulcus::takeScratch(bytes)) return scratch;
  void* memory = nullptr;
  if (posix_memalign(&memory, kLargePage, bytes) != 0) return nullptr;
  madvise(memory, bytes, MADV_HUGEPAGE);  // only a hint
  return memory;
}

/// Ends the program when a library runs out of memory or threads and nobody can catch its exception: in its
/// initialization, in its own thread, in a destructor. Allocates nothing.
[[noreturn]] void endFor(std::string_view what) noexcept {
  constexpr int kUnavailable = 4;
  for (const std::string_view part :
       {std::string_view(program_invocation_short_name), std::string_view(": "), what,
        std::string_view(": close other programs, or raise the limits of this account (ulimit)\n")})
    [[maybe_unused]] const auto written = write(STDERR_FILENO, part.data(), part.size());
  _exit(kUnavailable);
}
[[noreturn]] void endForMemory() noexcept {
  endFor("The computer ran out of memory (a library could not allocate any)");
}

std::terminate_handler terminateElse = nullptr;

/// Replaces std::terminate: only causes other than such a limit are defects.
[[noreturn]] void endOrTerminate() noexcept {
  if (abi::__cxa_current_exception_type()) try {
      throw;
    } catch (const std::bad_alloc&) {
      endForMemory();
    } catch (const std::exception& fault) {
      if (std::string_view(fault.what()).starts_with("pthread_"))  // thrown by oneTBB without a type of its
                                                                   // own
        endFor("The system cannot create more threads");
    } catch (...) {
    }
  else if (!begun)  // there was no memory for the exception itself
    endForMemory();
  terminateElse();
  std::abort();
}

/// Before the libraries are initialized.
void watch() { terminateElse = std::set_terminate(endOrTerminate); }
[[gnu::section(".preinit_array"), gnu::used]] void (*const kWatches)() = watch;

bool begins() noexcept {
  if (!reserve.take()) endForMemory();
  return true;
}
[[maybe_unused]] const bool kBegins = begun = begins();

void freed(void* memory) noexcept {
  if (!sulcus::giveScratchBack(memory)) std::free(memory);
}

}  // namespace

void* operator new(std::size_t bytes) {
  for (;;) {
    if (void* const memory = allocated(bytes)) return memory;
    if (!begun) endForMemory();
    if ((std::uncaught_exceptions() > 0 || std::current_exception()) && reserve.give()) continue;
    const std::new_handler handler = std::get_new_handler();
    if (!handler) throw std::bad_alloc();
    handler();
  }
}
void operator delete(void* memory) noexcept { freed(memory); }
void operator delete(void* memory, std::size_t) noexcept { freed(memory); }

#endif
