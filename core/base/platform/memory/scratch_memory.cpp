#include "core/base/platform/memory/scratch_memory.h"

#include "core/base/platform/memory/host_memory.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <mutex>

#ifdef __linux__
#include <fcntl.h>
#include <linux/magic.h>
#include <malloc.h>
#include <sys/mman.h>
#include <sys/vfs.h>
#include <unistd.h>
#endif

namespace sulcus {
namespace {

struct Scratch {
  void* memory = nullptr;
  std::size_t bytes = 0;
};

std::mutex mutex;  // guards `taken`, which never allocates
std::array<Scratch, 64> taken;
std::atomic<int> count{0};  ///< so that freeing other memory costs nothing while there is no scratch memory

#ifdef __linux__
const char* scratchFolder() noexcept {
  const char* const chosen = std::getenv("TMPDIR");
  return chosen && *chosen ? chosen : "/var/tmp";
}

/// Maps an unnamed file with all its blocks allocated; null on failure.
void* mapped(std::size_t bytes) noexcept {
  const int file = open(scratchFolder(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (file < 0) return nullptr;
  void* memory = MAP_FAILED;
  if (fallocate(file, 0, 0, off_t(bytes)) == 0)
    memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  return memory == MAP_FAILED ? nullptr : memory;
}

std::uint64_t freeOnDisk() noexcept {
  struct statfs system {};
  if (statfs(scratchFolder(), &system) != 0 || system.f_type == TMPFS_MAGIC) return 0;
  return std::uint64_t(0.9 * double(system.f_bavail) * double(system.f_bsize));  // leaves some for others
}

void unmap(const Scratch& place) noexcept { munmap(place.memory, place.bytes); }
#else
// Other systems page out by themselves what does not fit into memory.
void* mapped(std::size_t) noexcept { return nullptr; }
std::uint64_t freeOnDisk() noexcept { return 0; }
void unmap(const Scratch&) noexcept {}
#endif

/// Its position in `taken`, whose mutex is held; the end if it is not there.
auto placeOf(const void* memory) noexcept {
  return std::find_if(taken.begin(), taken.end(),
                      [&](const Scratch& place) { return place.memory == memory; });
}

}  // namespace

std::uint64_t scratchRoom() noexcept { return freeOnDisk(); }

void* takeScratch(std::size_t bytes) noexcept {
  if (bytes == 0 || bytes > scratchRoom()) return nullptr;
  const std::lock_guard lock(mutex);
  for (Scratch& place : taken) {
    if (place.memory) continue;
    void* const memory = mapped(bytes);
    if (memory) {
      place = {memory, bytes};
      ++count;
    }
    return memory;
  }
  return nullptr;
}

bool giveScratchBack(void* memory) noexcept {
  if (!memory || count.load(std::memory_order_acquire) == 0) return false;
  const std::lock_guard lock(mutex);
  const auto place = placeOf(memory);
  if (place == taken.end()) return false;
  unmap(*place);
  *place = {};
  --count;
  return true;
}

bool isScratch(const void* memory) noexcept {
  if (!memory || count.load(std::memory_order_acquire) == 0) return false;
  const std::lock_guard lock(mutex);
  return placeOf(memory) != taken.end();
}

bool exceedsMemory(std::size_t bytes) noexcept {
  const double free = freeHostMemory();
  return free > 0 && double(bytes) > 0.8 * free;
}

void giveFreeMemoryBack() noexcept {
  if (const auto free = freeReserve.load()) free();
#ifdef __linux__
  malloc_trim(0);
#endif
}

}  // namespace sulcus
