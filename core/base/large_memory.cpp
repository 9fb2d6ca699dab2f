#include "core/base/scratch_memory.h"

#include <cstddef>
#include <cstdlib>
#include <new>

#include <sys/mman.h>
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

// Volumes in pages of 2 MB, where the system has them: touching new memory for the first time costs as much
// as computing what is written there, and 512 times as often in pages of 4 kB. So `new` of the program asks
// for such pages; all else stays malloc's. What is larger than the memory lies on the disk
// (scratch_memory.h). The sanitizers bring a `new` of their own.

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

namespace {

constexpr std::size_t kLargePage = std::size_t(2) << 20;
constexpr std::size_t kSmallPage = std::size_t(4) << 10;  // where the system has no large ones
constexpr std::size_t kTouchedAtOnce = 16 * kLargePage;   // from here on
constexpr std::size_t kMaybeTooLarge = 128 * kLargePage;  // smaller ones need not be asked about

[[maybe_unused]] const bool kTakesScratch = sulcus::newTakesScratch = true;

/// Has the system give memory its pages.
void touch(char* memory, std::size_t bytes) noexcept {
  try {
    // Isolated: a thread that waits here takes up no other work, which might wait for what this one holds.
    tbb::this_task_arena::isolate([&] {
      tbb::parallel_for(tbb::blocked_range<std::size_t>(0, bytes, 2 * kLargePage), [&](const auto& range) {
        for (std::size_t at = range.begin(); at < range.end(); at += kSmallPage)
          static_cast<volatile char*>(memory)[at] = 0;
      });
    });
  } catch (...) {  // a wish, too: whoever fills it touches it
  }
}

void* allocated(std::size_t bytes) noexcept {
  if (bytes < kLargePage) return std::malloc(bytes > 0 ? bytes : 1);
  if (bytes >= kMaybeTooLarge && sulcus::exceedsMemory(bytes))
    if (void* const scratch = sulcus::takeScratch(bytes)) return scratch;
  void* memory = nullptr;
  if (posix_memalign(&memory, kLargePage, bytes) != 0) return nullptr;
  madvise(memory, bytes, MADV_HUGEPAGE);  // a wish: where it is refused, nothing is lost
  if (bytes >= kTouchedAtOnce) touch(static_cast<char*>(memory), bytes);
  return memory;
}

}  // namespace

void* operator new(std::size_t bytes) {
  for (;;) {
    if (void* const memory = allocated(bytes)) return memory;
    const std::new_handler handler = std::get_new_handler();
    if (!handler) throw std::bad_alloc();
    handler();
  }
}
void operator delete(void* memory) noexcept {
  if (!sulcus::giveScratchBack(memory)) std::free(memory);
}
void operator delete(void* memory, std::size_t bytes) noexcept {
  if (bytes < kMaybeTooLarge || !sulcus::giveScratchBack(memory)) std::free(memory);
}

#endif
