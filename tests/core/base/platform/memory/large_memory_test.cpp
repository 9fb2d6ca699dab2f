#include "core/base/platform/memory/scratch_memory.h"
#include "tests/support/heap.h"

#include <barrier>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <new>
#include <stdexcept>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

namespace {

constexpr std::size_t kMegabyte = 1 << 20;

/// Allocates, writes and frees; returns the address.
std::uintptr_t used(std::size_t bytes) {
  void* const memory = ::operator new(bytes);
  std::memset(memory, 1, bytes);
  const auto address = reinterpret_cast<std::uintptr_t>(memory);
  ::operator delete(memory);
  return address;
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

TEST(LargeMemory, LiesInLargePages) {
  for (const std::size_t megabytes : {2, 9, 90}) EXPECT_EQ(used(megabytes * kMegabyte) % (2 * kMegabyte), 0u);
}

TEST(LargeMemory, IsReturnedToTheSystemWhenFreed) {
  used(kMegabyte);
  const double before = sulcus::test::residentOfNoFile();
  std::vector<char> held(90 * kMegabyte, 1);
  EXPECT_GT(sulcus::test::residentOfNoFile() - before, 80 * double(kMegabyte));
  std::vector<char>().swap(held);
  EXPECT_LT(sulcus::test::residentOfNoFile() - before, 10 * double(kMegabyte));
}

/// Needs memory during destruction, like destructors of VTK.
struct NeedsSome {
  ~NeedsSome() {
    const std::vector<char> some(10'000);
    std::memcpy(&last, some.data(), 1);
  }
  static inline char last = 1;
};

TEST(LargeMemory, IsThereForWhatIsTakenDownWhenThereIsNoMore) {
  const auto runOut = [] {
    used(2 * kMegabyte);
    std::vector<void*> all(10'000'000 / sizeof(void*));
    struct rlimit limit {};
    getrlimit(RLIMIT_AS, &limit);
    limit.rlim_cur = 1;  // existing memory stays
    setrlimit(RLIMIT_AS, &limit);
    try {
      const NeedsSome one;
      for (void*& each : all) each = ::operator new(4000);
    } catch (const std::bad_alloc&) {
      _exit(NeedsSome::last);
    }
    _exit(2);
  };
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(runOut(), testing::ExitedWithCode(0), "");
}

/// An exception that a library throws where it cannot be caught.
template <class Fault>
void throwUncaught(const Fault& fault) {
  std::thread([&] { throw fault; }).join();
}

TEST(LargeMemory, ThatALibraryLacksEndsTheProgramInASentence) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(throwUncaught(std::bad_alloc()), testing::ExitedWithCode(4),
              "^[a-z_]*: The computer ran out of memory .*ulimit");
  EXPECT_EXIT(throwUncaught(std::runtime_error("pthread_create has failed")), testing::ExitedWithCode(4),
              "cannot create more threads");
  EXPECT_EXIT(throwUncaught(std::runtime_error("a defect")), testing::KilledBySignal(SIGABRT), "a defect");
}

TEST(Memory, ThatManyThreadsHadIsGivenBackOnRequest) {
  constexpr int kThreads = 12, kBlocks = 200;
  const double before = sulcus::test::residentOfNoFile();
  std::barrier together(kThreads);
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i)
    threads.emplace_back([&] {
      std::vector<void*> blocks(kBlocks);
      for (void*& block : blocks) block = std::memset(std::malloc(kMegabyte / 10), 1, kMegabyte / 10);
      together.arrive_and_wait();
      for (void* const block : blocks) std::free(block);
      together.arrive_and_wait();
    });
  for (auto& thread : threads) thread.join();
  sulcus::giveFreeMemoryBack();
  EXPECT_LT(sulcus::test::residentOfNoFile() - before, 20 * double(kMegabyte)) << "of 240 MB";
}

#endif

TEST(LargeMemory, IsNotEndless) {
  for (const std::size_t bytes : {std::numeric_limits<std::size_t>::max(), std::size_t(1) << 60})
    EXPECT_EQ(::operator new(bytes, std::nothrow), nullptr);
  EXPECT_NE(used(3 * kMegabyte), 0u);
}

}  // namespace
