#include <cstdint>
#include <cstring>
#include <limits>
#include <new>

#include <gtest/gtest.h>

namespace {

constexpr std::size_t kMegabyte = 1 << 20;

/// Allocates, writes and frees; where that was.
std::uintptr_t used(std::size_t bytes) {
  void* const memory = ::operator new(bytes);
  std::memset(memory, 1, bytes);
  ::operator delete(memory);
  return reinterpret_cast<std::uintptr_t>(memory);
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

TEST(LargeMemory, IsKeptForTheNextArrayOfItsSize) {
  const std::uintptr_t first = used(9 * kMegabyte);
  EXPECT_EQ(first % (2 * kMegabyte), 0u);
  EXPECT_EQ(used(9 * kMegabyte), first);
  EXPECT_EQ(used(8 * kMegabyte), first) << "somewhat smaller";
  EXPECT_NE(used(4 * kMegabyte), first) << "much would lie idle";
  EXPECT_NE(used(16 * kMegabyte), first) << "it does not fit";
}

TEST(LargeMemory, InUseIsNotGivenTwice) {
  void* const first = ::operator new(9 * kMegabyte);
  void* const second = ::operator new(9 * kMegabyte);
  EXPECT_NE(first, second);
  ::operator delete(first), ::operator delete(second);
}

#endif

TEST(LargeMemory, IsNotEndless) {
  for (const std::size_t bytes : {std::numeric_limits<std::size_t>::max(), std::size_t(1) << 60})
    EXPECT_EQ(::operator new(bytes, std::nothrow), nullptr);
  EXPECT_NE(used(3 * kMegabyte), 0u);
}

}  // namespace
