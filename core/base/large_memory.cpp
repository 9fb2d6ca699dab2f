#include <cstddef>
#include <cstdlib>
#include <new>

#include <sys/mman.h>

// Volumes in pages of 2 MB, where the system has them: touching new memory for the first time costs as much
// as computing what is written there, and 512 times as often in pages of 4 kB. So `new` of the program asks
// for such pages; all else stays malloc's. The sanitizers bring a `new` of their own.

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

namespace {

constexpr std::size_t kLargePage = std::size_t(2) << 20;

void* allocated(std::size_t bytes) noexcept {
  if (bytes < kLargePage) return std::malloc(bytes > 0 ? bytes : 1);
  void* memory = nullptr;
  if (posix_memalign(&memory, kLargePage, bytes) != 0) return nullptr;
  madvise(memory, bytes, MADV_HUGEPAGE);  // a wish: where it is refused, nothing is lost
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
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

#endif
