#include "core/base/platform/memory/scratch_memory.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <mutex>
#include <new>
#include <optional>
#include <string_view>

#include <cxxabi.h>
#include <malloc.h>
#include <sys/mman.h>
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#include <unistd.h>

// Places volumes in pages of 2 MB if the system has them: touching new memory for the first time costs as
// much as computing what is written there, and with pages of 4 kB it happens 512 times as often. So the
// program's `new` asks for such pages; all else is left to malloc. Freed blocks are kept for the next array
// of that size, since one volume or participant follows another and the system clears every page that it
// hands out. What is larger than main memory lies on disk (scratch_memory.h). The sanitizers bring their own
// `new`.

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

namespace {

constexpr std::size_t kLargePage = std::size_t(2) << 20;
constexpr std::size_t kSmallPage = std::size_t(4) << 10;  // if the system has no large ones
constexpr std::size_t kTouchedAtOnce = 16 * kLargePage;   // blocks from this size on are touched at once
constexpr std::size_t kMaybeTooLarge = 128 * kLargePage;  // smaller blocks need no check

/// Whether initialization of the libraries is over and that of this program has begun.
bool begun = false;

[[maybe_unused]] const bool kTakesScratch = sulcus::newTakesScratch = true;

/// Otherwise malloc gives threads their own heaps, up to eight per processor, and keeps up to 64 MB free at
/// the end of each: a window on 16 processors then holds two to three times as much as it uses.
[[maybe_unused]] const bool kSharesHeaps = mallopt(M_ARENA_MAX, 2) == 1;

/// Otherwise, when the first array of many MB is freed, malloc starts to take such arrays from its heaps,
/// where small long-lived blocks soon lie among them and pin their pages: a window then holds up to a fifth
/// more than it uses. So arrays keep their own mappings; in return, heaps give back the free memory at their
/// end a little less often.
[[maybe_unused]] const bool kMapsArrays =
    mallopt(M_MMAP_THRESHOLD, 1 << 20) == 1 && mallopt(M_TRIM_THRESHOLD, 16 << 20) == 1;

/// Touches memory so that the system maps its pages.
void touch(char* memory, std::size_t bytes) noexcept {
  try {
    // Isolated: a thread that waits here takes no other work, which might wait for something that this one
    // holds.
    tbb::this_task_arena::isolate([&] {
      tbb::parallel_for(tbb::blocked_range<std::size_t>(0, bytes, 2 * kLargePage), [&](const auto& range) {
        for (std::size_t at = range.begin(); at < range.end(); at += kSmallPage)
          static_cast<volatile char*>(memory)[at] = 0;
      });
    });
  } catch (...) {  // only an optimization: whoever fills the memory touches it
  }
}

/// A block from malloc at the start of a large page.
struct Block {
  void* memory = nullptr;
  std::size_t bytes = 0;  ///< whole large pages; 0: not such a block
};

Block blockAt(void* memory) noexcept {
  if (reinterpret_cast<std::uintptr_t>(memory) % kLargePage != 0) return {};
  return {memory, malloc_usable_size(memory) / kLargePage * kLargePage};
}

/// Freed blocks, oldest first. The system may reclaim their pages whenever it needs them.
class KeptBlocks {
 public:
  /// The smallest block of at least `bytes` and at most a quarter more; null if there is none.
  void* take(std::size_t bytes) noexcept {
    const std::lock_guard lock(mutex_);
    const auto end = blocks_.begin() + count_;
    auto best = end;
    for (auto block = blocks_.begin(); block != end; ++block)
      if (block->bytes >= bytes && block->bytes - bytes <= bytes / 4 &&
          (best == end || block->bytes <= best->bytes))
        best = block;
    return best == end ? nullptr : removed(best).memory;
  }

  /// Keeps a block; frees the oldest ones if there are too many.
  void keep(Block block) noexcept {
    if (block.bytes > kMostBytes) return std::free(block.memory);
    madvise(block.memory, block.bytes, MADV_FREE);
    while (const auto old = addedOrOldest(block)) std::free(old->memory);
  }

  void freeAll() noexcept {
    const std::lock_guard lock(mutex_);
    while (count_ > 0) std::free(removed(blocks_.begin()).memory);
  }

 private:
  static constexpr std::size_t kMostBytes = std::size_t(1) << 30;
  using Blocks = std::array<Block, 256>;

  /// Adds the block and returns nothing, or removes and returns the oldest one to make room.
  std::optional<Block> addedOrOldest(Block block) noexcept {
    const std::lock_guard lock(mutex_);
    if (bytes_ + block.bytes > kMostBytes || count_ == std::ptrdiff_t(blocks_.size()))
      return removed(blocks_.begin());
    blocks_[std::size_t(count_++)] = block;
    bytes_ += block.bytes;
    return std::nullopt;
  }
  Block removed(Blocks::iterator at) noexcept {
    const Block block = *at;
    std::move(at + 1, blocks_.begin() + count_, at);
    --count_, bytes_ -= block.bytes;
    return block;
  }

  std::mutex mutex_;  // guards the members below
  Blocks blocks_;
  std::ptrdiff_t count_ = 0;
  std::size_t bytes_ = 0;
};
constinit KeptBlocks kept;

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

void freeAllKept() noexcept {
  kept.freeAll();
  reserve.give();
}
[[maybe_unused]] const auto kFreesKept = sulcus::freeKept = freeAllKept;

void* allocated(std::size_t bytes) noexcept {
  if (bytes < kLargePage) return std::malloc(bytes > 0 ? bytes : 1);
  reserve.take();
  if (bytes > SIZE_MAX - kLargePage) return nullptr;
  bytes = (bytes + kLargePage - 1) / kLargePage * kLargePage;
  if (void* const memory = kept.take(bytes)) return memory;
  if (bytes >= kMaybeTooLarge && sulcus::exceedsMemory(bytes))
    if (void* const scratch = sulcus::takeScratch(bytes)) return scratch;
  void* memory = nullptr;
  if (posix_memalign(&memory, kLargePage, bytes) != 0) {
    kept.freeAll();
    if (posix_memalign(&memory, kLargePage, bytes) != 0) return nullptr;
  }
  madvise(memory, bytes, MADV_HUGEPAGE);  // only a hint
  if (bytes >= kTouchedAtOnce) touch(static_cast<char*>(memory), bytes);
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
  if (sulcus::giveScratchBack(memory)) return;
  if (const Block block = blockAt(memory); block.bytes > 0)
    kept.keep(block);
  else
    std::free(memory);
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
